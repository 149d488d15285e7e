//! Questions: what can be answered, what an answer does, and answers nobody has to give.

use alloc::vec::Vec;

use ruleset::{
    AskId, CodePtr, NULL,
    program::{AskMode, AskRule, BuiltIn, TimeoutPolicy},
};

use crate::{
    derived::Derived,
    eval::{Cx, Who, eval},
    exec::{Exec, next},
    fault::Fault,
    ids::{InputNo, PlayerId},
    intent,
    list::saturating_ms,
    order,
    record::Record,
    rejection::Rejection,
    rng,
    scratch::Machine,
    state::{Ask, Frame, FrameKind, MatchState, Origin},
};

/// What a player may answer: which of these, and how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    pub values: Vec<i64>,
    pub min: usize,
    pub max: usize,
}

/// Asks a question; false if it was settled at once and the list goes on.
pub fn ask(exec: &mut Exec<'_>, frame: &Frame, id: AskId) -> Result<bool, Fault> {
    let rule = exec.program.ask(id).ok_or(Fault::Invariant)?;
    open(exec, frame, id, rule)
}

/// Asks several questions at once; false if all were settled at once.
pub fn together(exec: &mut Exec<'_>, frame: &Frame, first: AskId, n: u8) -> Result<bool, Fault> {
    let mut waits = false;
    for i in 0..u16::from(n) {
        let id = AskId(first.0.saturating_add(i));
        let rule = exec.program.ask(id).ok_or(Fault::Invariant)?;
        waits |= open(exec, frame, id, rule)?;
    }
    Ok(waits)
}

/// Opens one question, or settles it where there is nothing to decide (rulings 40; forced answers).
fn open(exec: &mut Exec<'_>, frame: &Frame, id: AskId, rule: &AskRule) -> Result<bool, Fault> {
    let who = Who::frame(frame);
    let mut open = Open { seats: 0, min: usize::MAX, max: 0 };
    let mut settled = Vec::new();
    for player in asked(exec, who, rule)? {
        let offered = exec.with(who, |cx, machine| offered(cx, machine, rule, player))?;
        if offered.len == 0 && !rule.optional && choices_wanted(exec, who, rule)? > 0 {
            exec.happened_built_in(frame, BuiltIn::NoLegalChoice, &[player.into()])?;
        }
        if offered.len == 0 || (rule.mode == AskMode::One && is_forced(rule, &offered)) {
            settled.push((player, Origin::Automatic, exec.scratch.machine.items(offered.list).to_vec()));
        } else {
            open.add(player, &offered);
        }
    }
    if open.seats == 0 {
        settle(exec, rule, settled);
        return Ok(false);
    }
    let no = InputNo(exec.state().head.next_input);
    let deadline_ms = deadline(exec, who, rule)?;
    exec.add(Record::Asked(question(no, (id, rule), deadline_ms, &open, &settled)));
    for (player, origin, values) in settled.into_iter().filter(|_| rule.mode == AskMode::Many) {
        let values = exec.scratch.keep(values);
        exec.add(Record::Answered { input: no, player, origin, values });
    }
    Ok(true)
}

/// Those who have something to decide, with the widest bounds of what they may choose.
struct Open {
    seats: u16,
    min: usize,
    max: usize,
}

impl Open {
    fn add(&mut self, player: PlayerId, offered: &Offered) {
        self.seats |= player.bit();
        self.min = self.min.min(offered.min);
        self.max = self.max.max(offered.max);
    }
}

/// How long a question may be thought about; 0 for as long as it takes.
fn deadline(exec: &mut Exec<'_>, who: Who, rule: &AskRule) -> Result<u32, Fault> {
    if !rule.deadline_ms.is_some() {
        return Ok(0);
    }
    Ok(saturating_ms(exec.eval(who, rule.deadline_ms)?))
}

