//! The types a field or parameter can be declared with, for the reference; what they mean to lowering is in `sort`.

/// A type an author can name.
#[derive(Debug)]
pub struct TypeWord {
    pub name: &'static str,
    pub doc: &'static str,
    /// A value of it, as it would stand in an ability of a card.
    pub example: &'static str,
}

const fn ty(name: &'static str, doc: &'static str, example: &'static str) -> TypeWord {
    TypeWord { name, doc, example }
}

/// Every type; `[]` behind one means a list of it, and `?` behind that of a field means that it may be left out.
#[rustfmt::skip]
pub static TYPES: &[TypeWord] = &[
    ty("int", "A whole number.", "3"),
    ty("bool", "True or false; every condition is one.", "true"),
    ty("card", "A card.", r#""self""#),
    ty("player", "A player.", r#""active_player""#),
    ty("entity", "A card or a player.", r#""self""#),
    ty("event", "An event on the stack.", r#"{"ref":"cause"}"#),
    ty("zone", "A kind of zone, by its name.", r#""hand""#),
    ty("attribute", "An attribute or resource that holds a number, by its name.", r#""health""#),
    ty("resource", "An attribute that players have, such as what they pay with.", r#""health""#),
    ty("keyword", "A keyword, by its name.", r#""haste""#),
    ty("cardDef", "What a card is printed as, by the name of the card.", r#""squire""#),
    ty("cardType", "A card type, by its name.", r#""unit""#),
    ty("eventType", "An event type, by the name of the intent or of the fact.", r#""MoveCard""#),
    ty("ability", "An ability, by its name.", r#""Strike""#),
    ty("phase", "A phase, by its name.", r#""main""#),
    ty("step", "A step, by its name.", r#""main1""#),
    ty("answers", "What several players answered to one `ask`; read with `answer_of` and `origin_of`.", r#"{"ref":"picks"}"#),
    ty("origin", "Where an answer came from: `confirmed`, `draft`, `default` or `automatic`.", r#""confirmed""#),
];
