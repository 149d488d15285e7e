//! placeholder
use frame::prelude::Weight;
pub trait WeightInfo {
    fn start_game() -> Weight;
    fn shop_action() -> Weight;
    fn end_turn() -> Weight;
    fn play_turn(n: u32) -> Weight;
    fn report_outcome() -> Weight;
    fn dispute_battle() -> Weight;
    fn dispute_battle_least() -> Weight;
    fn claim_prize(n: u32) -> Weight;
    fn forfeit() -> Weight;
    fn expire_game() -> Weight;
    fn register_card() -> Weight;
    fn update_card_metadata() -> Weight;
    fn create_set(n: u32) -> Weight;
    fn remove_set() -> Weight;
    fn update_set_metadata() -> Weight;
    fn clean_ghost_boards() -> Weight;
}
impl WeightInfo for () {
    fn start_game() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn shop_action() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn end_turn() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn play_turn(n: u32) -> Weight {
        Weight::from_parts(100_000_000 + 1_000_000 * u64::from(n), 0)
    }
    fn report_outcome() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn dispute_battle() -> Weight {
        Weight::from_parts(40_000_000_000, 0)
    }
    fn dispute_battle_least() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn claim_prize(n: u32) -> Weight {
        Weight::from_parts(200_000_000 + 40_000_000_000 * u64::from(n), 0)
    }
    fn forfeit() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn expire_game() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn register_card() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn update_card_metadata() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn create_set(n: u32) -> Weight {
        Weight::from_parts(100_000_000 + 1_000_000 * u64::from(n), 0)
    }
    fn remove_set() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn update_set_metadata() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
    fn clean_ghost_boards() -> Weight {
        Weight::from_parts(100_000_000, 0)
    }
}