/// The row of a question. Those who had nothing to decide belong to it where all must answer.
fn question(
    no: InputNo,
    (id, rule): (AskId, &AskRule),
    deadline_ms: u32,
    open: &Open,
    settled: &[(PlayerId, Origin, Vec<i64>)],
) -> Ask {
    let bound = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
    let answered = settled.iter().filter(|_| rule.mode == AskMode::Many).map(|it| it.0);
    Ask {
        no,
        ask: id,
        kind: rule.kind.into(),
        seats: answered.fold(open.seats, |acc, it| acc | it.bit()),
        closed: 0,
        min: bound(open.min),
        max: bound(open.max),
        deadline_ms,
    }
}

/// Those who are asked, in seat order; the first of them where one is.
fn asked(exec: &mut Exec<'_>, who: Who, rule: &AskRule) -> Result<impl Iterator<Item = PlayerId> + use<>, Fault> {
    let list = exec.eval(who, rule.players)?;
    let named = exec.scratch.machine.items(list).iter().fold(0, |acc, it| acc | PlayerId::from(*it).bit());
    let asked = named & exec.state().head.alive;
    let n = if rule.mode == AskMode::One { 1 } else { usize::MAX };
    Ok(exec.state().players().filter(move |it| asked & it.bit() != 0).take(n))
}

fn choices_wanted(exec: &mut Exec<'_>, who: Who, rule: &AskRule) -> Result<i64, Fault> {
    exec.eval(who, rule.min)
}

/// Only one answer is legal: everything.
fn is_forced(rule: &AskRule, offered: &Offered) -> bool {
    let ordered = rule.kind == ruleset::program::InputKind::OrderSelect && offered.len > 1;
    !rule.optional && !rule.no_auto && !ordered && offered.min >= offered.len
}

/// What a question offers: a list of the machine, and how many of it may be chosen.
struct Offered {
    list: i64,
    len: usize,
    min: usize,
    max: usize,
}

/// What a question offers now, with bounds that can be met.
fn offered(cx: &Cx<'_>, machine: &mut Machine, rule: &AskRule, player: PlayerId) -> Result<Offered, Fault> {
    machine.set_reg(rule.asked, player.into());
    let list = eval(cx, machine, rule.choices)?;
    let len = machine.items(list).len();
    let bound = |it: i64| usize::try_from(it.max(0)).unwrap_or(usize::MAX);
    let min = bound(eval(cx, machine, rule.min)?).min(len);
    let max = bound(eval(cx, machine, rule.max)?).min(len).max(min);
    Ok(Offered { list, len, min, max })
}

/// The same with a list of its own.
fn choices_of(cx: &Cx<'_>, machine: &mut Machine, rule: &AskRule, player: PlayerId) -> Result<Choices, Fault> {
    let Offered { list, min, max, .. } = offered(cx, machine, rule, player)?;
    Ok(Choices { values: machine.items(list).to_vec(), min, max })
}

/// What a player may answer to an open question. Derived, not stored: nothing changes while it is open.
pub fn choices(
    program: &ruleset::Program,
    state: &MatchState,
    derived: &Derived,
    machine: &mut Machine,
    ask: &Ask,
    player: PlayerId,
) -> Result<Choices, Fault> {
    // Putting triggers in order runs no code, so what was spent before is still to be counted.
    if state.top().is_some_and(|it| it.kind != FrameKind::Order) {
        machine.reset(program.limits.instructions_per_step_max);
    }
    choices_within(program, state, derived, machine, ask, player)
}

/// The same on a machine that may run as far as the caller lets it.
pub(crate) fn choices_within(
    program: &ruleset::Program,
    state: &MatchState,
    derived: &Derived,
    machine: &mut Machine,
    ask: &Ask,
    player: PlayerId,
) -> Result<Choices, Fault> {
    let frame = state.top().copied().ok_or(Fault::Invariant)?;
    let (min, max) = (usize::from(ask.min), usize::from(ask.max));
    if frame.kind == FrameKind::Order {
        return Ok(Choices { values: order::choices(state, &frame, player), min, max });
    }
    let rule = program.ask(ask.ask).ok_or(Fault::Invariant)?;
    machine.load(state.cells_of(&frame));
    let cx = Cx::new(program, state, derived, Who::frame(&frame));
    choices_of(&cx, machine, rule, player)
}

