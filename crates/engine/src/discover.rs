//! Finds the rules that answer an event, in the one order they resolve in.

use alloc::vec::Vec;
use core::cmp::Reverse;

use ruleset::{
    EventTypeId, NULL, Program, RuleId,
    program::{EventType, ReactionOrder, Rule, RuleIndex, Timing},
};

use crate::{
    attribute,
    cells::{descriptor, span_of},
    derived::is_live,
    eval::Who,
    exec::Exec,
    explain::Verdict,
    fault::{Fault, Limit},
    ids::{EntityId, EventNo, PlayerId},
    record::Record,
    scratch::{Fact, Machine, Scratch, Span, slice},
    state::{Delay, DelayHead, Frame, FrameKind, LimitKey, LimitScope, MatchState, Status},
};

/// A rule that matched, with its source.
#[derive(Clone, Copy, Debug)]
struct Trigger {
    rule: RuleId,
    priority: i16,
    source: EntityId,
    controller: PlayerId,
    fact: Fact,
    /// The subject a per-subject rule answers for.
    subject: EntityId,
    index: usize,
    /// The waiting rule it came from; 0 for none.
    delay: u32,
}

/// Orders triggers found together: priority, then rules of the game, the active player's, the others' in turn
/// order, then rule, source and fact (ruling 11). Element 0 resolves first.
fn sort(triggers: &mut [Trigger], state: &MatchState) {
    triggers.sort_by_key(|it| {
        (Reverse(it.priority), rank(state, it.source, it.controller), it.rule, it.source, it.index, it.subject)
    });
}

/// Rules of the game come first, then players from the active one on.
fn rank(state: &MatchState, source: EntityId, controller: PlayerId) -> u8 {
    if source.is_none() {
        return 0;
    }
    seats_after(state.head.active, controller, state.head.n_players).saturating_add(1)
}

/// How many seats after another a player sits.
fn seats_after(first: PlayerId, player: PlayerId, n: u8) -> u8 {
    if player.0 >= first.0 {
        player.0.saturating_sub(first.0)
    } else {
        n.saturating_sub(first.0).saturating_add(player.0)
    }
}

/// Whether a rule could come before such an event.
#[inline]
pub fn is_awaited(exec: &Exec<'_>, kind: EventTypeId) -> bool {
    let listens = exec.program.before.get(kind.index()).is_some_and(|it| !it.is_empty());
    listens || has_waiting(exec, Timing::Before, kind)
}

/// Whether a rule could answer one of some facts.
#[inline]
pub fn is_heard(program: &Program, state: &MatchState, facts: &[Fact]) -> bool {
    facts.iter().any(|it| is_answered(program, state, it.kind))
}

/// Whether a rule could answer such a fact.
#[inline]
pub fn is_answered(program: &Program, state: &MatchState, kind: EventTypeId) -> bool {
    !state.delays.is_empty() || program.after.get(kind.index()).is_some_and(|index| !index.is_empty())
}

/// Finds and schedules the reactions that come before a pending event; gives how many.
#[inline]
pub fn before(exec: &mut Exec<'_>, frame: &Frame, subjects: &[i64]) -> Result<usize, Fault> {
    let program = exec.program;
    let Some(index) = program.before.get(frame.etype.index()) else {
        return Ok(0);
    };
    if !is_awaited(exec, frame.etype) {
        return Ok(0);
    }
    find_before(exec, index, frame, subjects)
}

/// The same where something listens, out of the way of the many events nobody listens to.
#[inline(never)]
fn find_before(exec: &mut Exec<'_>, index: &RuleIndex, frame: &Frame, subjects: &[i64]) -> Result<usize, Fault> {
    let program = exec.program;
    let event = program.event(frame.etype).ok_or(Fault::Invariant)?;
    let args = exec.keep_fields_of(frame, event);
    let fact = Fact {
        event: frame.event,
        kind: frame.etype,
        subject: EntityId::NONE,
        args,
        producer: frame.event,
        root: frame.root,
        source: frame.source,
        left: false,
        one_subject: false,
    };
    let mut found = Vec::new();
    for subject in subjects {
        match_subject(exec, index, fact, EntityId::from(*subject), &mut found, 0)?;
    }
    for rule in index.listeners.iter().chain(&index.global) {
        let per_subject = program.rule(*rule).is_some_and(|it| it.per_subject);
        let whole = [NULL];
        for subject in if per_subject { subjects } else { &whole } {
            match_listeners(exec, *rule, fact, EntityId::from(*subject), &mut found, 0)?;
        }
    }
    match_waiting(exec, Timing::Before, fact, subjects, &mut found, 0)?;
    let (n, frames) = (found.len(), materialize_all(exec, found)?);
    // What comes before an event cannot wait until after it, whatever a list holds back.
    place(exec, frames, None)?;
    Ok(n)
}

