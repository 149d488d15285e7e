//! The auto-battler's rules.

#![no_std]
