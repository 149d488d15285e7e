//! Going back as all agree: what is said about it.

use serde::{Deserialize, Serialize};

/// That somebody asks all to go back, as long as it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TakebackBody {
    /// Who asks: `p1`.
    pub by: String,
    /// The version to go back to.
    pub to: u32,
    /// The version of the match now.
    pub version: u32,
    /// Those who agreed, the one who asks included.
    pub agreed: Vec<String>,
    /// Those who have yet to say something.
    pub missing: Vec<String>,
    /// What they can say.
    pub answers: TakebackAnswers,
}

/// What can be said to a takeback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakebackAnswers {
    pub agree: TakebackAnswer,
    pub refuse: TakebackAnswer,
}

/// What is sent as `takeback.submit`, or to `POST /matches/{id}/takeback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakebackAnswer {
    pub to: u32,
    pub agree: bool,
}

impl TakebackAnswers {
    /// What can be said to going back to a version.
    pub fn to(to: u32) -> Self {
        Self { agree: TakebackAnswer { to, agree: true }, refuse: TakebackAnswer { to, agree: false } }
    }
}

/// What became of a takeback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TakebackEnd {
    /// All agreed, and the match went back.
    Agreed,
    /// Somebody did not want it.
    Refused,
    /// Who asked thought better of it.
    Withdrawn,
    /// The match went on.
    Overtaken,
    /// Somebody asked to go back elsewhere.
    Replaced,
}
