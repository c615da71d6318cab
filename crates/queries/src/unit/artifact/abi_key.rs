//! The ABI compatibility key.

use loom_base::Digest;
use loom_db::Db;
use loom_frontend::abi::{AbiFacts, encode_abi_key};
use loom_frontend::provider::Provider;

use crate::unit::{CompileKey, normalized_bitcode};

/// The cohort that the unit's payload can be linked in: 32 bytes made of provider, triple and frontend view.
#[salsa::tracked(returns(copy))]
pub fn abi_key<'db>(db: &'db dyn Db, key: CompileKey<'db>) -> Option<Digest> {
    let module = normalized_bitcode(db, key).as_ref()?;
    Some(encode_abi_key(&AbiFacts::new(
        &Provider::pinned(),
        &module.triple,
    )))
}