/// Finds and schedules the reactions to what the last step made happen; gives how many.
pub fn after(exec: &mut Exec<'_>, facts: &[Fact], args: &[i64]) -> Result<usize, Fault> {
    let program = exec.program;
    let mut found = Vec::new();
    for (i, fact) in facts.iter().enumerate() {
        let Some(index) = program.after.get(fact.kind.index()) else {
            continue;
        };
        if index.is_empty() && !has_waiting(exec, Timing::After, fact.kind) {
            continue;
        }
        let kept = exec.scratch.keep(slice(args, fact.args).iter().copied());
        // What the same event says of a card that it took out of play is answered from where the card was, too.
        let left =
            fact.left || facts.iter().any(|it| it.left && it.subject == fact.subject && it.producer == fact.producer);
        let fact = Fact { args: kept, left, ..*fact };
        match_subject(exec, index, fact, fact.subject, &mut found, i)?;
        for rule in index.listeners.iter().chain(&index.global) {
            match_listeners(exec, *rule, fact, fact.subject, &mut found, i)?;
        }
        match_waiting(exec, Timing::After, fact, &[fact.subject.into()], &mut found, i)?;
    }
    if found.is_empty() {
        return Ok(0);
    }
    let producer = facts.first().map_or(EventNo::NONE, |it| it.producer);
    let (n, frames) = (found.len(), materialize_all(exec, found)?);
    let holder = exec.state().stack.iter().rev().find(|it| it.deferring && it.event != producer).map(|it| it.event);
    let own = exec.state().frame(producer).filter(|it| it.deferring).map(|it| it.event);
    place(exec, frames, own.or(holder))?;
    Ok(n)
}

/// Adds the fields of a row without its other variables, lists right behind them.
pub fn add_fields(cells: &[i64], event: &EventType, out: &mut Vec<i64>) {
    let base = out.len();
    out.extend_from_slice(cells.get(..event.fields.len()).unwrap_or(cells));
    for (i, _) in event.fields.iter().enumerate().filter(|it| it.1.many) {
        let place = base.saturating_add(i);
        let (start, len) = span_of(out.get(place).copied().unwrap_or(NULL));
        let at = out.len().saturating_sub(base);
        out.extend_from_slice(cells.get(start..start.saturating_add(len)).unwrap_or_default());
        if let Some(slot) = out.get_mut(place) {
            *slot = descriptor(at, len);
        }
    }
}

/// Rules that say `self` are found from the event's own subject.
fn match_subject(
    exec: &mut Exec<'_>,
    index: &RuleIndex,
    fact: Fact,
    subject: EntityId,
    found: &mut Vec<Trigger>,
    at: usize,
) -> Result<(), Fault> {
    if index.subject.is_empty() || subject.is_none() {
        return Ok(());
    }
    for rule in &index.subject {
        // A card that left by this very event still answers from where it was.
        let lives = fact.left || is_live(exec.program, exec.state(), subject, *rule);
        let has = if fact.left { had_rule(exec, subject, *rule) } else { has_rule(exec, subject, *rule) };
        if lives && has {
            consider(exec, *rule, subject, fact, subject, found, at)?;
        } else if exec.is_traced() {
            note_absent(exec, *rule, subject, fact, subject);
        }
    }
    Ok(())
}

