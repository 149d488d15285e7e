//! Texts: what people read about cards and sets. No rule looks at them.
//!
//! The texts of a card belong to the account that registered it. A set may show a card with texts
//! of its own, so registering a card first in order to name it gains nothing. Moderators can hide
//! texts from clients and cannot change them.

use auto_battle::CardHash;
use frame::prelude::{DispatchResult, H256, ensure};

use crate::types::{AccountIdOf, CardDisplay, CardText, MetadataSubject, SetMeta, Text};
use crate::{CardMetadata, Cards, Config, Error, Event, HiddenMetadata, Pallet, SetDisplays, SetMetadata, Sets};

impl<T: Config> Pallet<T> {
    /// Shows a card of a set with texts of the set's own, or no longer.
    pub(crate) fn do_update_set_display(
        who: &AccountIdOf<T>,
        set_hash: H256,
        card_hash: CardHash,
        text: Option<CardText>,
    ) -> DispatchResult {
        let set = Sets::<T>::get(set_hash).ok_or(Error::<T>::SetNotFound)?;
        ensure!(set.creator == *who, Error::<T>::NotCreator);
        ensure!(set.cards.iter().any(|it| it.card_hash == card_hash), Error::<T>::NotInSet);
        let mut displays = SetDisplays::<T>::get(set_hash);
        displays.retain(|it| it.card_hash != card_hash);
        if let Some(text) = text {
            ensure_card_text::<T>(&text)?;
            // A set has each card once and at most as many cards as there is room.
            let _ = displays.try_push(CardDisplay { card_hash, text });
        }
        match displays.is_empty() {
            true => SetDisplays::<T>::remove(set_hash),
            false => SetDisplays::<T>::insert(set_hash, displays),
        }
        Self::deposit_event(Event::SetDisplayUpdated { set_hash, card_hash });
        Ok(())
    }

    /// Hides texts, or shows them again.
    pub(crate) fn do_hide_metadata(subject: MetadataSubject, hidden: bool) -> DispatchResult {
        match subject {
            MetadataSubject::Card(card) => ensure!(Cards::<T>::contains_key(card), Error::<T>::CardNotFound),
            MetadataSubject::Set(set) => ensure!(Sets::<T>::contains_key(set), Error::<T>::SetNotFound),
        }
        match hidden {
            true => HiddenMetadata::<T>::insert(subject, ()),
            false => HiddenMetadata::<T>::remove(subject),
        }
        Self::deposit_event(Event::MetadataHidden { subject, hidden });
        Ok(())
    }

    /// The texts that a client shows for a card of a set: the set's own, or else the creator's,
    /// unless they are hidden.
    pub fn view_card_text(set_hash: H256, card_hash: CardHash) -> Option<CardText> {
        let is_shown = |it| !HiddenMetadata::<T>::contains_key(it);
        let displays = SetDisplays::<T>::get(set_hash);
        let own = displays.into_iter().find(|it| it.card_hash == card_hash).map(|it| it.text);
        let own = own.filter(|_| is_shown(MetadataSubject::Set(set_hash)));
        own.or_else(|| {
            let meta = CardMetadata::<T>::get(card_hash).filter(|_| is_shown(MetadataSubject::Card(card_hash)))?;
            Some(CardText { name: meta.name, description: meta.description, image_url: meta.image_url })
        })
    }

    /// The texts that a client shows for a set, unless they are hidden.
    pub fn view_set_text(set_hash: H256) -> Option<SetMeta> {
        let is_hidden = HiddenMetadata::<T>::contains_key(MetadataSubject::Set(set_hash));
        SetMetadata::<T>::get(set_hash).filter(|_| !is_hidden)
    }
}

/// Refuses texts that a client could not show.
pub(crate) fn ensure_card_text<T: Config>(text: &CardText) -> Result<(), Error<T>> {
    let CardText { name, description, image_url } = text;
    ensure_utf8(name)?;
    ensure_utf8(description)?;
    ensure_utf8(image_url)
}

/// As [`ensure_card_text`], for sets.
pub(crate) fn ensure_set_text<T: Config>(text: &SetMeta) -> Result<(), Error<T>> {
    ensure_utf8(&text.name)?;
    ensure_utf8(&text.description)
}

fn ensure_utf8<T: Config, const MAX: u32>(text: &Text<MAX>) -> Result<(), Error<T>> {
    core::str::from_utf8(text).map(drop).map_err(|_| Error::<T>::NotUtf8)
}
