//! Calls in orders that nobody who plays would choose, by somebody who looks for money.

use auto_battle::BattleResult;
use frame::testing_prelude::assert_ok;

use super::prize_pools::make_champion_set;
use super::{claim, in_history_with, lie, play_round, play_run, play_turn, start, start_with, try_claim};
use crate::mock::{
    AutoBattle, PURSE, RuntimeCall, Test, UNIT, Utility, bond_of, events_of_the_pallet, on_chain, pass_blocks, session,
    signed, starter_pool, starter_set_hash, wealth,
};
use crate::{ActiveGame, Call, Ending, Event};

#[test]
fn a_run_pays_for_its_expiry_once() {
    on_chain(|| {
        start(1);
        play_round(1, lie);
        play_turn(1);
        pass_blocks(41);
        // As on a chain whose window for challenges is longer than its deadlines for reports.
        ActiveGame::<Test>::mutate(1, |it| it.as_mut().unwrap().reported_at += 100);
        assert_ok!(AutoBattle::expire_game(signed(2), 1));
        assert_eq!(bond_of(1), 7 * UNIT);
        pass_blocks(101);
        assert_ok!(AutoBattle::expire_game(signed(3), 1));
        assert_eq!((wealth(2), wealth(3)), (PURSE + UNIT, PURSE));
        assert_eq!((ActiveGame::<Test>::get(1), bond_of(1)), (None, 0));
    });
}

#[test]
fn a_prize_is_paid_once_however_often_it_is_claimed() {
    in_history_with(Ending::Won, || {
        assert_ok!(AutoBattle::give_to_pool(signed(5), starter_set_hash(), 100 * UNIT));
        let before = wealth(1);
        let run = session(1).run;
        let claims = vec![RuntimeCall::AutoBattle(Call::claim_prize { run, min: 0 }); 8];
        assert_ok!(Utility::force_batch(signed(1), claims));
        assert_eq!(wealth(1), before + 15 * UNIT);
        let paid = events_of_the_pallet().into_iter().filter(|it| matches!(it, Event::GameWon { .. }));
        assert_eq!(paid.collect::<Vec<_>>(), [Event::GameWon { who: 1, prize: 15 * UNIT }]);
    });
}

#[test]
fn disputing_a_winner_between_two_claims_only_pays_the_winner() {
    in_history_with(Ending::Won, || {
        assert_ok!(try_claim(1));
        let (winner, accuser) = (wealth(1), wealth(2));
        let last = session(1).n_reports();
        assert_ok!(AutoBattle::dispute_battle(signed(2), 1, session(1).run, last));
        assert_eq!((wealth(1), wealth(2)), (winner + 8 * UNIT, accuser - 8 * UNIT));
        claim(1);
        assert_eq!((wealth(1), starter_pool()), (winner + 18 * UNIT, 0));
    });
}

#[test]
fn a_winner_who_gives_up_or_reports_again_gains_nothing() {
    in_history_with(Ending::Won, || {
        pass_blocks(1);
        let before = wealth(1);
        let calls = [
            Call::forfeit {},
            Call::report_outcome { result: BattleResult::Victory },
            Call::report_late { target_player: 1, run: 1 },
            Call::expire_game { target: 1 },
            Call::end_turn {},
            Call::start_game { set_hash: starter_set_hash() },
            Call::claim_prize { run: 2, min: 0 },
        ];
        assert_ok!(Utility::force_batch(signed(1), calls.map(RuntimeCall::AutoBattle).to_vec()));
        assert_eq!(wealth(1), before);
        assert_eq!(events_of_the_pallet(), []);
    });
}

/// A set that is removed and made again begins with nothing, whatever its players before left open.
#[test]
fn a_set_that_is_made_again_has_an_empty_pool() {
    on_chain(|| {
        let own = make_champion_set(1);
        start_with(2, own);
        assert_ok!(AutoBattle::remove_set(signed(1), own));
        assert_eq!(play_run(2), Ending::Won);
        claim(2);
        assert_eq!(make_champion_set(1), own);
        assert_eq!((AutoBattle::prize_pool(own), AutoBattle::view_prize_offer(own)), (0, 0));
        start_with(3, own);
        assert_eq!(AutoBattle::view_prize_offer(own), 10 * UNIT);
        assert_eq!(play_run(3), Ending::Won);
        claim(3);
        assert_eq!(wealth(3), PURSE);
    });
}

/// Nobody is paid for reporting late and disputing their own accounts in turns.
#[test]
fn own_accounts_that_do_everything_to_each_other_lose_money() {
    on_chain(|| {
        let all = || (1..=4).map(wealth).sum::<u128>();
        let before = all();
        for round in 0..3 {
            start(1);
            play_round(1, |it| it);
            assert_ok!(AutoBattle::dispute_battle(signed(2), 1, session(1).run, 1));
            play_turn(1);
            pass_blocks(21);
            assert_ok!(AutoBattle::report_late(signed(3), 1, session(1).run));
            play_round(1, lie);
            let run = session(1).run;
            assert_ok!(AutoBattle::dispute_battle(signed(4), 1, run, 3));
            // The fee, and of the bond all but the rewards.
            assert_eq!(before - all(), (round + 1) * 15 * UNIT);
        }
    });
}
