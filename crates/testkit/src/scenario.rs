//! Scenarios: Markdown files with a table to set, commands to play and the log to expect.
//!
//! A file has an optional `ruleset` block before its first heading (JSON, or the name of a game), and for each
//! `## heading` a `setup`, a `play` and a `log` block. `UPDATE_EXPECT=1` rewrites the `log` blocks.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use anyhow::{Context, Result, bail, ensure};
use engine::{
    Command, Control, EntityId, InputNo, Match, PlayerId, Rejection,
    stage::{Placed, Stage},
    state::FrameKind,
};
use ruleset::{AbilityId, ActionId, AttrId, DefId, Ruleset, StepId, ZoneId, program::Slot, sort::Sort, text::Label};

use host::Narrator;

use crate::games;

/// One scenario of a file.
#[derive(Clone, Debug)]
struct Scenario {
    title: String,
    ruleset: String,
    setup: String,
    play: String,
    log: String,
    /// Where the log stands in the file, by lines.
    log_lines: (usize, usize),
}

/// Runs every scenario of a file; rewrites the logs if asked to.
pub fn run_file(path: &Path) -> Result<usize> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let scenarios = parse(&text)?;
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut failures = Vec::new();
    for it in scenarios.iter().rev() {
        let got = play(it).with_context(|| format!("{}: {}", path.display(), it.title))?;
        if got.trim_end() == it.log.trim_end() {
            continue;
        }
        if update {
            let new = got.trim_end().lines().map(str::to_owned);
            lines.splice(it.log_lines.0..it.log_lines.1, new);
        } else {
            failures.push(format!("## {}\n{}", it.title, difference(&it.log, &got)));
        }
    }
    if update {
        fs::write(path, lines.join("\n") + "\n")?;
    }
    ensure!(
        failures.is_empty(),
        "{}: run with UPDATE_EXPECT=1 if this is meant\n{}",
        path.display(),
        failures.join("\n")
    );
    Ok(scenarios.len())
}

/// Runs every scenario below a folder; panics with what differs.
#[track_caller]
pub fn run_folder(folder: &Path) {
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the folder of scenarios is there; qed").flatten().map(|it| it.path()).collect();
    files.retain(|it| it.extension().is_some_and(|ext| ext == "md"));
    files.sort();
    assert!(!files.is_empty(), "no scenarios in {}", folder.display());
    let failures: Vec<String> = files.iter().filter_map(|it| run_file(it).err()).map(|it| format!("{it:#}")).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn difference(expected: &str, got: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.trim_end().lines().collect(), got.trim_end().lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let mut out: Vec<String> = new.iter().take(same).map(|it| format!("  {it}")).collect();
    out.extend(old.iter().skip(same).map(|it| format!("- {it}")));
    out.extend(new.iter().skip(same).map(|it| format!("+ {it}")));
    out.join("\n")
}

fn parse(text: &str) -> Result<Vec<Scenario>> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut shared = String::new();
    let mut block: Option<(String, usize, Vec<&str>)> = None;
    for (number, line) in text.lines().enumerate() {
        if let Some((kind, start, body)) = &mut block {
            if line.trim_end() != "```" {
                body.push(line);
                continue;
            }
            let content = body.join("\n");
            match (scenarios.last_mut(), kind.as_str()) {
                (None, "ruleset") => shared = content,
                (Some(it), "ruleset") => it.ruleset = content,
                (Some(it), "setup") => it.setup = content,
                (Some(it), "play") => it.play = content,
                (Some(it), "log") => {
                    it.log = content;
                    it.log_lines = (*start + 1, number);
                }
                _ => {}
            }
            block = None;
        } else if let Some(title) = line.strip_prefix("## ") {
            let (ruleset, title) = (shared.clone(), title.to_owned());
            scenarios.push(Scenario {
                title,
                ruleset,
                setup: String::new(),
                play: String::new(),
                log: String::new(),
                log_lines: (0, 0),
            });
        } else if let Some(kind) = line.strip_prefix("```") {
            block = Some((kind.trim().to_owned(), number, Vec::new()));
        }
    }
    for it in &scenarios {
        ensure!(it.log_lines != (0, 0), "scenario has no log block: {}", it.title);
    }
    Ok(scenarios)
}

