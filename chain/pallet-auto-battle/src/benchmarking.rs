//! Benchmarks of every call, each in the worst state it can meet.
//!
//! `cargo xtask chain-weights` runs them and writes `weights.rs`.

use alloc::vec;
use alloc::vec::Vec;

use auto_battle::{
    ABILITIES_MAX, Ability, BattleResult, BoardUnit, Bounded, Card, CardIndex, CardLink, Condition, ConditionNode,
    Effect, POOL_CARDS_MAX, Pool, RULES_VERSION, STEPS_MAX, SavedBattle, SavedBoard, SetCard, ShopAction, Trigger,
};
use codec::Decode as _;
use frame::benchmarking::prelude::*;
use frame::token::fungible::{Inspect as _, Mutate as _};

use crate::types::{
    AccountIdOf, BattleProof, CardOnChain, CardText, DrawnValue, Ending, GHOSTS_MAX, GhostBoardKey, MetadataSubject,
    ReportedResults, SetMeta, Stage, Text,
};
use crate::{
    ActiveGame, BattleProofs, Call, CardMetadata, Cards, Config, DepartedGhosts, DrawnValues, GHOSTS_PER_CLEANING,
    GhostOwners, GhostRings, HiddenMetadata, HoldReason, LastBattleProof, LiarTrails, Pallet, PoolFees, SetDisplays,
    SetMetadata, Sets,
};

/// A legal battle that would go on and on; it ends at the limit of steps.
const WORST: &[u8] = include_bytes!("../../../crates/auto-battle/tests/data/worst.bin");

/// The cards of the worst battle: those that can be spawned, and two boards.
fn worst_cards() -> (Vec<Card>, Vec<Card>, Vec<Card>, u64) {
    type File = (Bounded<Card, POOL_CARDS_MAX>, Bounded<Card, 5>, Bounded<Card, 5>, u64);
    let (tokens, player, enemy, seed) = File::decode(&mut &*WORST).unwrap_or_default();
    (tokens.to_vec(), player.to_vec(), enemy.to_vec(), seed)
}

/// A card with as many bytes as a card can have, which costs nothing: every ability spawns a plain
/// card, under the longest condition.
fn filler(number: u8) -> CardOnChain {
    let leaf = ConditionNode::TargetHealthGreaterThan { value: 99 };
    let (and, or) = (ConditionNode::And, ConditionNode::Or);
    let condition = Condition::from_nodes(&[and, or, leaf, leaf, or, leaf, leaf]).expect("a tree of seven nodes");
    let effect = Effect::SpawnUnit { card: CardLink::Hash(plain().hash()) };
    let ability = Ability { trigger: Trigger::OnSpawn, effect, condition, max_triggers: Some(u32::MAX) };
    let abilities = Bounded::try_from_iter([ability; ABILITIES_MAX]).unwrap_or_default();
    Card { attack: i32::from(number), play_cost: 0, pitch_value: 1, abilities, ..Card::default() }
}

/// A card without abilities, which the others spawn.
fn plain() -> CardOnChain {
    Card { attack: 99, play_cost: 0, pitch_value: 1, ..Card::default() }
}

/// A set of 64 cards with the worst battle's among them, and that battle on its cards.
fn worst_set<T: Config>() -> (H256, SavedBattle) {
    let (tokens, player, enemy, seed) = worst_cards();
    let n_tokens = tokens.len();
    let all: Vec<Card> = tokens.into_iter().chain(player).chain(enemy).collect();
    let pool = Pool::check(all).unwrap_or_default();
    let linked = pool.to_hash_links().unwrap_or_default();
    let fillers = core::iter::once(plain()).chain((0..).map(filler));
    let mut cards = Vec::new();
    for card in linked.iter().copied().chain(fillers) {
        if cards.len() < POOL_CARDS_MAX && !cards.contains(&card) {
            cards.push(card);
        }
        if cards.len() == POOL_CARDS_MAX {
            break;
        }
    }
    let set_hash = store_set::<T>(&cards);
    let info = Sets::<T>::get(set_hash).expect("the set was stored");
    let place = |card: &CardOnChain| {
        let found = info.cards.iter().position(|it| it.card_hash == card.hash()).unwrap_or(0);
        BoardUnit::Pool(CardIndex(found as u8))
    };
    let board =
        |cards: &[CardOnChain]| -> SavedBoard { Bounded::try_from_iter(cards.iter().map(place)).unwrap_or_default() };
    let (player, enemy) = linked.split_at(n_tokens).1.split_at(5);
    (set_hash, SavedBattle { player: board(player), enemy: board(enemy), seed })
}

