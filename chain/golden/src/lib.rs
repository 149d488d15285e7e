//! The golden battles and runs, put to a runtime wherever it runs: in a wasm machine, in a node.
//!
//! A runtime is whatever answers calls of its API. Its answers must be those of the same code run
//! natively, to the bit, and those of the golden files.

use auto_battle::json::Lines;
use auto_battle::{BattleResult, Rejection, Rng, RunStep, ShopAction, fight_builtin, starter_deck, starter_pool};
use codec::{Decode as _, Encode as _};
use pallet_auto_battle::{GameState, Verdict, verdict};
use serde_json::Value;

const BATTLES: &str = include_str!("../../../crates/auto-battle/tests/data/battles.jsonl");
const RUNS: &str = include_str!("../../../crates/auto-battle/tests/data/runs.jsonl");

/// Calls a method of the runtime with encoded arguments.
pub type Runtime<'a> = dyn FnMut(&str, &[u8]) -> Vec<u8> + 'a;

/// Checks every golden battle: result, random stream, and the hash of all events.
pub fn check_battles(runtime: &mut Runtime<'_>) -> usize {
    let lines = Lines::new();
    for (number, line) in BATTLES.lines().enumerate() {
        let golden = parse(line);
        let (pool, battle) = lines.saved_battle(line.as_bytes()).expect("golden lines are battles");
        let answer = runtime("AutoBattleApi_verdict", &(&pool, &battle).encode());
        assert_eq!(answer, verdict(&pool, &battle).encode(), "battle {number} differs from the native one");
        let answer = Option::<Verdict>::decode(&mut &answer[..]).ok().flatten().expect("a verdict");
        assert_eq!(name(answer.result), golden["result"], "battle {number}");
        assert_eq!(answer.rng_next, golden["rngNext"], "battle {number}");
    }
    BATTLES.lines().count()
}

/// Checks every golden run, state by state.
pub fn check_runs(runtime: &mut Runtime<'_>) -> usize {
    for (number, line) in RUNS.lines().enumerate() {
        check_run(runtime, number, &parse(line));
    }
    RUNS.lines().count()
}

fn check_run(runtime: &mut Runtime<'_>, number: usize, golden: &Value) {
    let mut deck = starter_deck();
    Rng::from_seed(auto_battle::LOCAL_DECK_SEED).shuffle(&mut deck);
    let mut state = GameState::new(deck).expect("the starter deck fits");
    let actions = golden["actions"].as_array().expect("a run has actions");
    let states = golden["states"].as_array().expect("a run has states");
    compare(&state, &states[0], number, 0);
    for (step_number, (action, expected)) in (1..).zip(actions.iter().zip(&states[1..])) {
        let mut is_ok = true;
        for step in steps(&state, action) {
            match try_step(runtime, &state, step) {
                Ok(next) => state = next,
                Err(_) => is_ok = false,
            }
        }
        assert_eq!(is_ok, expected["ok"], "step {step_number} of run {number}");
        compare(&state, expected, number, step_number);
    }
}

/// Asks the runtime what becomes of a run, and compares with what becomes of it here.
fn try_step(runtime: &mut Runtime<'_>, state: &GameState, step: RunStep) -> Result<GameState, Rejection> {
    let pool = starter_pool();
    let answer = runtime("AutoBattleApi_try_step", &(&pool, state, step).encode());
    let mut native = state.clone();
    let native = native.step(&pool, step).map(|()| native);
    assert_eq!(answer, native.encode(), "a step differs from the native one");
    native
}

/// What a golden action means: a local run fights as soon as its turn ends.
fn steps(state: &GameState, action: &Value) -> Vec<RunStep> {
    let index = |place: usize| action[place].as_u64().map_or(u8::MAX, |it| u8::try_from(it).unwrap_or(u8::MAX));
    let act = |it| vec![RunStep::Act(it)];
    match action[0].as_str().expect("an action has a name") {
        "pitch_shop" => act(ShopAction::PitchShopCard { slot: index(1) }),
        "buy" => act(ShopAction::BuyCard { slot: index(1) }),
        "freeze" => act(ShopAction::ToggleFreeze { slot: index(1) }),
        "swap" => act(ShopAction::SwapBoard { a: index(1), b: index(2) }),
        "pitch_board" => act(ShopAction::PitchBoardUnit { slot: index(1) }),
        "end_turn" => end_turn(state),
        "continue" => vec![RunStep::Continue],
        other => panic!("no such action: {other}"),
    }
}

fn end_turn(state: &GameState) -> Vec<RunStep> {
    let mut ended = state.clone();
    match ended.end_turn() {
        Ok(pending) => {
            let result = fight_builtin(&starter_pool(), &pending, &mut auto_battle::NoEvents);
            vec![RunStep::EndTurn, RunStep::Report(result)]
        }
        Err(_) => vec![RunStep::EndTurn],
    }
}

fn compare(state: &GameState, expected: &Value, number: usize, step: usize) {
    let place = format!("state {step} of run {number}");
    let ids = |cards: Vec<Option<auto_battle::RunCard>>| -> Vec<Value> {
        cards.into_iter().map(|it| it.map_or(Value::Null, |it| it.id.into())).collect()
    };
    let phase = serde_json::to_value(state.phase()).expect("a phase has a name");
    assert_eq!(phase, expected["phase"], "{place}");
    assert_eq!(state.mana(), expected["mana"], "{place}");
    assert_eq!(state.mana_limit(), expected["manaLimit"], "{place}");
    assert_eq!(state.round(), expected["round"], "{place}");
    assert_eq!(state.lives(), expected["lives"], "{place}");
    assert_eq!(state.wins(), expected["wins"], "{place}");
    assert_eq!(state.deck().len(), expected["deckSize"], "{place}");
    assert_eq!(Value::from(ids(state.board().to_vec())), expected["board"], "{place}");
    let shop = state.shop().iter().map(|it| Value::from(vec![ids(vec![it.card])[0].clone(), it.frozen.into()]));
    assert_eq!(Value::from(shop.collect::<Vec<_>>()), expected["shop"], "{place}");
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).expect("golden files are JSON")
}

fn name(result: BattleResult) -> Value {
    serde_json::to_value(result).expect("a result has a name")
}
