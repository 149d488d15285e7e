//! What happens on the chain, one story a function; each has accounts of its own.

use std::str::FromStr as _;

use auto_battle::{Ability, Bounded, Card, CardLink, Effect, SetCard, Target, Trigger};
use auto_battle_watcher::chain::{Account, Call, Chain};
use auto_battle_watcher::player::{Honesty, Player, Skill};
use pallet_auto_battle::{CardText, Ending, GhostBoardKey, SetMeta, Stage, starter_set_hash};
use subxt_signer::SecretUri;
use subxt_signer::sr25519::{Keypair, dev};

/// One unit of money.
pub const UNIT: u128 = 1_000_000_000_000;

/// The keys of a development account.
pub fn keys(secret: &str) -> Keypair {
    Keypair::from_uri(&SecretUri::from_str(secret).unwrap()).unwrap()
}

fn player(chain: &Chain, keys: &Keypair, skill: Skill) -> Player {
    Player::new(chain.clone(), keys.clone(), skill, Honesty::Honest)
}

/// What an account has in whole units, fees of transactions rounded away.
async fn units(chain: &Chain, who: Account) -> i128 {
    let (free, held) = chain.money(who).await.unwrap();
    ((free + held + UNIT / 2) / UNIT) as i128
}

/// A card that wins everything.
fn champion() -> Card<CardLink> {
    let strike = Effect::Damage { amount: 99, target: Target::AllEnemies };
    let abilities = Bounded::try_from_iter([Ability::new(Trigger::OnStart, strike)]).unwrap();
    Card { attack: 50, health: 99, play_cost: 0, pitch_value: 1, abilities }
}

async fn champion_set(chain: &Chain, keys: &Keypair, health: i32) -> [u8; 32] {
    let card = Card { health, ..champion() };
    let text = CardText { name: b"Champion".to_vec().try_into().unwrap(), ..CardText::default() };
    let told = chain.submit(keys, Call::register_card(&card, &text)).await.unwrap();
    assert_eq!(told[0].name, "CardRegistered");
    let set = [SetCard { card_hash: card.hash(), rarity: 1 }];
    chain.submit(keys, Call::create_set(&set, &SetMeta::default())).await.unwrap();
    auto_battle::CardSet::check(&set).unwrap().hash()
}

pub async fn cards_and_a_set_of_ones_own(chain: &Chain) {
    let keys = keys("//Alice//stash");
    let before = units(chain, Account::from(&keys)).await;
    let set_hash = champion_set(chain, &keys, 98).await;
    // Two for the card, five for the set; the deposit is held.
    assert_eq!(before - units(chain, Account::from(&keys)).await, 7);
    assert_eq!(chain.money(Account::from(&keys)).await.unwrap().1, 20 * UNIT);
    assert_eq!(chain.pool(set_hash).await.unwrap().unwrap().cards().len(), 1);

    // The same card costs nothing more, and nobody may remove the set of another.
    let told = chain.submit(&keys, Call::register_card(&Card { health: 98, ..champion() }, &CardText::default())).await;
    assert_eq!(told.unwrap(), []);
    assert!(chain.submit(&keys, Call::remove_set(starter_set_hash())).await.is_err());
    chain.submit(&keys, Call::remove_set(set_hash)).await.unwrap();
    assert_eq!(chain.money(Account::from(&keys)).await.unwrap().1, 0);
    assert_eq!(chain.pool(set_hash).await.unwrap(), None);
}

pub async fn a_run_to_ten_wins(chain: &Chain) {
    let keys = dev::alice();
    let set_hash = champion_set(chain, &keys, 99).await;
    let mut player = player(chain, &keys, Skill::Greedy);
    assert_eq!(player.play_run(set_hash).await.unwrap(), Some(Ending::Won));
    let (before, pool) = (units(chain, player.account()).await, chain.prize_pool(set_hash).await.unwrap());
    // However full the pools of other sets are, this one has the fee of one run.
    assert_eq!(pool, 10 * UNIT);
    // Somebody gives, and a bounded part of it can be won.
    chain.submit(&keys, Call::give_to_pool(set_hash, 50 * UNIT)).await.unwrap();
    assert_eq!(chain.prize_offer(set_hash).await.unwrap(), 15 * UNIT);
    player.claim().await.unwrap();
    assert_eq!(units(chain, player.account()).await - before, 15 - 50);
    assert_eq!(chain.prize_pool(set_hash).await.unwrap(), 45 * UNIT);
    assert_eq!(chain.session(player.account()).await.unwrap(), None);
}