fn store_set<T: Config>(cards: &[CardOnChain]) -> H256 {
    let creator = rich::<T>("creator", 0);
    for card in cards {
        let meta = crate::cards::describe::<T>(creator.clone(), Pallet::<T>::now(), long_text());
        Pallet::<T>::store_card(card.hash(), card, meta);
    }
    let set = cards.iter().map(|it| SetCard { card_hash: it.hash(), rarity: u8::from(it.play_cost == 0) });
    let checked = Pallet::<T>::check_set(set.collect()).ok().expect("the cards make a set");
    let set_hash = H256(checked.set.hash());
    if Sets::<T>::contains_key(set_hash) {
        return set_hash;
    }
    let deposit = T::SetDeposit::get();
    Pallet::<T>::hold(HoldReason::SetDeposit, &creator, deposit).expect("the creator is rich");
    Pallet::<T>::store_set(creator, &checked, long_set_text(), deposit);
    set_hash
}

/// Closes a set for new runs, so that its last run takes it along when it goes.
fn delist<T: Config>(set_hash: H256) {
    Sets::<T>::mutate(set_hash, |it| it.as_mut().expect("the set was stored").delisted = true);
}

fn long_text() -> CardText {
    CardText { name: long(), description: long(), image_url: long() }
}

fn long_set_text() -> SetMeta {
    SetMeta { name: long(), description: long() }
}

fn long<const MAX: u32>() -> Text<MAX> {
    Text::truncate_from(vec![b'x'; MAX as usize])
}

/// An account that can pay for everything.
fn rich<T: Config>(name: &'static str, number: u32) -> AccountIdOf<T> {
    let who = account(name, number, 0);
    let prices = [T::EntryFee::get(), T::WinPrize::get(), T::Bond::get(), T::SetDeposit::get(), T::CardFee::get()];
    let sum = prices.into_iter().fold(T::Currency::minimum_balance(), |acc, it| acc.saturating_add(it));
    T::Currency::set_balance(&who, sum.saturating_mul(1_000_u32.into()));
    who
}

/// Who makes the sets of the benchmarks.
fn creator<T: Config>() -> AccountIdOf<T> {
    account("creator", 0, 0)
}

/// Lives through as many blocks as are kept, of which only the last decides what was committed now:
/// the longest search for a value.
fn await_decision<T: Config>() {
    let commit = frame_system::Pallet::<T>::block_number();
    let n_blocks = T::RandomnessMemory::get().saturating_sub(2);
    let last: BlockNumberFor<T> = commit.saturating_add(n_blocks.into());
    for number in 1..=n_blocks {
        let block: BlockNumberFor<T> = commit.saturating_add(number.into());
        let known_since = if block == last { block } else { Zero::zero() };
        let drawn = DrawnValue { block, value: H256::repeat_byte(9), known_since };
        DrawnValues::<T>::insert(Pallet::<T>::slot_of(block), drawn);
    }
    frame_system::Pallet::<T>::set_block_number(last);
}

/// Lets a run's player have moved just now, however many blocks were passed for the search above.
fn refresh<T: Config>(who: &AccountIdOf<T>) {
    ActiveGame::<T>::mutate(who, |it| {
        let session = it.as_mut().expect("the run was started");
        session.moved_at = Pallet::<T>::clock();
        session.reported_at = Pallet::<T>::clock();
    });
}

fn pass_blocks<T: Config>(span: BlockNumberFor<T>) {
    let now = frame_system::Pallet::<T>::block_number();
    frame_system::Pallet::<T>::set_block_number(now.saturating_add(span).saturating_add(1_u32.into()));
}

