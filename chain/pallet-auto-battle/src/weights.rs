//! What the calls weigh, measured in the runtime's wasm.
//!
//! Written by `cargo xtask chain-weights`; do not edit by hand.

use core::marker::PhantomData;

use frame::prelude::{Get as _, Weight, frame_system};

/// What each call weighs.
pub trait WeightInfo {
    /// The weight of `start_game`.
    fn start_game() -> Weight;
    /// The weight of `shop_action`.
    fn shop_action() -> Weight;
    /// The weight of `end_turn`.
    fn end_turn() -> Weight;
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
    /// The weight of `clean_ghost_boards`.
    fn clean_ghost_boards() -> Weight;
}

/// Weights with the costs of a chain's database.
pub struct MeasuredWeight<T>(PhantomData<T>);

impl<T: frame_system::Config> WeightInfo for MeasuredWeight<T> {
    fn start_game() -> Weight {
        Weight::from_parts(1_576_803_000, 3_054)
            .saturating_add(T::DbWeight::get().reads(8))
            .saturating_add(T::DbWeight::get().writes(7))
    }
    fn shop_action() -> Weight {
        Weight::from_parts(687_663_000, 10_489)
            .saturating_add(T::DbWeight::get().reads(4))
            .saturating_add(T::DbWeight::get().writes(1))
    }
    fn end_turn() -> Weight {
        Weight::from_parts(933_662_000, 2_457)
            .saturating_add(T::DbWeight::get().reads(5))
            .saturating_add(T::DbWeight::get().writes(6))
    }
    /// `n` is from 1 to 64.
    fn play_turn(n: u32) -> Weight {
        Weight::from_parts(1_394_134_730, 12_227)
            .saturating_add(Weight::from_parts(29_341_270, 0).saturating_mul(n.into()))
            .saturating_add(T::DbWeight::get().reads(8))
            .saturating_add(T::DbWeight::get().writes(6))
    }
    fn report_outcome() -> Weight {
        Weight::from_parts(606_181_000, 1_721)
            .saturating_add(T::DbWeight::get().reads(3))
            .saturating_add(T::DbWeight::get().writes(3))
    }
    fn dispute_battle() -> Weight {
        Weight::from_parts(50_294_492_000, 11_440)
            .saturating_add(T::DbWeight::get().reads(9))
            .saturating_add(T::DbWeight::get().writes(37))
    }
    fn dispute_battle_least() -> Weight {
        Weight::from_parts(3_294_859_000, 11_420)
            .saturating_add(T::DbWeight::get().reads(9))
            .saturating_add(T::DbWeight::get().writes(37))
    }
    /// `n` is from 0 to 5.
    fn claim_prize(n: u32) -> Weight {
        Weight::from_parts(6_170_079_600, 14_888)
            .saturating_add(Weight::from_parts(46_510_974_200, 0).saturating_mul(n.into()))
            .saturating_add(T::DbWeight::get().reads(37))
            .saturating_add(T::DbWeight::get().writes(36))
    }
    fn forfeit() -> Weight {
        Weight::from_parts(2_317_825_000, 2_882)
            .saturating_add(T::DbWeight::get().reads(5))
            .saturating_add(T::DbWeight::get().writes(35))
    }
    fn expire_game() -> Weight {
        Weight::from_parts(2_813_079_000, 2_934)
            .saturating_add(T::DbWeight::get().reads(6))
            .saturating_add(T::DbWeight::get().writes(36))
    }
    fn register_card() -> Weight {
        Weight::from_parts(813_297_000, 52)
            .saturating_add(T::DbWeight::get().reads(4))
            .saturating_add(T::DbWeight::get().writes(5))
    }
    fn update_card_metadata() -> Weight {
        Weight::from_parts(239_276_000, 156)
            .saturating_add(T::DbWeight::get().reads(1))
            .saturating_add(T::DbWeight::get().writes(1))
    }
    /// `n` is from 1 to 64.
    fn create_set(n: u32) -> Weight {
        Weight::from_parts(1_366_903_336, 11_744)
            .saturating_add(Weight::from_parts(75_853_302, 0).saturating_mul(n.into()))
            .saturating_add(T::DbWeight::get().reads(5))
            .saturating_add(T::DbWeight::get().reads(1).saturating_mul(n.into()))
            .saturating_add(T::DbWeight::get().writes(7))
    }
    fn remove_set() -> Weight {
        Weight::from_parts(807_607_000, 2_507)
            .saturating_add(T::DbWeight::get().reads(5))
            .saturating_add(T::DbWeight::get().writes(6))
    }
    fn update_set_metadata() -> Weight {
        Weight::from_parts(271_566_000, 2_368)
            .saturating_add(T::DbWeight::get().reads(1))
            .saturating_add(T::DbWeight::get().writes(1))
    }
    fn clean_ghost_boards() -> Weight {
        Weight::from_parts(1_939_569_000, 2_667)
            .saturating_add(T::DbWeight::get().reads(11))
            .saturating_add(T::DbWeight::get().writes(21))
    }
}

// The same with a database that costs nothing, for tests.
impl WeightInfo for () {
    fn start_game() -> Weight {
        Weight::from_parts(1_576_803_000, 3_054)
    }
    fn shop_action() -> Weight {
        Weight::from_parts(687_663_000, 10_489)
    }
    fn end_turn() -> Weight {
        Weight::from_parts(933_662_000, 2_457)
    }
    /// `n` is from 1 to 64.
    fn play_turn(n: u32) -> Weight {
        Weight::from_parts(1_394_134_730, 12_227)
            .saturating_add(Weight::from_parts(29_341_270, 0).saturating_mul(n.into()))
    }
    fn report_outcome() -> Weight {
        Weight::from_parts(606_181_000, 1_721)
    }
    fn dispute_battle() -> Weight {
        Weight::from_parts(50_294_492_000, 11_440)
    }
    fn dispute_battle_least() -> Weight {
        Weight::from_parts(3_294_859_000, 11_420)
    }
    /// `n` is from 0 to 5.
    fn claim_prize(n: u32) -> Weight {
        Weight::from_parts(6_170_079_600, 14_888)
            .saturating_add(Weight::from_parts(46_510_974_200, 0).saturating_mul(n.into()))
    }
    fn forfeit() -> Weight {
        Weight::from_parts(2_317_825_000, 2_882)
    }
    fn expire_game() -> Weight {
        Weight::from_parts(2_813_079_000, 2_934)
    }
    fn register_card() -> Weight {
        Weight::from_parts(813_297_000, 52)
    }
    fn update_card_metadata() -> Weight {
        Weight::from_parts(239_276_000, 156)
    }
    /// `n` is from 1 to 64.
    fn create_set(n: u32) -> Weight {
        Weight::from_parts(1_366_903_336, 11_744)
            .saturating_add(Weight::from_parts(75_853_302, 0).saturating_mul(n.into()))
    }
    fn remove_set() -> Weight {
        Weight::from_parts(807_607_000, 2_507)
    }
    fn update_set_metadata() -> Weight {
        Weight::from_parts(271_566_000, 2_368)
    }
    fn clean_ghost_boards() -> Weight {
        Weight::from_parts(1_939_569_000, 2_667)
    }
}
