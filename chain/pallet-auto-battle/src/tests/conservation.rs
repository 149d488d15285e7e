//! Whatever anybody does: no call makes or destroys money, fails inside, takes more weight than it
//! declares, or leaves a state that is not sound.

use auto_battle::{BattleResult, Card, Rng, SetCard, ShopAction};
use codec::Encode as _;
use frame::deps::frame_support::dispatch::{GetDispatchInfo as _, extract_actual_weight};
use frame::deps::frame_support::storage::unhashed;
use frame::deps::frame_support::weights::RuntimeDbWeight;
use frame::prelude::{DispatchError, Dispatchable as _, Get, H256, blake2_256, frame_system, twox_128};
use frame::testing_prelude::TestState;
use frame::traits::GetCallName as _;
use sp_state_machine::BasicExternalities;

use super::{choices, is_soak, pick, plan, truth};
use crate::mock::{
    AccountId, AutoBattle, Balance, Balances, CREATOR, RuntimeCall, RuntimeEvent, RuntimeOrigin, System, TREASURY,
    Test, UNIT, meet_easy_opponents, new_long_ext, new_test_ext, next_block, pass_blocks, signed, starter_set_hash,
    wealth,
};
use crate::types::{CardText, GhostBoardKey, MetadataSubject, SetMeta};
use crate::weights::{MeasuredWeight, by_name};
use crate::{ActiveGame, Call, Event, SetDeposits, Stage};

/// All accounts of a history: the pool of a set that is gone has nothing.
fn accounts(n_players: u32) -> impl Iterator<Item = AccountId> {
    let pools = crate::Sets::<Test>::iter_keys().map(AutoBattle::pool_account);
    (1..=n_players.into()).chain([TREASURY, CREATOR]).chain(pools)
}

/// What all accounts have. Money that went anywhere else would be missing here.
fn all_money(n_players: u32) -> Balance {
    accounts(n_players).map(wealth).sum()
}

/// Forgets what was deleted, which makes everything slower until then.
fn tidy_up(ext: BasicExternalities) -> BasicExternalities {
    BasicExternalities::new(ext.into_storages())
}

/// All money that is held, for whatever reason.
fn all_held() -> Balance {
    frame_system::Account::<Test>::iter_values().map(|it| it.data.reserved).sum()
}

/// All money that the pallet has a reason to hold.
fn all_bonds_and_deposits() -> Balance {
    let bonds: Balance = ActiveGame::<Test>::iter_values().map(|it| it.bond).sum();
    let deposits: Balance = SetDeposits::<Test>::iter_values().map(|it| it.1).sum();
    bonds + deposits
}

fn any_result(rng: &mut Rng) -> BattleResult {
    [BattleResult::Victory, BattleResult::Defeat, BattleResult::Draw][rng.below(3) as usize]
}

fn any_action(rng: &mut Rng) -> ShopAction {
    let slot = rng.below(6) as u8;
    match rng.below(5) {
        0 => ShopAction::PitchShopCard { slot },
        1 => ShopAction::BuyCard { slot },
        2 => ShopAction::ToggleFreeze { slot },
        3 => ShopAction::SwapBoard { a: slot, b: rng.below(6) as u8 },
        _ => ShopAction::PitchBoardUnit { slot },
    }
}

/// Mostly the same, so that players meet.
fn any_game(rng: &mut Rng) -> Call<Test> {
    let set_hash = if rng.below(4) > 0 { crate::starter_set_hash().into() } else { any_set(rng) };
    Call::start_game { set_hash }
}

fn any_set(rng: &mut Rng) -> H256 {
    let sets: Vec<_> = crate::Sets::<Test>::iter_keys().collect();
    pick(rng, &sets).unwrap_or_default()
}

fn any_card(rng: &mut Rng) -> auto_battle::CardHash {
    let cards: Vec<_> = crate::Cards::<Test>::iter_keys().collect();
    pick(rng, &cards).unwrap_or_default()
}

fn any_key(rng: &mut Rng) -> GhostBoardKey {
    let keys: Vec<_> = crate::GhostRings::<Test>::iter_keys().take(8).collect();
    let none = GhostBoardKey { set_hash: H256::zero(), round: 1, wins: 0, losses: 0 };
    pick(rng, &keys).unwrap_or(none)
}

/// Every other account plays well and tells the truth, so that runs are won too.
fn is_honest(who: AccountId) -> bool {
    who.is_multiple_of(2)
}

/// Every fourth account plays for nothing but the prize.
fn is_devoted(who: AccountId) -> bool {
    who.is_multiple_of(4)
}