/// A player whose run has begun, in a set of the largest size.
fn player<T: Config>() -> (AccountIdOf<T>, H256) {
    pass_blocks::<T>(Zero::zero());
    let (set_hash, _) = worst_set::<T>();
    let who = rich::<T>("player", 0);
    Pallet::<T>::do_start_game(who.clone(), set_hash).expect("a run can start");
    let pool = T::WinPrize::get().saturating_mul(2_u32.into());
    T::Currency::set_balance(&Pallet::<T>::pool_account(set_hash), pool);
    PoolFees::<T>::insert(set_hash, pool);
    await_decision::<T>();
    refresh::<T>(&who);
    (who, set_hash)
}

fn fill_board<T: Config>(who: &AccountIdOf<T>) {
    for slot in 0..5 {
        Pallet::<T>::do_shop_action(who.clone(), ShopAction::BuyCard { slot }).expect("these cards are free");
    }
}

fn first_key(set_hash: H256) -> GhostBoardKey {
    GhostBoardKey { set_hash, round: 1, wins: 0, losses: 0 }
}

/// Fills the ghosts of the first round.
fn haunt<T: Config>(set_hash: H256, n_ghosts: u8) {
    let board: SavedBoard = Bounded::try_from_iter([BoardUnit::default(); 5]).unwrap_or_default();
    for number in 0..n_ghosts {
        let owner: AccountIdOf<T> = account("ghost", number.into(), 0);
        Pallet::<T>::save_ghost(first_key(set_hash), &owner, 1, board);
    }
}

/// A run that has reported as many rounds as it can, `n_open` of them without a verdict; the last
/// of a set that goes with it.
fn reported<T: Config>(battle: SavedBattle, claimed_result: BattleResult, n_open: u32) -> AccountIdOf<T> {
    let (who, set_hash) = player::<T>();
    let n_reports = T::MaxRounds::get();
    ActiveGame::<T>::mutate(&who, |it| {
        let session = it.as_mut().expect("the run was started");
        session.results = ReportedResults::truncate_from(vec![claimed_result; n_reports as usize]);
        session.n_unverified = n_open;
        session.stage = Stage::Over(Ending::Won);
    });
    for round in 1..=n_reports {
        let proof = BattleProof {
            round,
            player_board: battle.player,
            opponent_board: battle.enemy,
            opponent: Some(who.clone()),
            seed: battle.seed,
            claimed_result,
            rules_version: RULES_VERSION,
            set_hash,
            reported_at: Pallet::<T>::now(),
            verified: round > n_open,
        };
        BattleProofs::<T>::insert((&who, 1, round), proof);
    }
    LastBattleProof::<T>::insert(&who, (1, n_reports));
    delist::<T>(set_hash);
    who
}

/// How the worst battle comes out; it needs its set to be there.
fn worst_result<T: Config>(battle: &SavedBattle) -> BattleResult {
    let (set_hash, _) = worst_set::<T>();
    let pool = Pallet::<T>::pool(set_hash).ok().expect("the set was stored");
    let verdict = crate::verdict(&pool, battle).expect("the boards are of the set");
    assert!(verdict.steps > STEPS_MAX, "this battle ends before the limit");
    verdict.result
}

fn another(result: BattleResult) -> BattleResult {
    match result {
        BattleResult::Draw => BattleResult::Victory,
        BattleResult::Victory | BattleResult::Defeat => BattleResult::Draw,
    }
}

#[benchmarks]
mod benchmarks {
    use super::*;

    #[benchmark]
    fn start_game() {
        let (set_hash, _) = worst_set::<T>();
        let who = rich::<T>("player", 0);
        #[extrinsic_call]
        _(RawOrigin::Signed(who.clone()), set_hash);
        assert!(ActiveGame::<T>::contains_key(who));
    }

    /// The first action of a run also deals its deck.
    #[benchmark]
    fn shop_action() {
        let (who, _) = player::<T>();
        #[extrinsic_call]
        pitch_shop_card(RawOrigin::Signed(who.clone()), 0);
        assert!(ActiveGame::<T>::get(who).is_some_and(|it| it.stage == Stage::Shop));
    }