pub async fn a_run_to_defeat(chain: &Chain) {
    let mut player = player(chain, &dev::bob(), Skill::Idle);
    let before = units(chain, player.account()).await;
    assert_eq!(player.play_run(starter_set_hash()).await.unwrap(), Some(Ending::Lost));
    player.claim().await.unwrap();
    assert_eq!(before - units(chain, player.account()).await, 10);
    assert_eq!(chain.money(player.account()).await.unwrap().1, 0);
}

pub async fn a_forfeit(chain: &Chain) {
    let keys = dev::charlie();
    let who = Account::from(&keys);
    let before = units(chain, who).await;
    chain.submit(&keys, Call::start_game(starter_set_hash())).await.unwrap();
    assert_eq!(chain.money(who).await.unwrap().1, 8 * UNIT);
    chain.submit(&keys, Call::forfeit()).await.unwrap();
    assert_eq!(chain.session(who).await.unwrap(), None);
    assert_eq!(before - units(chain, who).await, 10);
}

/// Two players with the same strategy meet each other's ghosts.
pub async fn two_players_meet(chain: &Chain) {
    let set_hash = champion_set(chain, &dev::dave(), 97).await;
    let mut first = player(chain, &dev::dave(), Skill::Greedy);
    let mut second = player(chain, &keys("//Charlie//stash"), Skill::Greedy);
    assert_eq!(first.play_run(set_hash).await.unwrap(), Some(Ending::Won));
    let key = GhostBoardKey { set_hash: set_hash.into(), round: 1, wins: 0, losses: 0 };
    let ghosts = chain.ghosts(key).await.unwrap();
    assert_eq!(ghosts.iter().map(|it| it.owner).collect::<Vec<_>>(), [first.account()]);

    start_turn(chain, &mut second, set_hash).await;
    let met = chain.pending_battle(second.account()).await.unwrap().unwrap();
    assert_eq!((met.opponent, met.battle.enemy), (Some(first.account()), ghosts[0].board));
    // And the other way round, in the first one's next run.
    first.claim().await.unwrap();
    start_turn(chain, &mut first, set_hash).await;
    let met = chain.pending_battle(first.account()).await.unwrap().unwrap();
    assert_eq!(met.opponent, Some(second.account()));
    for keys in [dev::dave(), keys("//Charlie//stash")] {
        chain.submit(&keys, Call::forfeit()).await.unwrap();
    }
}

/// Starts a run and plays its first turn, until its battle is known.
async fn start_turn(chain: &Chain, player: &mut Player, set_hash: [u8; 32]) {
    player.start(set_hash).await.unwrap();
    while matches!(chain.session(player.account()).await.unwrap().unwrap().stage, Stage::Dealing(_)) {
        chain.next_block().await.unwrap();
    }
    let session = chain.session(player.account()).await.unwrap().unwrap();
    player.play_turn(&session).await.unwrap();
    while chain.pending_battle(player.account()).await.unwrap().is_none() {
        chain.next_block().await.unwrap();
    }
}

pub async fn a_liar_is_slashed(chain: &Chain) {
    let mut liar = Player::new(chain.clone(), dev::ferdie(), Skill::Idle, Honesty::Liar);
    let before = units(chain, liar.account()).await;
    assert_eq!(liar.play_run(starter_set_hash()).await.unwrap(), None, "the watcher ended the run");
    // The entry fee and the whole bond.
    assert_eq!(before - units(chain, liar.account()).await, 18);
}

