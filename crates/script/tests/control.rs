//! What the host and moderators do to a match.

mod desk;

use desk::{P1, P2, P3, done, give, reason, refused, replays, script, start};
use script::{Control, Mistake, Outcome, Seat, Table};
use selector::Selector;

async fn rounds(table: Table) -> Result<Outcome, Mistake> {
    let mut points = vec![0; table.seats().len()];
    for _ in 0..2 {
        let ask = |it: Seat| Selector::select(it, "Points").offer([1_i64, 2, 3]);
        for (response, points) in
            table.request_many(table.seats().into_iter().map(ask).collect()).await?.iter().zip(&mut points)
        {
            *points += response.items().unwrap()[0].to_string().parse::<i64>().unwrap();
        }
    }
    let scores: Vec<(Seat, i64)> = table.seats().into_iter().zip(points).collect();
    Ok(Outcome::highest(&scores, format!("{scores:?}")))
}

#[test]
fn of_two_the_one_who_stays_has_won() {
    let mut live = start(&script(rounds), 2);
    live.control(Control::Concede(P1)).unwrap();
    assert_eq!(live.outcome().unwrap().winners, [P2]);
    assert_eq!(reason(&live), "last standing");
    replays(&live);
}

#[test]
fn of_several_who_leaves_is_answered_for_and_cannot_win() {
    let mut live = start(&script(rounds), 3);
    give(&mut live, P1, [1_i64]);
    give(&mut live, P2, [3_i64]);
    live.control(Control::Kick(P3)).unwrap();
    refused(&mut live, "command/unknown_player", |it| it.control(Control::Kick(P3)));
    assert_eq!(live.version(), 1, "the request closed with the least answer for p3");
    give(&mut live, P2, [3_i64]);
    live.control(Control::Concede(P2)).unwrap();
    assert_eq!(live.outcome().unwrap().winners, [P1], "p2 had more points, but left");
    replays(&live);
}

#[test]
fn who_left_has_not_won_even_with_most_points() {
    let mut live = start(&script(rounds), 3);
    for (seat, points) in [(P1, 1_i64), (P2, 2), (P3, 3)] {
        give(&mut live, seat, [points]);
    }
    live.control(Control::Concede(P3)).unwrap();
    give(&mut live, P1, [1_i64]);
    give(&mut live, P2, [1_i64]);
    // p3 has four points, p2 has three: the game counts them all, the match does not.
    assert_eq!(reason(&live), "[(Seat(0), 2), (Seat(1), 3), (Seat(2), 4)]");
    assert!(!live.outcome().unwrap().winners.contains(&P3));
    replays(&live);
}

#[test]
fn who_runs_out_of_time_is_answered_for() {
    let mut live = start(&script(rounds), 2);
    give(&mut live, P2, [2_i64]);
    live.control(Control::Timeout(1)).unwrap();
    assert!(live.answers().map(|it| it.is_user_response).eq([false, true]));
    live.control(Control::Timeout(2)).unwrap();
    assert_eq!(reason(&live), "[(Seat(0), 2), (Seat(1), 3)]");
    replays(&live);
}

#[test]
fn a_race_that_runs_out_of_time_is_won_by_the_first_who_was_asked() {
    async fn race(table: Table) -> Result<Outcome, Mistake> {
        let ask = |it: Seat| Selector::select(it, "Race").offer(["a", "b"]);
        let response = table.request_any(vec![ask(P2), ask(P1)]).await?;
        done(response.actor.unwrap_or_default())
    }
    let mut live = start(&script(race), 2);
    live.control(Control::Timeout(1)).unwrap();
    assert_eq!(reason(&live), "p2");
    let mut live = start(&script(race), 3);
    live.control(Control::Concede(P2)).unwrap();
    assert_eq!(live.waiting().unwrap().1, [P1], "the others can still answer");
    live.control(Control::Concede(P1)).unwrap();
    replays(&live);
}

#[test]
fn connections_come_and_go_without_changing_the_game() {
    let mut live = start(&script(rounds), 2);
    live.control(Control::Disconnect(P1)).unwrap();
    live.control(Control::Reconnect(P1)).unwrap();
    assert_eq!(live.waiting().unwrap().1, [P1, P2]);
    refused(&mut live, "command/unknown_player", |it| it.control(Control::Disconnect(Seat(7))));
    replays(&live);
}