/// What a player does in a whole turn.
fn any_turn(who: AccountId, rng: &mut Rng) -> Call<Test> {
    let shop = AutoBattle::view_session(&who).filter(|it| it.stage == Stage::Shop);
    if is_honest(who) && shop.is_some() {
        return Call::play_turn { actions: plan(who) };
    }
    let actions: Vec<_> = (0..rng.below(3)).map(|_| any_action(rng)).collect();
    Call::play_turn { actions: actions.try_into().unwrap() }
}

fn any_report(who: AccountId, rng: &mut Rng) -> Call<Test> {
    let is_known = AutoBattle::view_battle(&who).is_some();
    let result = if is_honest(who) && is_known { truth(who) } else { any_result(rng) };
    Call::report_outcome { result }
}

fn any_new_set(rng: &mut Rng) -> Call<Test> {
    let cards: Vec<_> = crate::Cards::<Test>::iter_keys().take(6).collect();
    let cards = cards.iter().map(|&card_hash| SetCard { card_hash, rarity: rng.below(2) as u8 });
    let cards: Vec<_> = cards.collect();
    Call::create_set { cards: cards.try_into().unwrap(), metadata: SetMeta::default() }
}

/// What carries the run of an account on.
fn next_call(who: AccountId, rng: &mut Rng) -> Call<Test> {
    match ActiveGame::<Test>::get(who).map(|it| it.stage) {
        None => any_game(rng),
        Some(Stage::Dealing(_) | Stage::Shop) => any_turn(who, rng),
        Some(Stage::Battle { .. }) if is_late(who) => any_late_report(who),
        Some(Stage::Battle { .. }) => any_report(who, rng),
        Some(Stage::Over(_)) => any_claim(who, rng),
    }
}

/// A claim, now and then for more than the pool may have.
fn any_claim(who: AccountId, rng: &mut Rng) -> Call<Test> {
    let run = ActiveGame::<Test>::get(who).map_or(1, |it| it.run);
    let min = if rng.below(8) == 0 { 20 * UNIT } else { 0 };
    Call::claim_prize { run, min }
}

fn is_late(who: AccountId) -> bool {
    ActiveGame::<Test>::get(who).is_some_and(|it| AutoBattle::is_report_late(&it))
}

fn any_late_report(target_player: AccountId) -> Call<Test> {
    let run = ActiveGame::<Test>::get(target_player).map_or(1, |it| it.run);
    Call::report_late { target_player, run }
}

fn any_display(rng: &mut Rng) -> Call<Test> {
    let set_hash = any_set(rng);
    let cards = crate::Sets::<Test>::get(set_hash).map(|it| it.cards.to_vec()).unwrap_or_default();
    let card_hash = pick(rng, &cards).map(|it| it.card_hash).unwrap_or_default();
    let text = (rng.below(2) == 0).then(CardText::default);
    Call::update_set_display { set_hash, card_hash, text }
}

fn any_subject(rng: &mut Rng) -> MetadataSubject {
    if rng.below(2) == 0 { MetadataSubject::Set(any_set(rng)) } else { MetadataSubject::Card(any_card(rng)) }
}

/// Any call, whether it makes sense or not.
fn any_call(who: AccountId, rng: &mut Rng, n_players: u32) -> Call<Test> {
    let somebody = u64::from(rng.below(n_players)) + 1;
    let slot = rng.below(6) as u8;
    let card = Card { attack: rng.below(20) as i32, ..Card::default() };
    match rng.below(23) {
        0 => any_game(rng),
        1 => Call::pitch_shop_card { index: slot },
        2 => Call::buy_card { shop_index: slot },
        3 => Call::toggle_freeze { shop_index: slot },
        4 => Call::swap_board { a: slot, b: rng.below(6) as u8 },
        5 => Call::pitch_board_unit { slot },
        6 => Call::end_turn {},
        7 => any_report(who, rng),
        8 => {
            let run = ActiveGame::<Test>::get(somebody).map_or(1, |it| it.run);
            Call::dispute_battle { target_player: somebody, run, round: rng.below(12) + 1 }
        }
        // Else few runs would come to anything.
        9 if rng.below(4) > 0 => next_call(who, rng),
        9 => Call::forfeit {},
        10 => Call::register_card { card_data: card, metadata: CardText::default() },
        11 => any_new_set(rng),
        12 => Call::remove_set { set_hash: any_set(rng) },
        13 => Call::update_set_metadata { set_hash: any_set(rng), metadata: SetMeta::default() },
        14 => Call::update_card_metadata { card_hash: any_card(rng), metadata: CardText::default() },
        15 => Call::clean_ghost_boards { key: any_key(rng), older_than: rng.below(20).into() },
        16 => any_claim(who, rng),
        17 => any_turn(who, rng),
        18 => any_late_report(somebody),
        19 => Call::give_to_pool { set_hash: any_set(rng), amount: u128::from(rng.below(20)) * UNIT / 10 },
        20 => any_display(rng),
        21 => Call::hide_metadata { subject: any_subject(rng), hidden: rng.below(2) == 0 },
        _ => Call::expire_game { target: somebody },
    }
}