fn match_listeners(
    exec: &mut Exec<'_>,
    id: RuleId,
    fact: Fact,
    subject: EntityId,
    found: &mut Vec<Trigger>,
    at: usize,
) -> Result<(), Fault> {
    let Some(rule) = exec.program.rule(id) else {
        return Ok(());
    };
    if rule.global {
        return consider(exec, id, EntityId::NONE, fact, subject, found, at);
    }
    let nobody_listens =
        !rule.scan && exec.with(Who::player(PlayerId::NONE), |cx, _| cx.derived.listeners(id).is_empty());
    if nobody_listens && !exec.is_traced() {
        return Ok(());
    }
    let holders: Vec<EntityId> = if rule.scan {
        let cards = 0..exec.state().ents.len();
        cards.map(EntityId::at).filter(|it| is_live(exec.program, exec.state(), *it, id)).collect()
    } else {
        exec.with(Who::player(PlayerId::NONE), |cx, _| cx.derived.listeners_by_age(id))
    };
    if exec.is_traced() {
        let others = (0..exec.state().ents.len()).map(EntityId::at).filter(|it| !holders.contains(it));
        others.collect::<Vec<_>>().into_iter().for_each(|it| note_absent(exec, id, it, fact, subject));
    }
    for holder in holders {
        if rule.keyword.is_none() || has_rule(exec, holder, id) {
            consider(exec, id, holder, fact, subject, found, at)?;
        }
    }
    Ok(())
}

/// Notes why a card on which a rule is printed does not have it now.
#[cold]
fn note_absent(exec: &mut Exec<'_>, id: RuleId, card: EntityId, fact: Fact, subject: EntityId) {
    let def = exec.state().ent(card).filter(|it| it.status == Status::Card).map(|it| it.def);
    if def.is_some_and(|it| crate::derived::is_printed(exec.program, it, id)) {
        let lives = is_live(exec.program, exec.state(), card, id);
        exec.note(fact, id, card, subject, if lives { Verdict::Lost } else { Verdict::Elsewhere });
    }
}

/// Notes why a rule does not match: its filter is asked first.
#[cold]
fn note_mismatch(exec: &mut Exec<'_>, who: Who, id: RuleId, fact: Fact) -> Result<(), Fault> {
    let Some(rule) = exec.program.rule(id) else { return Ok(()) };
    // Asking once more costs the match nothing, or it would not go as it went.
    let fuel = exec.scratch.machine.fuel;
    let is_meant = exec.holds(who, rule.filter)?;
    exec.scratch.machine.fuel = fuel;
    let verdict = match is_meant {
        true => Verdict::Unmet(exec.tell(who, rule.conditions)),
        false => Verdict::Filtered(exec.tell(who, rule.filter)),
    };
    exec.note(fact, id, who.this, who.subject, verdict);
    Ok(())
}

/// Whether a rule waits for such an event.
fn has_waiting(exec: &Exec<'_>, timing: Timing, kind: EventTypeId) -> bool {
    let waits = |it: &Delay| exec.program.rule(it.what.rule).is_some_and(|r| r.timing == timing && r.event == kind);
    exec.state().delays.iter().any(waits)
}

/// Rules that were made during the game and wait for this.
fn match_waiting(
    exec: &mut Exec<'_>,
    timing: Timing,
    fact: Fact,
    subjects: &[i64],
    found: &mut Vec<Trigger>,
    at: usize,
) -> Result<(), Fault> {
    if exec.state().delays.is_empty() {
        return Ok(());
    }
    let delays = exec.state().delays.clone();
    for delay in delays {
        let Some(rule) = exec.program.rule(delay.what.rule) else { continue };
        if rule.timing != timing || rule.event != fact.kind {
            continue;
        }
        let whole = [NULL];
        for subject in if rule.per_subject || timing == Timing::After { subjects } else { &whole } {
            consider_waiting(exec, rule, &delay, fact, EntityId::from(*subject), found, at)?;
        }
    }
    Ok(())
}

fn consider_waiting(
    exec: &mut Exec<'_>,
    rule: &Rule,
    delay: &Delay,
    fact: Fact,
    subject: EntityId,
    found: &mut Vec<Trigger>,
    index: usize,
) -> Result<(), Fault> {
    let head = delay.what;
    let used = found.iter().filter(|it| it.delay == head.no).count();
    if head.left > 0 && used >= usize::from(head.left) {
        if exec.is_traced() {
            exec.note(fact, head.rule, head.source, subject, Verdict::Spent);
        }
        return Ok(());
    }
    let who = Who {
        cause: fact.event,
        subject,
        subject_left: fact.left,
        this_moves: head.source.is_some().then_some(head.source_moves),
        ..Who::card(head.source, head.controller)
    };
    load_args(exec, rule, fact, subject);
    load_kept(exec, rule, head.no);
    if !exec.holds(who, rule.filter)? || !exec.holds(who, rule.conditions)? {
        return if exec.is_traced() { note_mismatch(exec, who, head.rule, fact) } else { Ok(()) };
    }
    if exec.is_traced() {
        let verdict = exec.tell_match(who, rule);
        exec.note(fact, head.rule, head.source, subject, verdict);
    }
    found.push(Trigger {
        rule: head.rule,
        priority: rule.priority,
        source: head.source,
        controller: head.controller,
        fact,
        subject,
        index,
        delay: head.no,
    });
    check_count(exec, found)
}