/// Whether an answer is legal; says why not.
fn judge(choices: &Choices, values: &[i64]) -> Result<(), Rejection> {
    for (i, value) in values.iter().enumerate() {
        let used = values.iter().take(i.saturating_add(1)).filter(|it| *it == value).count();
        let there = choices.values.iter().filter(|it| *it == value).count();
        if used > there {
            return Err(Rejection::NotInChoices { value: *value });
        }
    }
    if values.len() < choices.min || values.len() > choices.max {
        let part = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
        return Err(Rejection::WrongCount { min: part(choices.min), max: part(choices.max), got: part(values.len()) });
    }
    Ok(())
}

/// Leaves out of a draft what is not legal, from the front; what fills the gaps takes its place while there is some.
fn sanitize(choices: &Choices, values: &[i64], fill: &[i64]) -> Vec<i64> {
    let mut left = choices.values.clone();
    let mut take = |value: i64| {
        let at = left.iter().position(|it| *it == value)?;
        Some(left.remove(at))
    };
    // Who wrote more than there is room for has written nothing there.
    let n_read = if fill.is_empty() { values.len() } else { values.len().min(choices.max) };
    let legal: Vec<Option<i64>> = values.iter().take(n_read).map(|it| take(*it)).collect();
    let mut fill = fill.iter().filter_map(|it| take(*it));
    legal.into_iter().filter_map(|it| it.or_else(|| fill.next())).take(choices.max).collect()
}

/// Adds what fills the gaps until there is enough.
fn complete(choices: &Choices, mut values: Vec<i64>, fill: &[i64]) -> Vec<i64> {
    for value in fill {
        let is_free = |it: &i64| choices.values.contains(it) && !values.contains(it);
        if values.len() < choices.min && is_free(value) {
            values.push(*value);
        }
    }
    values
}

/// A list the author gives for a player who does not answer, or not in full.
fn given(exec: &mut Exec<'_>, rule: &AskRule, code: CodePtr, player: PlayerId) -> Result<Vec<i64>, Rejection> {
    let Some(frame) = exec.state().top().copied().filter(|_| code.is_some()) else {
        return Ok(Vec::new());
    };
    intent::load_cells(exec, &frame);
    exec.scratch.machine.set_reg(rule.asked, player.into());
    let list = exec.eval(Who::frame(&frame), code).map_err(|_| Rejection::Broken)?;
    Ok(exec.scratch.machine.items(list).to_vec())
}

/// What fills the gaps in the answer of a player.
fn fill_of(exec: &mut Exec<'_>, ask: &Ask, player: PlayerId) -> Result<Vec<i64>, Rejection> {
    let rule = exec.program.ask(ask.ask);
    rule.map_or_else(|| Ok(Vec::new()), |it| given(exec, it, it.fill, player))
}

/// Checks a player's answer and carries out what it does.
pub fn answer(
    exec: &mut Exec<'_>,
    player: PlayerId,
    input: InputNo,
    values: &[i64],
    confirm: bool,
) -> Result<(), Rejection> {
    let ask = *exec.state().ask(input).ok_or(Rejection::UnknownInput)?;
    if ask.seats & player.bit() == 0 {
        return Err(Rejection::NotAsked);
    }
    let rule = exec.program.ask(ask.ask);
    let revisable = rule.is_some_and(|it| it.revisable);
    // One of several may change his mind until the last answer is in; a confirmed draft is final.
    let replaceable = rule.is_some_and(|it| it.mode == AskMode::Many && !it.revisable);
    if ask.closed & player.bit() != 0 && !replaceable {
        return Err(Rejection::AlreadyAnswered);
    }
    let lenient = rule.is_some_and(|it| it.lenient) && !confirm;
    let choices = derive(exec, &ask, player)?;
    let kept = match lenient {
        true => sanitize(&choices, values, &fill_of(exec, &ask, player)?),
        false => values.to_vec(),
    };
    let draft = revisable && !confirm;
    // A draft may still be incomplete, but never illegal.
    let judged = if draft { Choices { min: 0, ..choices } } else { choices };
    judge(&judged, &kept)?;
    let origin = if draft { Origin::Draft } else { Origin::Confirmed };
    give(exec, &ask, player, origin, kept);
    Ok(())
}

