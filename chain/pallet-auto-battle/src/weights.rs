//! What the calls weigh, measured in the runtime's wasm.
//!
//! Written by `cargo xtask chain-weights`; do not edit by hand.

use core::marker::PhantomData;

use frame::deps::frame_support::weights::RuntimeDbWeight;
use frame::prelude::{Get, Weight};

/// What each call weighs.
pub trait WeightInfo {
    /// The weight of `start_game`.
    fn start_game() -> Weight;
    /// The weight of `shop_action`.
    fn shop_action() -> Weight;
    /// The weight of `play_turn`.
    fn play_turn(n: u32) -> Weight;
    /// The weight of `report_outcome`.
    fn report_outcome() -> Weight;
    /// The weight of `dispute_battle`.
    fn dispute_battle() -> Weight;
    /// The weight of `dispute_battle_least`.
    fn dispute_battle_least() -> Weight;
    /// The weight of `claim_prize`.
    fn claim_prize(n: u32) -> Weight;
    /// The weight of `claim_of_liar`.
    fn claim_of_liar() -> Weight;
    /// The weight of `forfeit`.
    fn forfeit() -> Weight;
    /// The weight of `expire_game`.
    fn expire_game() -> Weight;
    /// The weight of `register_card`.
    fn register_card() -> Weight;
    /// The weight of `update_card_metadata`.
    fn update_card_metadata() -> Weight;
    /// The weight of `create_set`.
    fn create_set(n: u32) -> Weight;
    /// The weight of `remove_set`.
    fn remove_set() -> Weight;
    /// The weight of `update_set_metadata`.
    fn update_set_metadata() -> Weight;
    /// The weight of `clean_ghost_boards`.
    fn clean_ghost_boards() -> Weight;
    /// The weight of `report_late`.
    fn report_late() -> Weight;
    /// The weight of `give_to_pool`.
    fn give_to_pool() -> Weight;
    /// The weight of `update_set_display`.
    fn update_set_display() -> Weight;
    /// The weight of `hide_metadata`.
    fn hide_metadata() -> Weight;
    /// The weight of `on_initialize`.
    fn on_initialize() -> Weight;
    /// The weight of `sweep_step`.
    fn sweep_step() -> Weight;
}

/// Weights with the costs of a database; `()` is one that costs nothing.
pub struct MeasuredWeight<D>(PhantomData<D>);

