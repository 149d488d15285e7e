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
    /// The weight of `on_initialize`.
    fn on_initialize() -> Weight;
    /// The weight of `sweep_step`.
    fn sweep_step() -> Weight;
    /// The weight of `report_late`.
    fn report_late() -> Weight;
    /// The weight of `give_to_pool`.
    fn give_to_pool() -> Weight;
    /// The weight of `update_set_display`.
    fn update_set_display() -> Weight;
    /// The weight of `hide_metadata`.
    fn hide_metadata() -> Weight;
    /// The weight of `clean_ghost_boards`.
    fn clean_ghost_boards() -> Weight;
}

/// Weights with the costs of a database; `()` is one that costs nothing.
pub struct MeasuredWeight<D>(PhantomData<D>);

impl<D: Get<RuntimeDbWeight>> WeightInfo for MeasuredWeight<D> {
    fn start_game() -> Weight {
        Weight::from_parts(1_517_572_000, 3_110).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(7))
    }
    fn shop_action() -> Weight {
        Weight::from_parts(704_775_000, 11_381).saturating_add(D::get().reads(4)).saturating_add(D::get().writes(1))
    }
    /// `n` is from 1 to 64.
    fn play_turn(n: u32) -> Weight {
        Weight::from_parts(1_444_020_535, 13_119)
            .saturating_add(Weight::from_parts(26_566_715, 0).saturating_mul(n.into()))
            .saturating_add(D::get().reads(8))
            .saturating_add(D::get().writes(6))
    }
    fn report_outcome() -> Weight {
        Weight::from_parts(607_013_000, 1_721).saturating_add(D::get().reads(3)).saturating_add(D::get().writes(3))
    }
    fn dispute_battle() -> Weight {
        Weight::from_parts(25_178_405_000, 12_634)
            .saturating_add(D::get().reads(12))
            .saturating_add(D::get().writes(43))
    }
    fn dispute_battle_least() -> Weight {
        Weight::from_parts(3_921_037_000, 12_614).saturating_add(D::get().reads(12)).saturating_add(D::get().writes(43))
    }
    /// `n` is from 0 to 5.
    fn claim_prize(n: u32) -> Weight {
        Weight::from_parts(6_788_264_600, 16_082)
            .saturating_add(Weight::from_parts(21_278_653_200, 0).saturating_mul(n.into()))
            .saturating_add(D::get().reads(40))
            .saturating_add(D::get().writes(42))
    }
    fn forfeit() -> Weight {
        Weight::from_parts(2_945_607_000, 3_184).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(41))
    }
    fn expire_game() -> Weight {
        Weight::from_parts(3_515_710_000, 3_236).saturating_add(D::get().reads(9)).saturating_add(D::get().writes(42))
    }
    fn register_card() -> Weight {
        Weight::from_parts(777_841_000, 52).saturating_add(D::get().reads(4)).saturating_add(D::get().writes(5))
    }
    fn update_card_metadata() -> Weight {
        Weight::from_parts(235_650_000, 156).saturating_add(D::get().reads(1)).saturating_add(D::get().writes(1))
    }
    /// `n` is from 1 to 64.
    fn create_set(n: u32) -> Weight {
        Weight::from_parts(1_329_923_819, 20_961)
            .saturating_add(Weight::from_parts(82_247_937, 0).saturating_mul(n.into()))
            .saturating_add(D::get().reads(5))
            .saturating_add(D::get().reads(1).saturating_mul(n.into()))
            .saturating_add(D::get().writes(7))
    }
    fn remove_set() -> Weight {
        Weight::from_parts(933_462_000, 2_563).saturating_add(D::get().reads(5)).saturating_add(D::get().writes(6))
    }
    fn update_set_metadata() -> Weight {
        Weight::from_parts(262_309_000, 2_368).saturating_add(D::get().reads(1)).saturating_add(D::get().writes(1))
    }
    fn on_initialize() -> Weight {
        Weight::from_parts(1_000_000_000, 20_000).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(7))
    }
    fn sweep_step() -> Weight {
        Weight::from_parts(1_000_000_000, 20_000).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(7))
    }
    fn report_late() -> Weight {
        Weight::from_parts(1_000_000_000, 20_000).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(7))
    }
    fn give_to_pool() -> Weight {
        Weight::from_parts(1_000_000_000, 20_000).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(7))
    }
    fn update_set_display() -> Weight {
        Weight::from_parts(1_000_000_000, 20_000).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(7))
    }
    fn hide_metadata() -> Weight {
        Weight::from_parts(1_000_000_000, 20_000).saturating_add(D::get().reads(8)).saturating_add(D::get().writes(7))
    }
    fn clean_ghost_boards() -> Weight {
        Weight::from_parts(1_858_178_000, 2_667).saturating_add(D::get().reads(11)).saturating_add(D::get().writes(21))
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
        "forfeit" => Some(W::forfeit()),
        "expire_game" => Some(W::expire_game()),
        "register_card" => Some(W::register_card()),
        "update_card_metadata" => Some(W::update_card_metadata()),
        "create_set" => Some(W::create_set(n)),
        "remove_set" => Some(W::remove_set()),
        "update_set_metadata" => Some(W::update_set_metadata()),
        "on_initialize" => Some(W::on_initialize()),
        "sweep_step" => Some(W::sweep_step()),
        "report_late" => Some(W::report_late()),
        "give_to_pool" => Some(W::give_to_pool()),
        "update_set_display" => Some(W::update_set_display()),
        "hide_metadata" => Some(W::hide_metadata()),
        "clean_ghost_boards" => Some(W::clean_ghost_boards()),
        _ => None,
    }
}