/// The account that calls: the owner where only the owner may, or just somebody.
fn any_caller(call: &Call<Test>, who: AccountId, rng: &mut Rng) -> AccountId {
    let is_owner = rng.below(2) == 0;
    let owner = match call {
        Call::remove_set { set_hash }
        | Call::update_set_metadata { set_hash, .. }
        | Call::update_set_display { set_hash, .. } => crate::Sets::<Test>::get(set_hash).map(|it| it.creator),
        Call::update_card_metadata { card_hash, .. } => {
            crate::CardMetadata::<Test>::get(card_hash).map(|it| it.creator)
        }
        _ => None,
    };
    owner.filter(|_| is_owner).unwrap_or(who)
}

/// Runs cost more than they bring, so the treasury, or else the pool of the starter set, sets up an
/// account that has nothing left.
fn help_somebody(rng: &mut Rng, n_players: u32) {
    let who = u64::from(rng.below(n_players)) + 1;
    if Balances::free_balance(who) > 40 * UNIT {
        return;
    }
    let pool = AutoBattle::pool_account(starter_set_hash());
    let richest = [TREASURY, pool].into_iter().max_by_key(|it| Balances::free_balance(it)).unwrap();
    let help = Balances::transfer_keep_alive(signed(richest), who, 100 * UNIT);
    if help.is_ok() && richest == pool {
        // As if this had been won.
        crate::PoolFees::<Test>::mutate(starter_set_hash(), |it| *it = it.saturating_sub(100 * UNIT));
    }
    // There is as much money as ever, so one of them has some unless the players have it all.
    assert!(help.is_ok() || Balances::free_balance(richest) < 101 * UNIT);
}

/// What came of many calls.
#[derive(Default)]
struct Tally {
    accepted: std::collections::BTreeMap<&'static str, u32>,
    n_prizes: u32,
}

impl Tally {
    /// Carries a call out and looks at everything that must hold after it.
    fn dispatch(&mut self, who: AccountId, call: Call<Test>, shown: &str) {
        let name = call.get_call_name();
        let call = RuntimeCall::AutoBattle(call);
        let info = call.get_dispatch_info();
        let is_moderation = matches!(call, RuntimeCall::AutoBattle(Call::hide_metadata { .. }));
        let origin = if is_moderation { RuntimeOrigin::root() } else { signed(who) };
        let done = call.dispatch(origin);
        let internal = done.is_err_and(|it| !matches!(it.error, DispatchError::Module(_)));
        assert!(!internal, "failed inside: {shown}");
        // Where a call says that it took more than it declared, that is cut off: look at what it says.
        let says = done.unwrap_or_else(|it| it.post_info).actual_weight;
        let declared = extract_actual_weight(&Ok(Default::default()), &info);
        assert!(says.is_none_or(|it| it.all_lte(declared)), "{says:?} of {declared:?}: {shown}");
        *self.accepted.entry(name).or_default() += u32::from(done.is_ok());
    }

    /// Finishes a block in which everything holds, and starts the next.
    fn end_block(&mut self, shown: &str) {
        let checked = AutoBattle::do_try_state();
        assert!(checked.is_ok(), "after {shown}: {checked:?}");
        assert_eq!(all_held(), all_bonds_and_deposits(), "after {shown}");
        let is_prize = |it: &RuntimeEvent| matches!(it, RuntimeEvent::AutoBattle(Event::GameWon { .. }));
        self.n_prizes += System::events().iter().filter(|it| is_prize(&it.event)).count() as u32;
        next_block();
    }
}

/// How many calls happen between two tidyings.
const CALLS_PER_TIDYING: u32 = 1_000;