/// Gives the variables of a waiting rule the values they had when it was made.
fn load_kept(exec: &mut Exec<'_>, rule: &Rule, no: u32) {
    let kept = exec.state().delays.iter().find(|it| it.what.no == no).map(|it| it.kept.clone()).unwrap_or_default();
    let first = rule.delay.map_or(0, |it| usize::from(it.kept_at));
    for (i, value) in kept.into_iter().enumerate() {
        exec.scratch.machine.set_local(first.saturating_add(i), value);
    }
}

fn check_count(exec: &Exec<'_>, found: &[Trigger]) -> Result<(), Fault> {
    let max = usize::try_from(exec.program.limits.reactions_per_event_max).unwrap_or(usize::MAX);
    if found.len() > max { Err(Fault::Limit(Limit::ReactionsPerEvent)) } else { Ok(()) }
}

/// Whether a card has a rule: printed on it, or with a keyword it has now.
fn has_rule(exec: &mut Exec<'_>, card: EntityId, id: RuleId) -> bool {
    let program = exec.program;
    let Some(rule) = program.rule(id) else {
        return false;
    };
    let Some(ent) = exec.state().ent(card).copied().filter(|it| it.status == Status::Card) else {
        return false;
    };
    if rule.keyword.is_none() {
        return crate::derived::is_printed(program, ent.def, id) && !exec.state().is_muted(card, rule);
    }
    if exec.state().is_muted(card, rule) {
        return false;
    }
    exec.with(Who::player(ent.controller), |cx, machine| attribute::has_keyword(cx, machine, card, rule.keyword))
}

/// Whether a card had a rule before it left: what was given and taken until then counts (ruling 17).
/// One that stays as it is in its new zone has what it has now.
fn had_rule(exec: &mut Exec<'_>, card: EntityId, id: RuleId) -> bool {
    let (program, state) = (exec.program, exec.state());
    let Some(rule) = program.rule(id) else { return false };
    let resets = program.zone(state.zone_kind(program, card)).is_some_and(|it| it.resets);
    if !resets {
        return has_rule(exec, card, id);
    }
    if state.was_muted(card, rule) {
        return false;
    }
    let def = state.ent(card).map_or(ruleset::DefId::NONE, |it| it.def);
    match rule.keyword.is_none() {
        true => crate::derived::is_printed(program, def, id),
        false => attribute::had_own_keyword(program, state, card, rule.keyword),
    }
}

/// Tests filter, conditions and limiters of a rule that might match.
fn consider(
    exec: &mut Exec<'_>,
    id: RuleId,
    source: EntityId,
    fact: Fact,
    subject: EntityId,
    found: &mut Vec<Trigger>,
    index: usize,
) -> Result<(), Fault> {
    let Some(rule) = exec.program.rule(id) else {
        return Ok(());
    };
    let controller = exec.state().ent(source).map_or(exec.state().head.active, |it| it.controller);
    let who = Who { cause: fact.event, subject, subject_left: fact.left, ..Who::card(source, controller) };
    load_args(exec, rule, fact, subject);
    if !exec.holds(who, rule.filter)? || !exec.holds(who, rule.conditions)? {
        return if exec.is_traced() { note_mismatch(exec, who, id, fact) } else { Ok(()) };
    }
    let trigger = Trigger { rule: id, priority: rule.priority, source, controller, fact, subject, index, delay: 0 };
    let used_up = used_up(exec, rule, &trigger, found);
    if exec.is_traced() {
        let full = used_up.map(|(scope, max)| Verdict::UsedUp { scope, max });
        let verdict = full.unwrap_or_else(|| exec.tell_match(who, rule));
        exec.note(fact, id, source, subject, verdict);
    }
    if used_up.is_none() {
        found.push(trigger);
    }
    check_count(exec, found)
}

/// Makes the fields of the event the first variables.
fn load_args(exec: &mut Exec<'_>, rule: &Rule, fact: Fact, subject: EntityId) {
    let Some(event) = exec.program.event(fact.kind) else {
        return;
    };
    let n_cells = usize::from(rule.cells).max(event.fields.len());
    let Scratch { machine, data, .. } = &mut *exec.scratch;
    load_fields(slice(data, fact.args), event, fact.one_subject, n_cells, machine);
    if let Some(at) = event.subject.filter(|_| rule.per_subject || rule.timing == Timing::After) {
        machine.set_local(usize::from(at), subject.into());
    }
}

