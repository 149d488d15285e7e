//! A battle that nobody watches does not allocate.

mod table;

use auto_battle::{Matchup, NoEvents, WorkCounter, starter_pool};

#[test]
fn a_battle_without_events_allocates_nothing() {
    let pool = starter_pool();
    let player = table::indices("zombie_captain, zombie_breeder, nurse_goblin, lich, archer");
    let enemy = table::indices("troll_brute, wolf_rider, headhunter, mana_reaper, behemoth");
    let info = allocation_counter::measure(|| {
        let matchup = Matchup::of_indices(&pool, &player, &enemy).unwrap();
        matchup.fight(7, &mut NoEvents);
        matchup.fight(7, &mut WorkCounter::default());
    });
    assert_eq!(info.count_total, 0);
}