/// The tables of all scenarios in a file whose rulesets can be played, each with its title and the lines to play.
pub fn tables(path: &Path) -> Result<Vec<(String, Table, Vec<String>)>> {
    let scenarios = parse(&fs::read_to_string(path)?)?;
    let playable = scenarios.iter().filter_map(|it| Some((it, compile(it).ok()?)));
    let table = |(it, ruleset): (&Scenario, Arc<Ruleset>)| {
        let lines = it.play.lines().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned);
        Ok((it.title.clone(), Table::set(ruleset, &it.setup)?, lines.collect()))
    };
    playable.map(table).collect()
}

/// The tables of all rulings, each with its title.
pub fn tables_of_rulings() -> Vec<(String, Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rulings");
    let files = fs::read_dir(folder).expect("the folder is part of the crate; qed").flatten();
    let mut files: Vec<_> =
        files.map(|it| it.path()).filter(|it| it.extension().is_some_and(|ext| ext == "md")).collect();
    files.sort();
    let tables = files.iter().flat_map(|it| tables(it).expect("the scenarios can be read; qed"));
    tables.map(|(title, table, _)| (title, table)).collect()
}

fn compile(scenario: &Scenario) -> Result<Arc<Ruleset>, Vec<compiler::Diagnostic>> {
    let text = scenario.ruleset.trim();
    if text.starts_with('{') { games::compile(text) } else { Ok(games::load(text)) }
}

fn play(scenario: &Scenario) -> Result<String> {
    let ruleset = match compile(scenario) {
        Ok(ruleset) => ruleset,
        // A scenario may be about what a ruleset cannot say.
        Err(mistakes) => return Ok(compiler::render(&mistakes)),
    };
    let mut table = Table::set(ruleset, &scenario.setup)?;
    for line in scenario.play.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let played = table.play(line);
        played.with_context(|| format!("line: {line}, after:\n{}\n", table.narrator.lines.join("\n")))?;
    }
    let broken = engine::audit::audit(table.live.ruleset().program(), table.live.state());
    ensure!(broken.is_ok(), "the state is broken: {broken:?}");
    ensure!(table.live.is_derived_sound(), "what is kept for speed does not fit the state");
    Ok(table.narrator.lines.join("\n"))
}

/// A match at a table, with names for its cards.
pub struct Table {
    pub live: Match,
    pub narrator: Narrator,
    labels: BTreeMap<String, EntityId>,
}