fn derive(exec: &mut Exec<'_>, ask: &Ask, player: PlayerId) -> Result<Choices, Rejection> {
    let ask = *ask;
    exec.with(Who::player(player), |cx, machine| choices(cx.program, cx.state, cx.derived, machine, &ask, player))
        .map_err(|_| Rejection::Broken)
}

/// Writes an answer, and goes on if it was the last one needed.
fn give(exec: &mut Exec<'_>, ask: &Ask, player: PlayerId, origin: Origin, values: Vec<i64>) {
    let span = exec.scratch.keep(values.iter().copied());
    exec.add(Record::Answered { input: ask.no, player, origin, values: span });
    close_if_complete(exec, ask.no);
}

/// Closes a question that has all the answers it needs, and lets the list go on when no question is left.
fn close_if_complete(exec: &mut Exec<'_>, input: InputNo) {
    let Some(ask) = exec.state().ask(input).copied() else {
        return;
    };
    let mode = exec.program.ask(ask.ask).map_or(AskMode::One, |it| it.mode);
    let revisable = exec.program.ask(ask.ask).is_some_and(|it| it.revisable);
    let answered = exec.state().answers.iter().filter(|it| it.input == input).fold(0, |acc, it| acc | it.player.bit());
    let complete = match mode {
        AskMode::Any => ask.closed != 0,
        // Several can change their minds until the last answer is in; where drafts are wanted, until all confirmed.
        AskMode::Many | AskMode::One if revisable => ask.closed == ask.seats,
        AskMode::Many | AskMode::One => answered == ask.seats,
    };
    if complete && !waits_for_deadline(exec, &ask) {
        close(exec, &ask);
    }
}

/// Whether the time to answer is meant to run out.
fn waits_for_deadline(exec: &mut Exec<'_>, ask: &Ask) -> bool {
    let code = exec.program.ask(ask.ask).map_or(CodePtr::NONE, |it| it.until_deadline);
    let Some(frame) = exec.state().top().copied().filter(|_| code.is_some() && ask.deadline_ms > 0) else {
        return false;
    };
    intent::load_cells(exec, &frame);
    exec.eval(Who::frame(&frame), code) == Ok(1)
}

fn close(exec: &mut Exec<'_>, ask: &Ask) {
    let answers: Vec<(PlayerId, Origin, Vec<i64>)> = exec
        .state()
        .answers
        .iter()
        .filter(|it| it.input == ask.no)
        .map(|it| (it.player, it.origin, it.values.clone()))
        .collect();
    let frame = exec.state().top().copied();
    match (exec.program.ask(ask.ask), frame) {
        (Some(rule), Some(frame)) => {
            intent::load_cells(exec, &frame);
            settle(exec, rule, answers);
        }
        (None, _) => {
            // An order of triggers: kept by seat.
            for (player, _, values) in answers {
                let span = exec.scratch.keep(values);
                exec.add(Record::Stored(u16::from(player.0), span));
            }
        }
        (Some(_), None) => {}
    }
    exec.add(Record::Closed(ask.no));
    if exec.state().asks.is_empty() && exec.program.ask(ask.ask).is_some() {
        let pc = frame.map_or(CodePtr::NONE, |it| it.pc);
        exec.add(Record::At(next(pc)));
    }
}

/// Puts answers where the list wants them, players in turn order.
fn settle(exec: &mut Exec<'_>, rule: &AskRule, mut sorted: Vec<(PlayerId, Origin, Vec<i64>)>) {
    let state = exec.state();
    sorted.sort_by_key(|it| state.players_from(state.head.active).position(|p| p == it.0));
    if rule.mode != AskMode::One {
        let flat = sorted.iter().flat_map(|(player, origin, values)| {
            let head = [i64::from(*player), origin_number(*origin), i64::try_from(values.len()).unwrap_or(0)];
            head.into_iter().chain(values.iter().copied())
        });
        let flat: Vec<i64> = flat.collect();
        return store(exec, rule.cell, &flat);
    }
    let values = sorted.first().map_or(&[][..], |it| &it.2);
    if rule.choice_type.many {
        return store(exec, rule.cell, values);
    }
    let value = values.first().copied().unwrap_or(NULL);
    exec.add(Record::Set(rule.cell, value));
    exec.scratch.machine.set_local(usize::from(rule.cell), value);
}

