//! The rules as a wasm module for JavaScript.
//!
//! A page gives it two answers of a node, byte by byte, exactly as the node sent them: that of
//! `AutoBattleApi_pool` and that of `AutoBattleApi_pending_battle`. It fights the battle and says how it
//! comes out, so the page reports what it has computed itself: boards and seed are what the node says, the
//! outcome is not.

use std::cell::RefCell;

use auto_battle::{BattleResult, Pool, SavedBattle};
use codec::Decode;

/// The answer of `AutoBattleApi_pending_battle` up to the battle: the run, the round, the battle.
type PendingBattle = Option<(u32, u32, SavedBattle)>;

/// What [`judge`] gives where there is no battle to fight.
const NOTHING: i32 = -1;

thread_local! {
    static ANSWERS: RefCell<[Vec<u8>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// Forgets the answers that were given.
#[unsafe(no_mangle)]
pub extern "C" fn clear() {
    ANSWERS.with_borrow_mut(|it| *it = Default::default());
}

/// Takes one more byte of an answer: 0 is that about the pool, 1 that about the battle.
#[unsafe(no_mangle)]
pub extern "C" fn put(which: u32, byte: u32) {
    ANSWERS.with_borrow_mut(|it| {
        if let Some(answer) = usize::try_from(which).ok().and_then(|which| it.get_mut(which)) {
            answer.push(byte as u8);
        }
    });
}

/// Fights the battle: 0 is a victory, 1 a defeat, 2 a draw, -1 that the answers have no battle.
#[unsafe(no_mangle)]
pub extern "C" fn judge() -> i32 {
    ANSWERS.with_borrow(|[pool, battle]| result_of(pool, battle)).map_or(NOTHING, |it| match it {
        BattleResult::Victory => 0,
        BattleResult::Defeat => 1,
        BattleResult::Draw => 2,
    })
}

fn result_of(mut pool: &[u8], mut battle: &[u8]) -> Option<BattleResult> {
    let pool = Option::<Pool>::decode(&mut pool).ok()??;
    let (_, _, battle) = PendingBattle::decode(&mut battle).ok()??;
    battle.judge(&pool).ok().map(|it| it.result)
}

#[cfg(test)]
mod tests {
    use auto_battle::{BoardUnit, Bounded, CardIndex, SavedBattle, SavedBoard, builtin_board, starter_pool};
    use codec::Encode as _;

    use super::{NOTHING, clear, judge, put};

    fn give(which: u32, bytes: &[u8]) {
        for byte in bytes {
            put(which, u32::from(*byte));
        }
    }

    #[track_caller]
    fn check(player: SavedBoard, enemy: SavedBoard, expected: i32) {
        clear();
        let battle = SavedBattle { player, enemy, seed: 1 };
        // As a node answers, with whose ghost the opponent is at the end.
        give(0, &Some(starter_pool()).encode());
        give(1, &Some((1_u32, 1_u32, battle, None::<[u8; 32]>)).encode());
        assert_eq!(judge(), expected);
    }

    #[test]
    fn battles_come_out_as_they_do_everywhere() {
        let dragon: SavedBoard = Bounded::try_from_iter([BoardUnit::Pool(CardIndex(13))]).unwrap();
        check(dragon, builtin_board(1), 0);
        check(Bounded::new(), builtin_board(1), 1);
        check(Bounded::new(), Bounded::new(), 2);
    }

    #[test]
    fn an_answer_without_a_battle_is_nothing() {
        clear();
        assert_eq!(judge(), NOTHING);
        give(0, &Some(starter_pool()).encode());
        give(1, &[0]);
        assert_eq!(judge(), NOTHING);
        put(7, 1);
    }
}