    /// The first turn of a run deals its deck, and its board takes the place of the oldest of a hundred
    /// ghosts. `end_turn` is charged for the same.
    #[benchmark]
    fn play_turn(n: Linear<1, { T::MaxActions::get() }>) {
        let (who, set_hash) = player::<T>();
        haunt::<T>(set_hash, GHOSTS_MAX);
        let mut actions = vec![ShopAction::BuyCard { slot: 0 }; 1];
        actions.resize(n as usize, ShopAction::PitchShopCard { slot: 1 });
        // A deck may be shorter than a turn is long; swaps are always possible.
        for action in actions.iter_mut().skip(30) {
            *action = ShopAction::SwapBoard { a: 0, b: 1 };
        }
        let actions = BoundedVec::truncate_from(actions);
        #[extrinsic_call]
        _(RawOrigin::Signed(who.clone()), actions);
        assert!(ActiveGame::<T>::get(who).is_some_and(|it| matches!(it.stage, Stage::Battle { .. })));
    }

    #[benchmark]
    fn report_outcome() {
        let (who, set_hash) = player::<T>();
        haunt::<T>(set_hash, GHOSTS_MAX);
        fill_board::<T>(&who);
        Pallet::<T>::do_end_turn(who.clone()).expect("the turn can end");
        await_decision::<T>();
        refresh::<T>(&who);
        #[extrinsic_call]
        _(RawOrigin::Signed(who.clone()), BattleResult::Victory);
        assert!(BattleProofs::<T>::contains_key((who, 1, 1)));
    }

    /// The longest battle, a lie, at the end of the longest run.
    #[benchmark]
    fn dispute_battle() {
        let (_, battle) = worst_set::<T>();
        let lie = another(worst_result::<T>(&battle));
        let liar = reported::<T>(battle, lie, T::MaxRounds::get());
        let challenger = rich::<T>("challenger", 0);
        #[extrinsic_call]
        _(RawOrigin::Signed(challenger), liar.clone(), 1, 1);
        assert!(!ActiveGame::<T>::contains_key(liar));
    }

    /// The same with a battle that is over before it begins.
    #[benchmark]
    fn dispute_battle_least() {
        let empty = SavedBattle { player: Bounded::new(), enemy: Bounded::new(), seed: 1 };
        let liar = reported::<T>(empty, BattleResult::Victory, T::MaxRounds::get());
        let challenger = rich::<T>("challenger", 0);
        #[extrinsic_call]
        dispute_battle(RawOrigin::Signed(challenger), liar.clone(), 1, 1);
        assert!(!ActiveGame::<T>::contains_key(liar));
    }

    /// The last call of a claim: it fights `n` battles that are over before they begin, and pays.
    /// What battles weigh beyond that is the difference between the two disputes.
    #[benchmark]
    fn claim_prize(n: Linear<0, { T::RoundsPerClaim::get() }>) {
        let battle = SavedBattle { player: Bounded::new(), enemy: Bounded::new(), seed: 1 };
        let truth = BattleResult::Draw;
        let winner = reported::<T>(battle, truth, n);
        #[extrinsic_call]
        _(RawOrigin::Signed(winner.clone()), 1, Zero::zero());
        assert!(!ActiveGame::<T>::contains_key(winner));
    }

    /// A claim that fights one battle, which is over before it begins and was lied about.
    #[benchmark]
    fn claim_of_liar() {
        let empty = SavedBattle { player: Bounded::new(), enemy: Bounded::new(), seed: 1 };
        let liar = reported::<T>(empty, BattleResult::Victory, 1);
        #[extrinsic_call]
        claim_prize(RawOrigin::Signed(liar.clone()), 1, Zero::zero());
        assert!(!ActiveGame::<T>::contains_key(liar));
        assert_eq!(LiarTrails::<T>::iter().count(), 1);
    }

