//! Harvest: a drafting game for 2 to 4 players.
//!
//! In each of three seasons everybody gets a pack of cards, picks one and passes the rest on, until the packs are empty.
//! All pick at the same time. After the last season everybody goes to the market once: sell up to two crops for three
//! coins each, store one kind of crop for a coin a card, do both, or rest for two coins and do nothing else.
//! Then the barns are shown and counted:
//!
//! - wheat: 1, 3, 6, 10 coins for one, two, three, four or more
//! - apple: 2 coins each
//! - honey: 4 coins each, as long as there is an apple for each
//! - pumpkin: 7 coins for who has most, shared among equals

use script::{Card, Crowd, Event, Face, Mistake, Opts, Outcome, Script, Seat, Table, Visibility, ZoneId};
use selector::{Amount, Choice, Value};
use view::{Catalogue, Layout, Printed, ZoneKind};

const SEASONS: i64 = 3;
const PACK: usize = 5;
/// How often each crop is in the deck: enough for four players and three seasons.
const CROPS: [(&str, usize); 4] = [("wheat", 20), ("apple", 18), ("honey", 12), ("pumpkin", 14)];

/// The game.
pub fn script() -> Script {
    Script::new("harvest", 2..=4, play).with_resampling().with_catalogue(catalogue())
}

/// What clients draw the game from.
fn catalogue() -> Catalogue {
    let zone = |(order, (id, name, owner, visibility, layout)): (u32, ZoneWords)| ZoneKind {
        id: id.to_owned(),
        name: name.to_owned(),
        owner: owner.to_owned(),
        visibility,
        layout,
        order,
        ..ZoneKind::default()
    };
    let card = |(crop, _): (&str, usize)| Printed { id: crop.to_owned(), name: crop.to_owned(), ..Printed::default() };
    Catalogue {
        name: "Harvest".to_owned(),
        description: "Draft crops for three seasons, then sell, store or rest.".to_owned(),
        zones: (0..).zip(ZONES).map(zone).collect(),
        cards: CROPS.into_iter().map(card).collect(),
        ..Catalogue::default()
    }
}