/// Gives fields room for more variables: scalars first, then the items of lists, whose places move with them.
/// A fact has one subject even where the field of its intent holds many.
fn load_fields(cells: &[i64], event: &EventType, one_subject: bool, n_cells: usize, machine: &mut Machine) {
    let n_fields = event.fields.len();
    let shift = n_cells.saturating_sub(n_fields);
    let (fields, lists) = cells.split_at(n_fields.min(cells.len()));
    machine.load(fields);
    machine.grow_locals(n_cells.max(n_fields));
    machine.add_list(lists);
    for (i, _) in event.fields.iter().enumerate().filter(|it| it.1.many) {
        let is_subject = event.subject.is_some_and(|it| usize::from(it) == i);
        let value = machine.local(i);
        if !(is_subject && one_subject) && value != NULL {
            let (start, len) = span_of(value);
            machine.set_local(i, descriptor(start.saturating_add(shift), len));
        }
    }
}

/// What a trigger is counted for, and how often it may be.
fn limit_keys(
    state: &MatchState,
    rule: &Rule,
    id: RuleId,
    holder: EntityId,
    event: EventNo,
    source: EntityId,
    root: EventNo,
) -> [Option<(LimitKey, u16)>; 3] {
    let key = |scope: LimitScope| LimitKey { rule: id, holder, scope };
    [
        rule.limiter.per_turn.map(|n| (key(LimitScope::Turn(state.head.turn)), n)),
        rule.limiter.per_event.map(|n| (key(LimitScope::Event(event)), n)),
        rule.limiter.per_source.map(|n| (key(LimitScope::Source(source, root)), n)),
    ]
}

fn keys_of(state: &MatchState, rule: &Rule, it: &Trigger) -> [Option<(LimitKey, u16)>; 3] {
    limit_keys(state, rule, it.rule, it.source, it.fact.producer, it.fact.source, it.fact.root)
}

fn counted(state: &MatchState, key: LimitKey) -> u16 {
    state.counts.binary_search_by(|it| it.0.cmp(&key)).ok().and_then(|at| state.counts.get(at)).map_or(0, |it| it.1)
}

/// The first limiter without room, counting what was found before in the same set.
fn used_up(exec: &Exec<'_>, rule: &Rule, trigger: &Trigger, found: &[Trigger]) -> Option<(LimitScope, u16)> {
    let state = exec.state();
    let full = keys_of(state, rule, trigger).into_iter().flatten().find(|(key, max)| {
        let same = found.iter().filter(|it| it.rule == trigger.rule && it.source == trigger.source);
        let same = same.filter(|it| keys_of(state, rule, it).iter().flatten().any(|k| k.0 == *key));
        let before = u16::try_from(same.count()).unwrap_or(u16::MAX);
        counted(state, *key).saturating_add(before) >= *max
    });
    full.map(|(key, max)| (key.scope, max))
}

/// Makes rows of triggers that were found together, in the order they resolve in.
fn materialize_all(exec: &mut Exec<'_>, mut found: Vec<Trigger>) -> Result<Vec<(Frame, Span)>, Fault> {
    sort(&mut found, exec.state());
    let mut frames = Vec::with_capacity(found.len());
    for trigger in &found {
        frames.push(materialize(exec, trigger)?);
    }
    Ok(frames)
}

/// Puts sorted rows where they wait: on the stack, with a deferring list, or before their player.
fn place(exec: &mut Exec<'_>, frames: Vec<(Frame, Span)>, holder: Option<EventNo>) -> Result<(), Fault> {
    if frames.is_empty() {
        return Ok(());
    }
    if let Some(holder) = holder {
        for (frame, cells) in frames {
            exec.add(Record::Held { holder, frame, cells });
        }
        return Ok(());
    }
    if exec.program.policy.player_orders_triggers && crate::order::needs_order(&frames) {
        return crate::order::push(exec, frames);
    }
    push_in_order(exec, frames)
}