fn live_through(history: u64, n_calls: u32, n_players: u32) -> Tally {
    let mut rng = choices(history);
    let mut tally = Tally::default();
    let mut ext = new_long_ext(n_players.into(), history);
    meet_easy_opponents();
    let total = ext.execute_with(|| all_money(n_players));
    for number in 0..n_calls {
        ext.execute_with(|| {
            let shown = act(&mut rng, &mut tally, n_players);
            assert_eq!(all_money(n_players), total, "call {number}: {shown}");
            // A player does about one thing in a block.
            if rng.below(n_players) == 0 {
                tally.end_block(&shown);
                sometimes_let_deadlines_pass(&mut rng);
            }
            if rng.below(n_players / 4) == 0 {
                help_somebody(&mut rng, n_players);
            }
        });
        if number % CALLS_PER_TIDYING == 0 {
            ext = tidy_up(ext);
        }
    }
    tally
}

/// Now and then nobody does anything until reports are late.
fn sometimes_let_deadlines_pass(rng: &mut Rng) {
    if rng.below(200) == 0 {
        // For some only until they are late, for some until they expire.
        pass_blocks(if rng.below(2) == 0 { 21 } else { 41 });
    }
}

/// What somebody does next: mostly what carries the own run on.
fn any_sensible_call(rng: &mut Rng, n_players: u32) -> (AccountId, Call<Test>) {
    let who = u64::from(rng.below(n_players)) + 1;
    // Nonsense in the middle of a run does not win it: some accounts never do any.
    let is_sensible = is_devoted(who) || rng.below(if is_honest(who) { 16 } else { 2 }) != 1;
    let call = if is_sensible { next_call(who, rng) } else { any_call(who, rng, n_players) };
    (any_caller(&call, who, rng), call)
}

/// Lets somebody do something, and says what it was.
fn act(rng: &mut Rng, tally: &mut Tally, n_players: u32) -> String {
    let (who, call) = any_sensible_call(rng, n_players);
    let shown = format!("{call:?} by {who}");
    tally.dispatch(who, call, &shown);
    shown
}

/// A quarter of all calls, with accounts and a history of its own.
#[track_caller]
fn check(history: u64) -> Tally {
    let (n_calls, n_players) = if is_soak() { (250_000, 200) } else { (600, 12) };
    let tally = live_through(history, n_calls, n_players);
    let Tally { accepted, n_prizes } = &tally;
    println!("{n_calls} calls: {n_prizes} prizes, accepted {accepted:?}");
    let n_accepted: u32 = accepted.values().sum();
    assert!(n_accepted > n_calls / 4, "only {n_accepted} of {n_calls} calls were accepted");
    // A short history cannot hold everything.
    let enough = n_calls / 10_000;
    for name in Call::<Test>::get_call_names() {
        let n_accepted = accepted.get(name).copied().unwrap_or(0);
        assert!(n_accepted >= enough, "{name} was accepted {n_accepted} times only");
    }
    tally
}

#[test]
fn a_first_history_keeps_all_its_money() {
    let Tally { n_prizes, .. } = check(5);
    // Few runs are won where everybody meets the ghosts of those who play well, and in some histories
    // none. In this one some are.
    assert!(n_prizes > 0 || !is_soak(), "no prize was paid");
}

#[test]
fn a_second_history_keeps_all_its_money() {
    check(6);
}

#[test]
fn a_third_history_keeps_all_its_money() {
    check(7);
}

#[test]
fn a_fourth_history_keeps_all_its_money() {
    check(8);
}

/// The keys of the system that every block has anyway, which weights leave out, with their paths.
const KNOWN_BYTES: u64 = 8 * 4_000;

/// Fills the maps of accounts and runs with entries that nobody asks for, as after years of play.
fn crowd(n_entries: u32) {
    let map = |pallet: &str, item: &str| [twox_128(pallet.as_bytes()), twox_128(item.as_bytes())].concat();
    let maps = [map("System", "Account"), map("AutoBattle", "ActiveGame"), map("AutoBattle", "BattleProofs")];
    for (number, prefix) in (0..n_entries).zip(maps.iter().cycle()) {
        let place = blake2_256(&number.to_le_bytes());
        unhashed::put_raw(&[&prefix[..], &place].concat(), &place);
    }
}

/// A database in which only writing costs something.
struct Writes;

impl Get<RuntimeDbWeight> for Writes {
    fn get() -> RuntimeDbWeight {
        RuntimeDbWeight { read: 0, write: 1 }
    }
}