impl<D: Get<RuntimeDbWeight>> WeightInfo for MeasuredWeight<D> {
    fn start_game() -> Weight {
        Weight::from_parts(1_261_380_000, 70_428).saturating_add(D::get().reads(9)).saturating_add(D::get().writes(8))
    }
    fn shop_action() -> Weight {
        Weight::from_parts(955_564_000, 73_118).saturating_add(D::get().reads(13)).saturating_add(D::get().writes(1))
    }
    /// `n` is from 1 to 64.
    fn play_turn(n: u32) -> Weight {
        Weight::from_parts(1_671_299_334, 128_553)
            .saturating_add(Weight::from_parts(16_121_366, 0).saturating_mul(n.into()))
            .saturating_add(D::get().reads(19))
            .saturating_add(D::get().writes(9))
    }
    fn report_outcome() -> Weight {
        Weight::from_parts(1_043_694_000, 60_497).saturating_add(D::get().reads(12)).saturating_add(D::get().writes(3))
    }
    fn dispute_battle() -> Weight {
        Weight::from_parts(5_346_625_000, 226_054)
            .saturating_add(D::get().reads(14))
            .saturating_add(D::get().writes(39))
    }
    fn dispute_battle_least() -> Weight {
        Weight::from_parts(2_938_547_000, 226_054)
            .saturating_add(D::get().reads(14))
            .saturating_add(D::get().writes(39))
    }
    /// `n` is from 0 to 5.
    fn claim_prize(n: u32) -> Weight {
        Weight::from_parts(7_989_276_000, 288_262)
            .saturating_add(Weight::from_parts(211_824_000, 0).saturating_mul(n.into()))
            .saturating_add(D::get().reads(32))
            .saturating_add(D::get().writes(36))
    }
    fn claim_of_liar() -> Weight {
        Weight::from_parts(4_144_700_000, 308_021)
            .saturating_add(D::get().reads(35))
            .saturating_add(D::get().writes(38))
    }
    fn forfeit() -> Weight {
        Weight::from_parts(2_234_867_000, 183_938)
            .saturating_add(D::get().reads(10))
            .saturating_add(D::get().writes(36))
    }
    fn expire_game() -> Weight {
        Weight::from_parts(2_923_235_000, 191_876)
            .saturating_add(D::get().reads(11))
            .saturating_add(D::get().writes(37))
    }
    fn register_card() -> Weight {
        Weight::from_parts(881_364_000, 35_774).saturating_add(D::get().reads(4)).saturating_add(D::get().writes(5))
    }
    fn update_card_metadata() -> Weight {
        Weight::from_parts(231_910_000, 8_476).saturating_add(D::get().reads(1)).saturating_add(D::get().writes(1))
    }
    /// `n` is from 1 to 64.
    fn create_set(n: u32) -> Weight {
        Weight::from_parts(1_644_358_044, 325_135)
            .saturating_add(Weight::from_parts(43_329_762, 0).saturating_mul(n.into()))
            .saturating_add(D::get().reads(5))
            .saturating_add(D::get().reads(1).saturating_mul(n.into()))
            .saturating_add(D::get().writes(7))
    }
    fn remove_set() -> Weight {
        Weight::from_parts(1_467_967_000, 73_106).saturating_add(D::get().reads(7)).saturating_add(D::get().writes(11))
    }
    fn update_set_metadata() -> Weight {
        Weight::from_parts(220_908_000, 10_009).saturating_add(D::get().reads(1)).saturating_add(D::get().writes(1))
    }
    fn clean_ghost_boards() -> Weight {
        Weight::from_parts(2_017_022_000, 140_574)
            .saturating_add(D::get().reads(13))
            .saturating_add(D::get().writes(22))
    }
    fn report_late() -> Weight {
        Weight::from_parts(2_070_694_000, 102_623).saturating_add(D::get().reads(16)).saturating_add(D::get().writes(6))
    }
    fn give_to_pool() -> Weight {
        Weight::from_parts(743_567_000, 21_980).saturating_add(D::get().reads(3)).saturating_add(D::get().writes(2))
    }
    fn update_set_display() -> Weight {
        Weight::from_parts(679_171_000, 53_260).saturating_add(D::get().reads(2)).saturating_add(D::get().writes(1))
    }
    fn hide_metadata() -> Weight {
        Weight::from_parts(241_503_000, 10_009).saturating_add(D::get().reads(1)).saturating_add(D::get().writes(1))
    }
    fn on_initialize() -> Weight {
        Weight::from_parts(90_300_000, 11_799).saturating_add(D::get().reads(2)).saturating_add(D::get().writes(1))
    }
    fn sweep_step() -> Weight {
        Weight::from_parts(418_611_000, 55_745).saturating_add(D::get().reads(9)).saturating_add(D::get().writes(5))
    }
}

/// The weight of a name, with its component where it has one.
pub fn by_name<W: WeightInfo>(name: &str, n: u32) -> Option<Weight> {
    match name {
        "start_game" => Some(W::start_game()),
        "shop_action" => Some(W::shop_action()),
        "play_turn" => Some(W::play_turn(n)),
        "report_outcome" => Some(W::report_outcome()),
        "dispute_battle" => Some(W::dispute_battle()),
        "dispute_battle_least" => Some(W::dispute_battle_least()),
        "claim_prize" => Some(W::claim_prize(n)),
        "claim_of_liar" => Some(W::claim_of_liar()),
        "forfeit" => Some(W::forfeit()),
        "expire_game" => Some(W::expire_game()),
        "register_card" => Some(W::register_card()),
        "update_card_metadata" => Some(W::update_card_metadata()),
        "create_set" => Some(W::create_set(n)),
        "remove_set" => Some(W::remove_set()),
        "update_set_metadata" => Some(W::update_set_metadata()),
        "clean_ghost_boards" => Some(W::clean_ghost_boards()),
        "report_late" => Some(W::report_late()),
        "give_to_pool" => Some(W::give_to_pool()),
        "update_set_display" => Some(W::update_set_display()),
        "hide_metadata" => Some(W::hide_metadata()),
        "on_initialize" => Some(W::on_initialize()),
        "sweep_step" => Some(W::sweep_step()),
        _ => None,
    }
}