/// A zone: its id and name, whose it is, who sees it, how it is laid out.
type ZoneWords = (&'static str, &'static str, &'static str, view::Visibility, Layout);

const ZONES: [ZoneWords; 4] = [
    ("deck", "Deck", "shared", view::Visibility::None, Layout::Pile),
    ("pack", "Pack", "player", view::Visibility::Owner, Layout::Fan),
    ("barn", "Barn", "player", view::Visibility::Owner, Layout::Grid),
    ("sold", "Sold", "shared", view::Visibility::All, Layout::Pile),
];

/// What lies where.
struct Farm {
    deck: ZoneId,
    packs: Vec<ZoneId>,
    barns: Vec<ZoneId>,
    sold: ZoneId,
}

async fn play(table: Table) -> Result<Outcome, Mistake> {
    let farm = lay_out(&table)?;
    for season in 1..=SEASONS {
        table.set_shared("season", season);
        table.tell(Event::new("season").with("number", season).text("season {number} begins"));
        for pack in &farm.packs {
            table.deal(farm.deck, *pack, PACK)?;
        }
        draft(&table, &farm, season).await?;
    }
    for seat in table.seats() {
        market(&table, &farm, seat).await?;
    }
    count(&table, &farm)
}

fn lay_out(table: &Table) -> Result<Farm, Mistake> {
    let deck = table.add_zone("deck", Visibility::Nobody)?;
    for (crop, n) in CROPS {
        for _ in 0..n {
            table.add_card(deck, Face::new(crop))?;
        }
    }
    table.shuffle(deck)?;
    let own = |name: &str| -> Result<Vec<ZoneId>, Mistake> {
        table.seats().into_iter().map(|it| table.add_own_zone(name, it, Visibility::Owner)).collect()
    };
    Ok(Farm { deck, packs: own("pack")?, barns: own("barn")?, sold: table.add_zone("sold", Visibility::All)? })
}

/// Everybody picks a card and passes the rest on, until nothing is left.
async fn draft(table: &Table, farm: &Farm, season: i64) -> Result<(), Mistake> {
    for _ in 0..PACK {
        let packs: Vec<Vec<Card>> = farm.packs.iter().map(|it| table.cards(*it)).collect::<Result<_, _>>()?;
        let offers: Vec<(Seat, Vec<Card>)> = table.seats().into_iter().zip(packs).collect();
        // The last card of a pack picks itself.
        let picks = table.choose_cards_together(&offers, "Pick a card").await?;
        for ((_, picked), barn) in picks.iter().zip(&farm.barns) {
            table.move_cards(picked, *barn)?;
        }
        pass_on(table, farm, season)?;
    }
    Ok(())
}

/// Packs go to the left, in the second season to the right.
fn pass_on(table: &Table, farm: &Farm, season: i64) -> Result<(), Mistake> {
    let packs: Vec<Vec<Card>> = farm.packs.iter().map(|it| table.cards(*it)).collect::<Result<_, _>>()?;
    let mut to = farm.packs.clone();
    if season % 2 == 0 {
        to.rotate_right(1)
    } else {
        to.rotate_left(1)
    }
    for (cards, pack) in packs.iter().zip(to) {
        if !cards.is_empty() {
            table.move_cards(cards, pack)?;
        }
    }
    Ok(())
}

/// One visit to the market: one or two things, or a rest.
async fn market(table: &Table, farm: &Farm, seat: Seat) -> Result<(), Mistake> {
    let barn = table.cards(farm.barns[usize::from(seat.0)])?;
    let kinds: Vec<&str> = CROPS.iter().map(|it| it.0).filter(|it| count_of(table, &barn, it) > 0).collect();
    let crops = barn.iter().zip(1..).map(|(card, n)| Ok(Choice::from(table.name(*card)?).with_id(n)));
    let crops = crops.collect::<Result<Vec<Choice>, Mistake>>()?;
    let choices = [
        Choice::group("Sell", crops).with_amount(Amount { min: Some(1), max: Some(2), count: None }),
        Choice::group("Store", kinds),
        Choice::from("Rest").exclusive(),
    ];
    let visit = table.choose(seat, choices, Opts::titled("Go to the market").between(1, 2)).await?;
    for errand in &visit {
        let inside = errand.field("selection").and_then(Value::as_list).unwrap_or_default();
        match errand.field("title").unwrap_or(errand).to_string().as_str() {
            "Sell" => sell(table, farm, seat, &barn, inside)?,
            "Store" => store(table, farm, seat, inside)?,
            _ => earn(table, seat, 2, "rests"),
        }
    }
    Ok(())
}

fn sell(table: &Table, farm: &Farm, seat: Seat, barn: &[Card], picked: &[Value]) -> Result<(), Mistake> {
    for crop in picked {
        let number = crop.field("id").map(ToString::to_string).and_then(|it| it.parse::<usize>().ok());
        let card = number.and_then(|it| barn.get(it - 1)).ok_or(Mistake::NoSuchThing)?;
        table.move_card(*card, farm.sold)?;
        earn(table, seat, 3, "sells a crop");
    }
    Ok(())
}

fn store(table: &Table, farm: &Farm, seat: Seat, picked: &[Value]) -> Result<(), Mistake> {
    let barn = table.cards(farm.barns[usize::from(seat.0)])?;
    for kind in picked {
        let n = count_of(table, &barn, &kind.to_string());
        earn(table, seat, n, &format!("stores {kind}"));
    }
    Ok(())
}

fn earn(table: &Table, seat: Seat, coins: i64, how: &str) {
    table.set(seat, "coins", table.get(seat, "coins") + coins);
    let event = Event::new("earned").seat("player", seat).with("coins", coins).with("how", how);
    // How many crops of a kind somebody has is worked out from cards that others do not see.
    table.tell(event.text("{player} {how} and gets {coins} coins").informs());
}

fn count_of(table: &Table, cards: &[Card], crop: &str) -> i64 {
    cards.iter().filter(|it| table.name(**it).is_ok_and(|name| name == crop)).count() as i64
}

/// Shows the barns and counts them.
fn count(table: &Table, farm: &Farm) -> Result<Outcome, Mistake> {
    let mut barns = Vec::new();
    for (seat, barn) in table.seats().into_iter().zip(&farm.barns) {
        let cards = table.cards(*barn)?;
        for card in &cards {
            table.reveal(*card, Crowd::ALL)?;
        }
        barns.push((seat, cards));
    }
    let pumpkins: Vec<i64> = barns.iter().map(|(_, it)| count_of(table, it, "pumpkin")).collect();
    let most = pumpkins.iter().copied().max().unwrap_or(0);
    let n_most = pumpkins.iter().filter(|it| **it == most).count() as i64;
    for ((seat, cards), n_pumpkins) in barns.iter().zip(pumpkins) {
        let of = |crop: &str| count_of(table, cards, crop);
        let prize = if n_pumpkins == most && most > 0 { 7 / n_most } else { 0 };
        let coins =
            [0, 1, 3, 6, 10][of("wheat").min(4) as usize] + 2 * of("apple") + 4 * of("honey").min(of("apple")) + prize;
        earn(table, *seat, coins, "counts the barn");
    }
    // Who left does not stand in the way of the others.
    let here = table.seats().into_iter().filter(|it| table.is_in(*it));
    let scores: Vec<(Seat, i64)> = here.map(|it| (it, table.get(it, "coins"))).collect();
    Ok(Outcome::highest(&scores, "most coins"))
}