    #[benchmark]
    fn forfeit() {
        let empty = SavedBattle { player: Bounded::new(), enemy: Bounded::new(), seed: 1 };
        let who = reported::<T>(empty, BattleResult::Draw, 0);
        ActiveGame::<T>::mutate(&who, |it| {
            if let Some(session) = it {
                session.stage = Stage::Shop;
            }
        });
        #[extrinsic_call]
        _(RawOrigin::Signed(who.clone()));
        assert!(!ActiveGame::<T>::contains_key(who));
    }

    #[benchmark]
    fn expire_game() {
        let empty = SavedBattle { player: Bounded::new(), enemy: Bounded::new(), seed: 1 };
        let who = reported::<T>(empty, BattleResult::Draw, T::MaxRounds::get());
        pass_blocks::<T>(T::TurnDeadline::get());
        let caller = rich::<T>("caller", 0);
        #[extrinsic_call]
        _(RawOrigin::Signed(caller), who.clone());
        assert!(!ActiveGame::<T>::contains_key(who));
    }

    #[benchmark]
    fn register_card() {
        let who = rich::<T>("player", 0);
        let card = filler(7);
        #[extrinsic_call]
        _(RawOrigin::Signed(who), card, long_text());
        assert!(Cards::<T>::contains_key(card.hash()));
    }

    #[benchmark]
    fn update_card_metadata() {
        let who = rich::<T>("player", 0);
        let card = filler(7);
        Pallet::<T>::do_register_card(who.clone(), &card, CardText::default()).expect("the card is in bounds");
        #[extrinsic_call]
        _(RawOrigin::Signed(who), card.hash(), long_text());
        assert_eq!(CardMetadata::<T>::get(card.hash()).map(|it| it.name.len()), Some(64));
    }

    #[benchmark]
    fn create_set(n: Linear<1, 64>) {
        let who = rich::<T>("player", 0);
        let cards: Vec<_> = core::iter::once(plain()).chain((1..n as u8).map(filler)).collect();
        for card in &cards {
            let meta = crate::cards::describe::<T>(who.clone(), Pallet::<T>::now(), CardText::default());
            Pallet::<T>::store_card(card.hash(), card, meta);
        }
        let set = cards.iter().rev().map(|it| SetCard { card_hash: it.hash(), rarity: 1 });
        let set = BoundedVec::truncate_from(set.collect::<Vec<_>>());
        #[extrinsic_call]
        _(RawOrigin::Signed(who), set, long_set_text());
        assert_eq!(Sets::<T>::iter().filter(|(_, it)| it.cards.len() == n as usize).count(), 1);
    }

    /// A set without runs whose pool has something for the treasury.
    #[benchmark]
    fn remove_set() {
        let (set_hash, _) = worst_set::<T>();
        T::Currency::set_balance(&Pallet::<T>::pool_account(set_hash), T::WinPrize::get());
        let creator = creator::<T>();
        #[extrinsic_call]
        _(RawOrigin::Signed(creator), set_hash);
        assert!(!Sets::<T>::contains_key(set_hash));
        assert!(Pallet::<T>::prize_pool(set_hash).is_zero());
    }

    #[benchmark]
    fn update_set_metadata() {
        let (set_hash, _) = worst_set::<T>();
        let creator = creator::<T>();
        SetMetadata::<T>::insert(set_hash, SetMeta::default());
        #[extrinsic_call]
        _(RawOrigin::Signed(creator), set_hash, long_set_text());
        assert_eq!(SetMetadata::<T>::get(set_hash), Some(long_set_text()));
    }

    #[benchmark]
    fn clean_ghost_boards() {
        let (set_hash, _) = worst_set::<T>();
        haunt::<T>(set_hash, GHOSTS_MAX);
        pass_blocks::<T>(T::MinGhostAge::get());
        let caller = rich::<T>("caller", 0);
        #[extrinsic_call]
        _(RawOrigin::Signed(caller), first_key(set_hash), Zero::zero());
        let left = GhostRings::<T>::get(first_key(set_hash)).len();
        assert_eq!(left, usize::from(GHOSTS_MAX - GHOSTS_PER_CLEANING));
    }