/// How many entries a call may write by its weight.
fn declared_writes(call: &str) -> u64 {
    let name = match call {
        "pitch_shop_card" | "buy_card" | "toggle_freeze" | "swap_board" | "pitch_board_unit" => "shop_action",
        "end_turn" => "play_turn",
        _ => call,
    };
    let writes = |name| {
        let [all, others] = [by_name::<MeasuredWeight<Writes>>(name, 1), by_name::<MeasuredWeight<()>>(name, 1)];
        all.unwrap().ref_time() - others.unwrap().ref_time()
    };
    match name {
        // Charged is whichever is more.
        "claim_prize" => writes(name).max(writes("claim_of_liar")),
        _ => writes(name),
    }
}

/// How many entries were written since the last commit, without those that every block writes anyway.
fn n_written(ext: &TestState) -> u64 {
    let (system, accounts) = (twox_128(b"System"), twox_128(b"Account"));
    // Keys that begin with a colon are those of the storage itself.
    let is_known = |key: &[u8]| key.starts_with(b":") || key.starts_with(&system) && key[16..32] != accounts;
    ext.overlayed_changes().changes().filter(|(key, _)| !is_known(key)).count() as u64
}

/// Settling with money in the pool writes the most, which histories seldom come to.
#[test]
fn closing_a_full_pool_writes_no_more_than_is_declared() {
    let mut ext = new_test_ext(10, 1);
    let set_hash = ext.execute_with(|| {
        let set_hash = super::prize_pools::make_champion_set(1);
        AutoBattle::give_to_pool(signed(2), set_hash, UNIT).unwrap();
        set_hash
    });
    ext.commit_all().unwrap();
    ext.execute_with(|| AutoBattle::remove_set(signed(1), set_hash).unwrap());
    let (written, declared) = (n_written(&ext), declared_writes("remove_set"));
    assert!(written <= declared, "{written} writes of {declared}");
}

/// A claim that finds a lie leaves a trail, which one that pays does not; in the longest run, as the last
/// of a removed set, that is the most it can write.
#[test]
fn a_claim_that_finds_a_lie_writes_no_more_than_is_declared() {
    let mut ext = new_test_ext(10, 1);
    ext.execute_with(|| {
        let cards: Vec<_> = crate::starter_set().into_iter().map(|it| (it.card_hash, it.rarity + 1)).collect();
        let set_hash = super::prize_pools::make_set(1, &cards);
        super::start_with(2, set_hash);
        // An empty board never draws.
        while !matches!(ActiveGame::<Test>::get(2).unwrap().stage, Stage::Over(_)) {
            AutoBattle::end_turn(signed(2)).unwrap();
            pass_blocks(2);
            AutoBattle::report_outcome(signed(2), BattleResult::Draw).unwrap();
        }
        AutoBattle::remove_set(signed(1), set_hash).unwrap();
    });
    ext.commit_all().unwrap();
    ext.execute_with(|| {
        AutoBattle::claim_prize(signed(2), 1, 0).unwrap();
        assert!(
            System::events()
                .iter()
                .any(|it| { matches!(it.event, RuntimeEvent::AutoBattle(Event::SetRemoved { .. })) })
        );
    });
    let (written, declared) = (n_written(&ext), declared_writes("claim_prize"));
    assert!(written <= declared, "{written} writes of {declared}");
}

#[test]
fn no_call_proves_or_writes_more_than_it_declares_in_a_trie_full_of_others() {
    let (n_calls, n_entries) = if is_soak() { (20_000, 1_000_000) } else { (120, 20_000) };
    let (n_players, mut rng, mut tally) = (12, choices(9), Tally::default());
    let mut ext = new_test_ext(n_players.into(), 9);
    meet_easy_opponents();
    ext.execute_with(|| crowd(n_entries));
    let mut largest = 0;
    for number in 0..n_calls {
        let (who, call) = ext.execute_with(|| {
            if number % 8 == 7 {
                next_block();
            }
            any_sensible_call(&mut rng, n_players)
        });
        ext.commit_all().unwrap();
        let declared = RuntimeCall::AutoBattle(call.clone()).get_dispatch_info().call_weight.proof_size();
        let (name, shown) = (call.get_call_name(), format!("{call:?} by {who}"));
        let ((), proof) = ext.execute_and_prove(|| tally.dispatch(who, call, &shown));
        let bytes = proof.encoded_size() as u64;
        assert!(bytes <= declared + KNOWN_BYTES, "{bytes} bytes of {declared}: {shown}");
        let (written, declared) = (n_written(&ext), declared_writes(name));
        assert!(written <= declared, "{written} writes of {declared}: {shown}");
        largest = largest.max(bytes);
    }
    println!("{n_calls} calls, the largest proof has {largest} bytes, accepted {:?}", tally.accepted);
    assert!(tally.accepted.values().sum::<u32>() > n_calls / 4);
}
