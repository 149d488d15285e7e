//! Every limit of a match, in one place. Hitting one is an event, the same on every machine.

/// The limits a ruleset can lower or raise; each has a name in the `limits` object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rows on the stack.
    pub stack_depth_max: u32,
    /// Reactions found for one event.
    pub reactions_per_event_max: u32,
    /// Rounds of one loop in an effect list.
    pub iterations_per_effect_max: u32,
    /// Facts that follow from one root.
    pub facts_per_root_max: u32,
    /// Steps entered without anybody being asked.
    pub steps_without_decision_max: u32,
    /// Instructions one row may run at a time.
    pub instructions_per_step_max: u32,
    /// Work one command may cause: instructions, and records at a higher price.
    pub work_per_command_max: u32,
    /// Cards in a match.
    pub entities_max: u32,
    /// Numbers one row may hold.
    pub cells_per_frame_max: u32,
    /// Rounds of state checks without an end.
    pub check_rounds_max: u32,
}

impl Limits {
    /// The limits of a ruleset that says nothing.
    pub const DEFAULT: Self = Self {
        stack_depth_max: 512,
        reactions_per_event_max: 256,
        iterations_per_effect_max: 1024,
        facts_per_root_max: 10_000,
        steps_without_decision_max: 1000,
        instructions_per_step_max: 1_000_000,
        work_per_command_max: 10_000_000,
        entities_max: 10_000,
        cells_per_frame_max: 20_000,
        check_rounds_max: 256,
    };

    /// The names in the `limits` object, with what each of them limits.
    pub const NAMES: [(&'static str, &'static str); 10] = [
        ("stackDepth", "Rows on the stack."),
        ("reactionsPerEvent", "Reactions found for one event."),
        ("iterationsPerEffect", "Rounds of one loop in an effect list."),
        ("factsPerRoot", "Facts that follow from one action, or from one event of the turn."),
        ("stepsWithoutDecision", "Steps entered without anybody being asked."),
        ("instructionsPerStep", "Instructions one row may run at a time."),
        ("workPerCommand", "Work one command may cause: instructions, and records at a higher price."),
        ("entities", "Cards in a match."),
        ("cellsPerFrame", "Numbers one row may hold."),
        ("checkRounds", "Rounds of state checks without an end."),
    ];

    /// How high a ruleset can raise a limit; none if there is none of this name.
    pub fn highest(name: &str) -> Option<u32> {
        let mut limits = Self::DEFAULT;
        limits.named(name).map(|it| it.saturating_mul(10))
    }

    /// The limit of a name in the `limits` object, for reading and changing it.
    pub fn named(&mut self, name: &str) -> Option<&mut u32> {
        match name {
            "stackDepth" => Some(&mut self.stack_depth_max),
            "reactionsPerEvent" => Some(&mut self.reactions_per_event_max),
            "iterationsPerEffect" => Some(&mut self.iterations_per_effect_max),
            "factsPerRoot" => Some(&mut self.facts_per_root_max),
            "stepsWithoutDecision" => Some(&mut self.steps_without_decision_max),
            "instructionsPerStep" => Some(&mut self.instructions_per_step_max),
            "workPerCommand" => Some(&mut self.work_per_command_max),
            "entities" => Some(&mut self.entities_max),
            "cellsPerFrame" => Some(&mut self.cells_per_frame_max),
            "checkRounds" => Some(&mut self.check_rounds_max),
            _ => None,
        }
    }
}