impl Table {
    /// Sets a table as the lines of a `setup` block say.
    pub fn set(ruleset: Arc<Ruleset>, setup: &str) -> Result<Self> {
        let program = ruleset.program();
        let mut stage = Stage {
            seed: [0; 32],
            n_players: program.players.min,
            turn: 3,
            active: PlayerId(0),
            step: StepId(0),
            cards: Vec::new(),
            players: Vec::new(),
        };
        let first_window = program.steps.iter().position(|it| it.window).unwrap_or(0);
        stage.step = StepId::at(first_window);
        let mut names = Vec::new();
        let mut decks: Option<Vec<Vec<DefId>>> = None;
        for line in setup.lines().map(str::trim).filter(|it| !it.is_empty()) {
            let (head, tail) = line.split_once(':').with_context(|| format!("setup line without colon: {line}"))?;
            let (head, tail) = (head.trim(), tail.trim());
            match head.split_once(' ') {
                None if head == "turn" => stage.turn = tail.parse()?,
                None if head == "seed" => stage.seed[..8].copy_from_slice(&tail.parse::<u64>()?.to_le_bytes()),
                None if head == "players" => stage.n_players = tail.parse()?,
                None if head == "active" => stage.active = player(tail)?,
                None if head == "step" => stage.step = StepId::at(find(&program.text.steps, tail)?),
                None if head == "start" => decks = Some(start_decks(&ruleset, tail)?),
                None => {
                    let seat = player(head)?;
                    for (name, value) in pairs(tail)? {
                        stage.players.push((seat, AttrId::at(find(&program.text.attrs, &name)?), value));
                    }
                }
                Some((seat, zone)) => {
                    let owner = player(seat)?;
                    let zone = ZoneId::at(find(&program.text.zones, zone)?);
                    for card in tail.split(',').map(str::trim).filter(|it| !it.is_empty()) {
                        let (name, placed) = placed(&ruleset, owner, zone, card)?;
                        names.push(name);
                        stage.cards.push(placed);
                    }
                }
            }
        }
        let n = stage.n_players;
        let mut narrator = Narrator::new(ruleset.clone(), n);
        let mut labels = BTreeMap::new();
        for (i, name) in names.iter().enumerate() {
            let id = EntityId::at(i + usize::from(n));
            let label = name.split_once('#').map_or(String::new(), |it| it.1.to_owned());
            narrator.labels.insert(id, label);
            labels.insert(name.clone(), id);
        }
        let started = match decks {
            Some(decks) => {
                narrator.labels.clear();
                narrator = Narrator::new(ruleset.clone(), u8::try_from(decks.len())?);
                Match::start(ruleset, &engine::Setup { seed: stage.seed, decks }, &mut narrator)
            }
            None => Match::staged(ruleset, &stage, &mut narrator),
        };
        let (live, _) = started.map_err(|it| anyhow::anyhow!("cannot set the table: {it}"))?;
        let shown = narrator.lines.iter().position(|it| !it.starts_with("  ")).unwrap_or(narrator.lines.len());
        narrator.lines.drain(..shown);
        Ok(Self { live, narrator, labels })
    }

    /// Plays one line of a `play` block.
    pub fn play(&mut self, line: &str) -> Result<()> {
        let (line, refused) = line.strip_prefix("! ").map_or((line, false), |it| (it, true));
        self.narrator.lines.push(format!("> {line}"));
        let command = self.command(line)?;
        let before = self.live.encode();
        match self.live.submit(&command, &mut self.narrator) {
            Ok(_) if refused => bail!("was accepted, but should be refused"),
            Ok(_) => Ok(()),
            Err(why) => {
                ensure!(self.live.encode() == before, "a refused command changed the match");
                ensure!(refused, "was refused: {} ({})", why.code(), why);
                self.narrator.lines.push(self.refusal(&why));
                Ok(())
            }
        }
    }

    fn refusal(&self, why: &Rejection) -> String {
        format!("refused {}: {why}", why.code())
    }