/// Pushes rows so that the first of the list resolves first, or last where the ruleset wants it so.
pub fn push_in_order(exec: &mut Exec<'_>, mut frames: Vec<(Frame, Span)>) -> Result<(), Fault> {
    match exec.program.policy.reaction_order {
        ReactionOrder::Resolve => frames.reverse(),
        ReactionOrder::ApnapStack => {}
    }
    for (frame, cells) in frames {
        exec.push_frame(frame, cells)?;
    }
    Ok(())
}

/// Makes a row of a trigger and counts it.
fn materialize(exec: &mut Exec<'_>, trigger: &Trigger) -> Result<(Frame, Span), Fault> {
    let program = exec.program;
    let rule = program.rule(trigger.rule).ok_or(Fault::Invariant)?;
    for (key, _) in keys_of(exec.state(), rule, trigger).into_iter().flatten() {
        let n = counted(exec.state(), key).saturating_add(1);
        exec.add(Record::Counted(key, n));
    }
    load_args(exec, rule, trigger.fact, trigger.subject);
    if trigger.delay != 0 {
        load_kept(exec, rule, trigger.delay);
        exec.add(Record::DelayUsed(trigger.delay));
    }
    let span = exec.keep_locals();
    let event = exec.event_no();
    let waiting = exec.state().delays.iter().find(|it| it.what.no == trigger.delay);
    let moves = waiting.map(|it| it.what.source_moves);
    let moves = moves.unwrap_or_else(|| exec.state().ent(trigger.source).map_or(0, |it| it.moves));
    // A source that left by the very event is remembered as it was before.
    let left = trigger.fact.left && trigger.source == trigger.fact.subject;
    let frame = Frame {
        rule: trigger.rule,
        pc: rule.effects,
        cause: trigger.fact.event,
        root: trigger.fact.root,
        source: trigger.source,
        source_moves: if left { moves.wrapping_sub(1) } else { moves },
        subject: trigger.subject,
        subject_left: trigger.fact.left,
        controller: trigger.controller,
        limit_event: trigger.fact.producer,
        limit_source: trigger.fact.source,
        ..Frame::blank(FrameKind::Trigger, event)
    };
    Ok((frame, span))
}

/// A waiting rule that came to nothing waits again, with the values it kept.
fn wait_again(exec: &mut Exec<'_>, frame: &Frame, rule: &Rule) {
    let Some(delay) = rule.delay.filter(|it| it.times > 0) else { return };
    let (start, n) = (usize::from(delay.kept_at), usize::from(delay.n_kept));
    let kept = exec.state().cells_of(frame).get(start..start.saturating_add(n)).unwrap_or_default().to_vec();
    let span = exec.scratch.keep(kept);
    let head = DelayHead {
        no: exec.mod_no(),
        rule: frame.rule,
        controller: frame.controller,
        source: frame.source,
        source_moves: frame.source_moves,
        left: 1,
    };
    exec.add(Record::Delayed(head, span));
}

/// Gives back what a trigger was counted for, because it came to nothing.
pub fn give_back(exec: &mut Exec<'_>, frame: &Frame) {
    let Some(rule) = exec.program.rule(frame.rule) else {
        return;
    };
    wait_again(exec, frame, rule);
    let keys =
        limit_keys(exec.state(), rule, frame.rule, frame.source, frame.limit_event, frame.limit_source, frame.root);
    for (key, _) in keys.into_iter().flatten() {
        let n = counted(exec.state(), key);
        if n > 0 {
            exec.add(Record::Counted(key, n.saturating_sub(1)));
        }
    }
}

/// Lets go what a list held back, sorted as if it had been found together.
pub fn release(exec: &mut Exec<'_>, holder: EventNo) -> Result<(), Fault> {
    let state = exec.state();
    let mut held: Vec<_> = state.held.iter().filter(|it| it.holder == holder).cloned().collect();
    if held.is_empty() {
        return Ok(());
    }
    held.sort_by_key(|it| {
        let rule = exec.program.rule(it.frame.rule);
        let priority = rule.map_or(0, |it| it.priority);
        let rank = rank(exec.state(), it.frame.source, it.frame.controller);
        (Reverse(priority), rank, it.frame.rule, it.frame.source, it.frame.cause)
    });
    exec.add(Record::Released(holder));
    let mut frames = Vec::with_capacity(held.len());
    for it in held {
        let span = exec.scratch.keep(it.cells.iter().copied());
        frames.push((it.frame, span));
    }
    let outer = exec.state().stack.iter().rev().find(|it| it.deferring && it.event != holder).map(|it| it.event);
    place(exec, frames, outer)
}