/// Nobody can watch this one: the reports and the claim come before the watcher's dispute could.
pub async fn a_lie_is_not_paid(chain: &Chain) {
    let keys = keys("//Ferdie//stash");
    let who = Account::from(&keys);
    let before = units(chain, who).await;
    let mut liar = Player::new(chain.clone(), keys, Skill::Idle, Honesty::Liar);
    let _ = liar.play_run(starter_set_hash()).await.unwrap();
    liar.claim().await.unwrap();
    assert_eq!(before - units(chain, who).await, 18);
}

pub async fn a_false_dispute(chain: &Chain) {
    let accuser = keys("//Bob//stash");
    let mut honest = player(chain, &keys("//Eve//stash"), Skill::Greedy);
    start_turn(chain, &mut honest, starter_set_hash()).await;
    let session = chain.session(honest.account()).await.unwrap().unwrap();
    honest.fight(&session).await.unwrap();

    let (rich, poor) = (units(chain, honest.account()).await, units(chain, Account::from(&accuser)).await);
    chain.submit(&accuser, Call::dispute_battle(honest.account(), 1, 1)).await.unwrap();
    assert_eq!(units(chain, honest.account()).await - rich, 8);
    assert_eq!(poor - units(chain, Account::from(&accuser)).await, 8);
    // One verdict per report.
    assert!(chain.submit(&accuser, Call::dispute_battle(honest.account(), 1, 1)).await.is_err());
    let ending = honest.play_run(starter_set_hash()).await.unwrap();
    assert!(ending.is_some(), "the run goes on");
    honest.claim().await.unwrap();
}

/// A player who is late loses a reward and not the run.
pub async fn a_missed_report(chain: &Chain) {
    let (late, helper) = (keys("//One"), keys("//Two"));
    let mut player = player(chain, &late, Skill::Greedy);
    start_turn(chain, &mut player, starter_set_hash()).await;
    while !chain.is_report_late(player.account()).await.unwrap() {
        chain.next_block().await.unwrap();
    }
    let reward = units(chain, Account::from(&helper)).await;
    chain.submit(&helper, Call::report_late(player.account(), 1)).await.unwrap();
    assert_eq!(units(chain, Account::from(&helper)).await - reward, 1);
    let session = chain.session(player.account()).await.unwrap().unwrap();
    assert_eq!((session.n_reports(), session.n_unverified), (1, 0));
    chain.submit(&late, Call::forfeit()).await.unwrap();
}

pub async fn an_expired_run(chain: &Chain) {
    let (late, finder) = (keys("//One"), keys("//Two"));
    let who = Account::from(&late);
    let before = units(chain, who).await;
    chain.submit(&late, Call::start_game(starter_set_hash())).await.unwrap();
    assert!(chain.submit(&finder, Call::expire_game(who)).await.is_err(), "there is still time");
    while !chain.is_expired(who).await.unwrap() {
        chain.next_block().await.unwrap();
    }
    assert!(chain.submit(&late, Call::end_turn()).await.is_err(), "it is too late");
    let reward = units(chain, Account::from(&finder)).await;
    chain.submit(&finder, Call::expire_game(who)).await.unwrap();
    assert_eq!(units(chain, Account::from(&finder)).await - reward, 1);
    assert_eq!(before - units(chain, who).await, 11);
    assert_eq!(chain.session(who).await.unwrap(), None);
}

/// The golden battles and runs in the node itself.
pub async fn golden_files_come_out_equal(chain: &Chain) {
    let chain = chain.clone();
    let handle = tokio::runtime::Handle::current();
    let asking = tokio::task::spawn_blocking(move || {
        let mut at = handle.block_on(chain.now()).unwrap();
        let mut n_calls = 0;
        let mut runtime = |method: &str, args: &[u8]| {
            handle.block_on(async {
                // A node forgets the state of old blocks.
                n_calls += 1;
                if n_calls % 100 == 0 {
                    at = chain.now().await.unwrap();
                }
                at.runtime_apis().call_raw(method, Some(args)).await.unwrap()
            })
        };
        assert_eq!(auto_battle_golden::check_battles(&mut runtime), 250);
        assert_eq!(auto_battle_golden::check_runs(&mut runtime), 15);
    });
    asking.await.unwrap();
}