fn store(exec: &mut Exec<'_>, cell: u16, values: &[i64]) {
    let span = exec.scratch.keep(values.iter().copied());
    exec.add(Record::Stored(cell, span));
    exec.scratch.machine.store_list(cell, values);
}

/// The number of an origin in conditions.
fn origin_number(origin: Origin) -> i64 {
    match origin {
        Origin::Confirmed => 0,
        Origin::Draft => 1,
        Origin::Default => 2,
        Origin::Automatic => 3,
    }
}

/// Time ran out for a question: everyone who has not answered gets what the policy says (ruling 42).
/// Gives the players who lose by it.
pub fn timeout(exec: &mut Exec<'_>, input: InputNo) -> Result<Vec<PlayerId>, Rejection> {
    let ask = *exec.state().ask(input).ok_or(Rejection::UnknownInput)?;
    let policy = exec.program.ask(ask.ask).map_or(TimeoutPolicy::First, |it| it.on_timeout);
    let mut losers = Vec::new();
    for player in late_players(exec, &ask) {
        let drafted = exec.state().answers.iter().find(|it| it.input == input && it.player == player).cloned();
        if let Some(draft) = drafted {
            // What was drafted counts as it stands, with its gaps filled; its origin says that it was a draft.
            let choices = derive(exec, &ask, player)?;
            let fill = fill_of(exec, &ask, player)?;
            let span = exec.scratch.keep(complete(&choices, draft.values, &fill));
            exec.add(Record::Answered { input, player, origin: draft.origin, values: span });
            continue;
        }
        if policy == TimeoutPolicy::Concede {
            losers.push(player);
            continue;
        }
        let values = default_answer(exec, &ask, player, policy)?;
        let span = exec.scratch.keep(values);
        exec.add(Record::Answered { input, player, origin: Origin::Default, values: span });
    }
    if losers.is_empty() {
        close(exec, &ask);
    }
    Ok(losers)
}

/// Whose answer is missing; one is enough where the first answer is.
fn late_players(exec: &Exec<'_>, ask: &Ask) -> Vec<PlayerId> {
    let state = exec.state();
    let first_is_enough = exec.program.ask(ask.ask).is_some_and(|it| it.mode == AskMode::Any);
    let n = if first_is_enough { 1 } else { usize::MAX };
    state.players_from(state.head.active).filter(|it| ask.seats & !ask.closed & it.bit() != 0).take(n).collect()
}

fn default_answer(
    exec: &mut Exec<'_>,
    ask: &Ask,
    player: PlayerId,
    policy: TimeoutPolicy,
) -> Result<Vec<i64>, Rejection> {
    let choices = derive(exec, ask, player)?;
    let first: Vec<i64> = choices.values.iter().take(choices.min).copied().collect();
    Ok(match policy {
        TimeoutPolicy::Decline | TimeoutPolicy::First | TimeoutPolicy::Concede => first,
        TimeoutPolicy::Random => {
            let stream = rng::stream_of(player);
            let mut values = choices.values.clone();
            exec.shuffle(stream, &mut values);
            values.truncate(choices.min);
            values
        }
        TimeoutPolicy::Default => {
            let rule = exec.program.ask(ask.ask);
            let given = rule.map_or_else(|| Ok(Vec::new()), |it| given(exec, it, it.default, player))?;
            let kept = sanitize(&choices, &given, &[]);
            if kept.len() < choices.min { first } else { kept }
        }
    })
}

/// Answers for a player who has left: the first legal answer.
pub fn give_up(exec: &mut Exec<'_>, ask: &Ask, player: PlayerId) -> Result<(), Rejection> {
    let values = default_answer(exec, ask, player, TimeoutPolicy::First)?;
    give(exec, ask, player, Origin::Default, values);
    Ok(())
}