    /// The command a line of a `play` block means.
    pub fn command(&self, line: &str) -> Result<Command> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["timer"] => Ok(Command::Control(Control::Timer)),
            ["timeout"] => Ok(Command::Control(Control::Timeout(self.first_input()?))),
            ["pause"] => Ok(Command::Control(Control::Pause)),
            ["resume"] => Ok(Command::Control(Control::Resume)),
            ["void"] => Ok(Command::Control(Control::Void)),
            ["concede", who] => Ok(Command::Control(Control::Concede(player(who)?))),
            ["kick", who] => Ok(Command::Control(Control::Kick(player(who)?))),
            ["disconnect", who] => Ok(Command::Control(Control::Disconnect(player(who)?))),
            ["reconnect", who] => Ok(Command::Control(Control::Reconnect(player(who)?))),
            ["set_result", who] => Ok(Command::Control(Control::SetResult(player(who)?.bit()))),
            ["drop_item", name] => Ok(Command::Control(Control::DropItem(self.stack_event(name)?))),
            ["takeback", to] => Ok(Command::Takeback { to: to.parse()? }),
            [who, "pass"] => Ok(Command::Pass { player: player(who)? }),
            [who, "end_turn"] => Ok(Command::EndTurn { player: player(who)? }),
            [who, "undo"] => Ok(Command::Undo { player: player(who)? }),
            [who, "reorder", cards @ ..] => {
                let cards: Result<Vec<EntityId>> = cards.iter().map(|it| self.card(it)).collect();
                Ok(Command::Reorder { player: player(who)?, cards: cards? })
            }
            [who, verb @ ("answer" | "draft"), rest @ ..] => self.answer(player(who)?, *verb == "answer", rest),
            [who, action, slots @ ..] => self.act(player(who)?, action, slots),
            _ => bail!("not a command"),
        }
    }

    fn first_input(&self) -> Result<InputNo> {
        self.live.state().asks.first().map(|it| it.no).context("no question is open")
    }

    /// The newest event of a type on the stack.
    fn stack_event(&self, name: &str) -> Result<engine::EventNo> {
        let program = self.live.ruleset().program();
        let kind = program
            .text
            .events
            .iter()
            .position(|it| it.id == name)
            .with_context(|| format!("no event type: {name}"))?;
        let stack = &self.live.state().stack;
        let found = stack.iter().rev().find(|it| it.kind == FrameKind::Intent && it.etype.index() == kind);
        found.map(|it| it.event).with_context(|| format!("not on the stack: {name}"))
    }

    fn card(&self, name: &str) -> Result<EntityId> {
        if let Some(id) = self.labels.get(name) {
            return Ok(*id);
        }
        let n = self.live.state().ents.len();
        let found = (0..n).map(EntityId::at).find(|it| self.narrator.entity(*it) == name);
        found.with_context(|| format!("no card of this name: {name}"))
    }

    fn answer(&self, who: PlayerId, confirm: bool, words: &[&str]) -> Result<Command> {
        // `#2` names the second open question.
        let (nth, words) = match words.first().and_then(|it| it.strip_prefix("?")) {
            Some(n) => (n.parse::<usize>()? - 1, &words[1..]),
            None => (usize::MAX, words),
        };
        let mine = self.live.state().asks.iter().find(|it| it.seats & !it.closed & who.bit() != 0);
        let ask = self
            .live
            .state()
            .asks
            .get(nth)
            .or(mine)
            .or(self.live.state().asks.first())
            .context("no question is open")?;
        let rule = self.live.ruleset().program().ask(ask.ask);
        let sort = rule.map_or(Sort::Event, |it| it.choice_type.sort);
        let values: Result<Vec<i64>> =
            words.iter().filter(|it| !matches!(**it, "none" | "no")).map(|it| self.choice(it, sort, ask)).collect();
        Ok(Command::Answer { player: who, input: ask.no, values: values?, confirm })
    }

    fn choice(&self, word: &str, sort: Sort, ask: &engine::state::Ask) -> Result<i64> {
        match sort {
            Sort::Bool => Ok(i64::from(word == "yes")),
            Sort::Int => {
                let modes =
                    self.live.ruleset().program().text.asks.get(ask.ask.index()).map_or(&[][..], |it| &it.modes);
                let at = modes.iter().position(|it| it.replace(' ', "_") == word);
                at.map_or_else(|| Ok(word.parse()?), |it| Ok(i64::try_from(it)?))
            }
            Sort::Event => {
                // Triggers are named by the rule and its card: `Study:Scholar#2`.
                let held = self.live.state().held.iter().find(|it| self.trigger_name(&it.frame) == word);
                held.map_or_else(|| Ok(self.stack_event(word)?.into()), |it| Ok(it.frame.event.into()))
            }
            Sort::Def => Ok(i64::try_from(find(&self.live.ruleset().program().text.defs, word)?)?),
            _ => self.entity(word),
        }
    }

    fn trigger_name(&self, frame: &engine::state::Frame) -> String {
        let rule = &self.live.ruleset().program().text.rules[frame.rule.index()].id;
        format!("{rule}:{}", self.narrator.entity(frame.source))
    }

    fn entity(&self, word: &str) -> Result<i64> {
        player(word).map(i64::from).or_else(|_| self.card(word).map(i64::from))
    }

    fn act(&self, who: PlayerId, name: &str, words: &[&str]) -> Result<Command> {
        let program = self.live.ruleset().program();
        let action = program.text.actions.iter().position(|it| it.label.id == name);
        let Some(action) = action else {
            return Ok(Command::Act { player: who, action: ActionId(u16::MAX - 1), targets: Vec::new() });
        };
        let slots = &program.actions[action].slots;
        let targets: Result<Vec<Vec<i64>>> =
            words.iter().enumerate().map(|(i, word)| self.slot(slots.get(i), word)).collect();
        Ok(Command::Act { player: who, action: ActionId::at(action), targets: targets? })
    }

    fn slot(&self, slot: Option<&Slot>, word: &str) -> Result<Vec<i64>> {
        if word == "-" {
            return Ok(Vec::new());
        }
        let sort = slot.map(|it| it.ty.sort);
        word.split('+')
            .map(|it| match sort {
                Some(Sort::Ability) => {
                    Ok(AbilityId::at(find(&self.live.ruleset().program().text.abilities, it)?).into())
                }
                Some(Sort::Int) => Ok(it.parse()?),
                Some(Sort::Event) => Ok(self.stack_event(it)?.into()),
                _ => self.entity(it).or_else(|_| Ok(self.stack_event(it)?.into())),
            })
            .collect()
    }
}

