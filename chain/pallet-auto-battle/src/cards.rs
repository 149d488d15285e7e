//! The registry of cards. A card is what it does: its hash is its identity, its texts are not.

use auto_battle::CardHash;
use frame::prelude::{BlockNumberFor, DispatchResult, Get as _, Saturating, ensure};

use crate::metadata::ensure_card_text;
use crate::types::{AccountIdOf, CardMeta, CardMetaOf, CardOnChain, CardText};
use crate::{CardCount, CardMetadata, Cards, Config, Error, Event, Pallet};

impl<T: Config> Pallet<T> {
    /// Registers a card for a fee; one that exists already costs and changes nothing.
    pub(crate) fn do_register_card(who: AccountIdOf<T>, card: &CardOnChain, text: CardText) -> DispatchResult {
        card.check_registration().map_err(|_| Error::<T>::CardOutOfBounds)?;
        ensure_card_text::<T>(&text)?;
        let card_hash = card.hash();
        if Cards::<T>::contains_key(card_hash) {
            return Ok(());
        }
        Self::pay(&who, &T::TreasuryAccount::get(), T::CardFee::get())?;
        Self::store_card(card_hash, card, describe::<T>(who.clone(), Self::clock(), text));
        Self::deposit_event(Event::CardRegistered { who, card_hash });
        Ok(())
    }

    pub(crate) fn store_card(card_hash: CardHash, card: &CardOnChain, meta: CardMetaOf<T>) {
        Cards::<T>::insert(card_hash, card);
        CardMetadata::<T>::insert(card_hash, meta);
        CardCount::<T>::mutate(Saturating::saturating_inc);
    }

    /// Changes the texts of a card; its creator alone may.
    pub(crate) fn do_update_card_metadata(who: AccountIdOf<T>, card_hash: CardHash, text: CardText) -> DispatchResult {
        let meta = CardMetadata::<T>::get(card_hash).ok_or(Error::<T>::CardNotFound)?;
        ensure!(meta.creator == who, Error::<T>::NotCreator);
        ensure_card_text::<T>(&text)?;
        CardMetadata::<T>::insert(card_hash, describe::<T>(who.clone(), meta.created_at, text));
        Self::deposit_event(Event::CardMetadataUpdated { who, card_hash });
        Ok(())
    }
}

pub(crate) fn describe<T: Config>(
    creator: AccountIdOf<T>,
    created_at: BlockNumberFor<T>,
    text: CardText,
) -> CardMetaOf<T> {
    let CardText { name, description, image_url } = text;
    CardMeta { name, description, image_url, creator, created_at }
}
