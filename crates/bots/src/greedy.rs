//! A player who looks one answer ahead, in worlds that might be.

use host::{Answer, HostedMatch, Seat, Viewer};

use crate::{dice::Dice, score::score};

/// How many answers it compares.
const N_ANSWERS: usize = 24;
/// In how many worlds it tries each of them.
const N_WORLDS: usize = 2;

/// The answer that looks best on average; none if there is nothing to compare.
pub fn decide(live: &dyn HostedMatch, seat: Seat, dice: &mut Dice) -> Option<Answer> {
    let worlds = (0..N_WORLDS).filter_map(|_| live.resample(Viewer::Seat(seat), dice.seed()).ok());
    let worlds: Vec<Box<dyn HostedMatch>> = worlds.collect();
    if worlds.is_empty() {
        return None;
    }
    let mut best: Option<(i64, Answer)> = None;
    for answer in candidates(live, seat, dice) {
        let Some(worth) = try_out(&worlds, &answer) else { continue };
        if best.as_ref().is_none_or(|it| worth > it.0) {
            best = Some((worth, answer));
        }
    }
    best.map(|it| it.1)
}

/// What can be answered: some of it in order, some of it drawn, so that long lists are looked at everywhere.
fn candidates(live: &dyn HostedMatch, seat: Seat, dice: &mut Dice) -> Vec<Answer> {
    let mut answers = live.legal(seat, N_ANSWERS / 2);
    answers.truncate(N_ANSWERS / 2);
    for _ in 0..N_ANSWERS - answers.len() {
        let drawn = live.make_answer(seat, &mut |bound| dice.below(bound));
        answers.extend(drawn.filter(|it| !answers.contains(it)).into_iter().collect::<Vec<_>>());
    }
    answers
}

/// What an answer is worth in all worlds together; none if some world refuses it.
fn try_out(worlds: &[Box<dyn HostedMatch>], answer: &Answer) -> Option<i64> {
    let mut sum = 0_i64;
    for world in worlds {
        let mut world = world.fork();
        world.submit(answer).ok()?;
        sum = sum.saturating_add(score(&*world, &world.view(Viewer::Seat(answer.seat)), answer.seat));
    }
    Some(sum)
}