fn player(text: &str) -> Result<PlayerId> {
    let number: u8 =
        text.strip_prefix('p').and_then(|it| it.parse().ok()).with_context(|| format!("not a player: {text}"))?;
    ensure!(number >= 1, "players count from p1");
    Ok(PlayerId(number - 1))
}

fn find(labels: &[Label], name: &str) -> Result<usize> {
    labels.iter().position(|it| it.id == name).with_context(|| format!("no such name: {name}"))
}

fn pairs(text: &str) -> Result<Vec<(String, i32)>> {
    text.split_whitespace()
        .map(|it| {
            let (name, value) = it.split_once('=').with_context(|| format!("expected name=value: {it}"))?;
            Ok((name.to_owned(), value.parse()?))
        })
        .collect()
}

fn placed(ruleset: &Ruleset, owner: PlayerId, zone: ZoneId, text: &str) -> Result<(String, Placed)> {
    let program = ruleset.program();
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let bare = name.split_once('#').map_or(name, |it| it.0);
    let shown = |it: &Label| it.name.replace(' ', "_") == bare || it.id == bare;
    let def = program.text.defs.iter().position(shown).with_context(|| format!("no such card: {bare}"))?;
    let values: Result<Vec<(AttrId, i32)>> = pairs(rest)?
        .into_iter()
        .map(|(name, value)| Ok((AttrId::at(find(&program.text.attrs, &name)?), value)))
        .collect();
    Ok((name.to_owned(), Placed { def: DefId::at(def), owner, zone, values: values? }))
}

fn start_decks(ruleset: &Ruleset, text: &str) -> Result<Vec<Vec<DefId>>> {
    let program = ruleset.program();
    text.split_whitespace()
        .map(|name| {
            if name == "empty" {
                return Ok(Vec::new());
            }
            let deck =
                program.decks.iter().find(|it| it.id == name).with_context(|| format!("no such deck: {name}"))?;
            Ok(deck.cards.iter().flat_map(|(def, n)| std::iter::repeat_n(*def, usize::from(*n))).collect())
        })
        .collect()
}
