use std::collections::BTreeMap;
use engine::{Match, Sink, Record, state::MatchState};
use testkit::{contract::{Dice, random_command}, games};
#[derive(Default)] struct C(BTreeMap<String,u64>, u64);
impl Sink for C { fn record(&mut self,_:&MatchState,r:&Record<&[i64]>){ let s=format!("{r:?}"); let k=s.split(|c:char| !c.is_alphanumeric()).next().unwrap().to_owned(); *self.0.entry(k).or_default()+=1; self.1+=1; } }
fn main(){ let rs=games::load("bench-duel"); let mut c=C::default(); let mut n=0u64; let mut nl=0u64;
 for seed in 0..100 { let (l,_)=Match::start(rs.clone(), &games::setup(&rs,seed,2), &mut ()).unwrap(); let mut l=l.fork(); let mut d=Dice::new(seed+1);
 while let Some(cmd)=random_command(&l,&mut d){ nl+=l.legal(testkit::contract::asked(&l)[0],256).len() as u64; l.submit(&cmd,&mut c).unwrap(); n+=1;} }
 println!("{n} decisions, {:.1} legal, {:.1} records", nl as f64/n as f64, c.1 as f64/n as f64); for (k,v) in c.0 { println!("{k} {:.2}", v as f64/n as f64); } 
 println!("frame {} record {} entity {} head {} instr {}", std::mem::size_of::<engine::state::Frame>(), std::mem::size_of::<Record<engine::scratch::Span>>(), std::mem::size_of::<engine::state::Entity>(), std::mem::size_of::<engine::state::Head>(), std::mem::size_of::<ruleset::instr::Instr>()); }
