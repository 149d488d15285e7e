//! Tricks: a trick-taking game with bids for 2 to 4 players.
//!
//! There are four suits of eight ranks. Each hand, everybody gets six cards, and the next card of the deck is turned up:
//! its suit is trumps. All bid at the same time how many tricks they will take. Then the player after the dealer leads;
//! everybody must follow suit who can. The highest trump takes the trick, or else the highest card of the suit that was
//! led, and its player leads next. A trick is worth a point, and a bid that was met to the trick five more.
//! Everybody deals once; most points win.

use script::{Card, Event, Face, Mistake, Opts, Outcome, Script, Seat, Table, Visibility, ZoneId};
use selector::{LabelRef, Selector, Value};
use view::{Attribute, AttributeKind, Catalogue, Layout, Printed, ZoneKind};

const SUITS: [&str; 4] = ["suns", "moons", "stars", "comets"];
const RANKS: i64 = 8;
const HAND: usize = 6;

/// The game.
pub fn script() -> Script {
    Script::new("tricks", 2..=4, play).with_resampling().with_catalogue(catalogue())
}

/// What a card is called.
fn card_name(suit: &str, rank: i64) -> String {
    format!("{rank} of {suit}")
}

/// What clients draw the game from.
fn catalogue() -> Catalogue {
    let zone = |(order, (id, name, owner, visibility)): (u32, ZoneWords)| ZoneKind {
        id: id.to_owned(),
        name: name.to_owned(),
        owner: owner.to_owned(),
        layout: match visibility {
            view::Visibility::Owner => Layout::Fan,
            view::Visibility::None => Layout::Pile,
            view::Visibility::All => Layout::Row,
        },
        visibility,
        order,
        ..ZoneKind::default()
    };
    let cards = (0..).zip(SUITS).flat_map(|(suit, name)| (1..=RANKS).map(move |rank| (suit, name, rank)));
    let card = |(suit, name, rank): (i64, &str, i64)| Printed {
        id: format!("{name}_{rank}"),
        name: card_name(name, rank),
        printed: [("rank".to_owned(), rank), ("suit".to_owned(), suit)].into(),
        ..Printed::default()
    };
    let labels = (0..).zip(SUITS).map(|(suit, name): (u32, &str)| (suit.to_string(), name.to_owned())).collect();
    let suit = Attribute {
        id: "suit".to_owned(),
        name: "Suit".to_owned(),
        on: vec!["card".to_owned()],
        holds: "int".to_owned(),
        kind: AttributeKind::Enum,
        labels,
        ..Attribute::default()
    };
    Catalogue {
        name: "Tricks".to_owned(),
        description: "Bid how many tricks you will take, then take just as many.".to_owned(),
        attributes: vec![suit],
        zones: (0..).zip(ZONES).map(zone).collect(),
        cards: cards.map(card).collect(),
        ..Catalogue::default()
    }
}