    /// A battle that is over before it begins, at the end of a turn that met a hundred ghosts.
    #[benchmark]
    fn report_late() {
        let (who, set_hash) = player::<T>();
        haunt::<T>(set_hash, GHOSTS_MAX);
        Pallet::<T>::do_end_turn(who.clone()).expect("the turn can end");
        await_decision::<T>();
        ActiveGame::<T>::mutate(&who, |it| {
            let late = Pallet::<T>::clock().saturating_sub(T::ReportDeadline::get()).saturating_sub(1_u32.into());
            it.as_mut().expect("the run was started").moved_at = late;
        });
        let caller = rich::<T>("caller", 0);
        #[extrinsic_call]
        _(RawOrigin::Signed(caller), who.clone(), 1);
        assert!(BattleProofs::<T>::get((who, 1, 1)).is_some_and(|it| it.verified));
    }

    #[benchmark]
    fn give_to_pool() {
        let (set_hash, _) = worst_set::<T>();
        let who = rich::<T>("player", 0);
        #[extrinsic_call]
        _(RawOrigin::Signed(who), set_hash, T::WinPrize::get());
        assert_eq!(Pallet::<T>::prize_pool(set_hash), T::WinPrize::get());
    }

    /// The last card of a set of the largest size gets texts, when all others have theirs.
    #[benchmark]
    fn update_set_display() {
        let (set_hash, _) = worst_set::<T>();
        let cards = Sets::<T>::get(set_hash).expect("the set was stored").cards;
        let creator = creator::<T>();
        for card in cards.iter().skip(1) {
            let text = Some(long_text());
            Pallet::<T>::do_update_set_display(&creator, set_hash, card.card_hash, text).expect("the card is there");
        }
        let card_hash = cards.first().expect("the set has cards").card_hash;
        #[extrinsic_call]
        _(RawOrigin::Signed(creator), set_hash, card_hash, Some(long_text()));
        assert_eq!(SetDisplays::<T>::get(set_hash).len(), cards.len());
    }

    #[benchmark]
    fn hide_metadata() {
        let (set_hash, _) = worst_set::<T>();
        let subject = MetadataSubject::Set(set_hash);
        let origin = T::ModerationOrigin::try_successful_origin().expect("there are moderators");
        #[extrinsic_call]
        _(origin as T::RuntimeOrigin, subject, true);
        assert!(HiddenMetadata::<T>::contains_key(subject));
    }

    #[benchmark]
    fn on_initialize() {
        pass_blocks::<T>(Zero::zero());
        #[block]
        {
            Pallet::<T>::keep_drawn_value();
        }
        assert!(DrawnValues::<T>::contains_key(Pallet::<T>::slot_of(Pallet::<T>::now())));
    }

    /// A liar's ghost is taken from the middle of a full ring.
    #[benchmark]
    fn sweep_step() {
        let empty = SavedBattle { player: Bounded::new(), enemy: Bounded::new(), seed: 1 };
        let who = reported::<T>(empty, BattleResult::Victory, T::MaxRounds::get());
        let session = ActiveGame::<T>::get(&who).expect("the run was started");
        haunt::<T>(session.set_hash, GHOSTS_MAX / 2);
        let board: SavedBoard = Bounded::try_from_iter([BoardUnit::default(); 5]).unwrap_or_default();
        Pallet::<T>::save_ghost(first_key(session.set_hash), &who, session.run, board);
        for number in GHOSTS_MAX / 2..GHOSTS_MAX - 1 {
            let owner: AccountIdOf<T> = account("ghost", number.into(), 0);
            Pallet::<T>::save_ghost(first_key(session.set_hash), &owner, 1, board);
        }
        Pallet::<T>::leave_trail(&who, &session);
        #[block]
        {
            Pallet::<T>::sweep_step();
        }
        assert_eq!(GhostOwners::<T>::get(first_key(session.set_hash), &who), None);
        assert_eq!((DepartedGhosts::<T>::iter().count(), LiarTrails::<T>::iter().count()), (1, 1));
    }

    impl_benchmark_test_suite!(Pallet, crate::mock::new_test_ext(10, 1), crate::mock::Test);
}