/// A zone: its id and name, whose it is, who sees it.
type ZoneWords = (&'static str, &'static str, &'static str, view::Visibility);

const ZONES: [ZoneWords; 4] = [
    ("deck", "Deck", "shared", view::Visibility::None),
    ("hand", "Hand", "player", view::Visibility::Owner),
    ("trick", "Trick", "shared", view::Visibility::All),
    ("turned", "Trumps", "shared", view::Visibility::All),
];

/// What lies where.
struct Places {
    deck: ZoneId,
    hands: Vec<ZoneId>,
    trick: ZoneId,
    turned: ZoneId,
}

impl Places {
    fn hand(&self, seat: Seat) -> ZoneId {
        self.hands[usize::from(seat.0)]
    }
}

async fn play(table: Table) -> Result<Outcome, Mistake> {
    let places = lay_out(&table)?;
    for dealer in table.seats() {
        let trumps = deal(&table, &places, dealer)?;
        let bids = bid(&table).await?;
        let taken = play_hand(&table, &places, trumps, table.next_seat(dealer)).await?;
        score(&table, &bids, &taken);
        gather(&table, &places)?;
    }
    // Who left does not stand in the way of the others.
    let here = table.seats().into_iter().filter(|it| table.is_in(*it));
    let scores: Vec<(Seat, i64)> = here.map(|it| (it, table.get(it, "points"))).collect();
    Ok(Outcome::highest(&scores, "most points"))
}

fn lay_out(table: &Table) -> Result<Places, Mistake> {
    let deck = table.add_zone("deck", Visibility::Nobody)?;
    for (suit, name) in (0..).zip(SUITS) {
        for rank in 1..=RANKS {
            table.add_card(deck, Face::new(card_name(name, rank)).with("suit", suit).with("rank", rank))?;
        }
    }
    let hand = |it: Seat| table.add_own_zone("hand", it, Visibility::Owner);
    let hands = table.seats().into_iter().map(hand).collect::<Result<_, _>>()?;
    let (trick, turned) = (table.add_zone("trick", Visibility::All)?, table.add_zone("turned", Visibility::All)?);
    Ok(Places { deck, hands, trick, turned })
}

/// Deals a hand and turns up the trumps.
fn deal(table: &Table, places: &Places, dealer: Seat) -> Result<i64, Mistake> {
    table.shuffle(places.deck)?;
    for seat in table.seats_from(table.next_seat(dealer)) {
        table.deal(places.deck, places.hand(seat), HAND)?;
    }
    let turned = table.deal(places.deck, places.turned, 1)?;
    let trumps = table.value(turned[0], "suit")?;
    table.set_shared("trumps", SUITS[trumps as usize]);
    table.set_shared("dealer", dealer.to_string());
    Ok(trumps)
}

/// Everybody bids at the same time, so nobody knows the others' bids.
async fn bid(table: &Table) -> Result<Vec<i64>, Mistake> {
    let bids = (0..=HAND as i64).collect::<Vec<i64>>();
    let ask = |it: Seat| Selector::select(it, "How many tricks will you take?").offer(bids.clone());
    let responses = table.request_many(table.seats().into_iter().map(ask).collect()).await?;
    let mut bids = Vec::new();
    for (seat, response) in table.seats().into_iter().zip(&responses) {
        let bid = number(response.items().and_then(|it| it.first()));
        table.set(seat, "bid", bid);
        table.set(seat, "tricks", 0);
        table.tell(Event::new("bid").seat("player", seat).with("tricks", bid).text("{player} bids {tricks}"));
        bids.push(bid);
    }
    Ok(bids)
}

fn number(value: Option<&Value>) -> i64 {
    if let Some(LabelRef::Integer(number)) = value.and_then(Value::as_label) { number } else { 0 }
}

/// Plays all tricks of a hand and returns how many each player took.
async fn play_hand(table: &Table, places: &Places, trumps: i64, mut leader: Seat) -> Result<Vec<i64>, Mistake> {
    for _ in 0..HAND {
        let played = play_trick(table, places, leader).await?;
        leader = winner(table, &played, trumps)?;
        table.set(leader, "tricks", table.get(leader, "tricks") + 1);
        table.tell(Event::new("taken").seat("player", leader).text("{player} takes the trick"));
        for (_, card) in played {
            table.move_under(card, places.deck)?;
        }
    }
    Ok(table.seats().into_iter().map(|it| table.get(it, "tricks")).collect())
}

async fn play_trick(table: &Table, places: &Places, leader: Seat) -> Result<Vec<(Seat, Card)>, Mistake> {
    let mut played: Vec<(Seat, Card)> = Vec::new();
    for seat in table.seats_from(leader) {
        let led = played.first().map(|it| table.value(it.1, "suit")).transpose()?;
        let hand = playable(table, &table.cards(places.hand(seat))?, led)?;
        // Who is not asked because only one card is possible would show that the others are of other suits.
        let opts = Opts::titled("Play a card").always_asked();
        let card = table.choose_card(seat, &hand, opts).await?.ok_or(Mistake::NoSuchThing)?;
        table.move_card(card, places.trick)?;
        played.push((seat, card));
    }
    Ok(played)
}

/// The cards of the suit that was led, or all if there is none.
fn playable(table: &Table, hand: &[Card], led: Option<i64>) -> Result<Vec<Card>, Mistake> {
    let mut follows = Vec::new();
    for card in hand {
        if led.is_some() && led == Some(table.value(*card, "suit")?) {
            follows.push(*card);
        }
    }
    Ok(if follows.is_empty() { hand.to_vec() } else { follows })
}

fn winner(table: &Table, played: &[(Seat, Card)], trumps: i64) -> Result<Seat, Mistake> {
    let (mut best, mut best_worth) = (played[0].0, (-1, -1));
    let led = table.value(played[0].1, "suit")?;
    for (seat, card) in played {
        let suit = table.value(*card, "suit")?;
        let class = if suit == trumps { 2 } else { i64::from(suit == led) };
        let worth = (class, table.value(*card, "rank")?);
        if worth > best_worth {
            (best, best_worth) = (*seat, worth);
        }
    }
    Ok(best)
}

fn score(table: &Table, bids: &[i64], taken: &[i64]) {
    for ((seat, bid), tricks) in table.seats().into_iter().zip(bids).zip(taken) {
        let points = tricks + if bid == tricks { 5 } else { 0 };
        table.set(seat, "points", table.get(seat, "points") + points);
        let event = Event::new("scored").seat("player", seat).with("points", points);
        table.tell(event.text("{player} gets {points} points"));
    }
}

/// Puts everything back into the deck.
fn gather(table: &Table, places: &Places) -> Result<(), Mistake> {
    for card in table.cards(places.turned)? {
        table.move_under(card, places.deck)?;
    }
    Ok(())
}
