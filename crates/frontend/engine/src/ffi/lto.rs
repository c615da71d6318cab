//! `loom_lto.h`: symbols of modules and their merge.

use std::ffi::{c_int, c_uint, c_void};

use loom_base::Blob;
use loom_frontend::engine::ModuleError;
use loom_frontend::link::{LinkError, LinkSymbol, SymbolKind, SymbolTable, Use};

use super::bytes::{Collector, Failure};
use super::raw::{Bytes, FailureCallback, Sink};

#[repr(C)]
struct Symbol {
    name: Bytes,
    comdat: Bytes,
    section: Bytes,
    common_size: u64,
    flags: u32,
}

#[repr(C)]
struct Input {
    name: Bytes,
    bitcode: Bytes,
    resolutions: *const u8,
    count: usize,
}

unsafe extern "C" {
    fn loom_lto_symbols(
        bitcode: Bytes,
        context: *mut c_void,
        symbol: unsafe extern "C" fn(*mut c_void, *const Symbol),
        failure: FailureCallback,
    ) -> c_int;
    fn loom_same_layout(left: Bytes, right: Bytes, failure: FailureCallback) -> c_int;
    fn loom_lto_merge(
        inputs: *const Input,
        count: usize,
        level: c_uint,
        linked: Sink,
        failure: FailureCallback,
    ) -> c_int;
}

/// The symbols of a bitcode module, in the order in which its resolutions are given.
pub(crate) fn symbols(bitcode: &[u8]) -> Result<SymbolTable, ModuleError> {
    let mut table = SymbolTable::default();
    let mut failure = Failure::default();
    // SAFETY: the table is borrowed for the call, whose callbacks run on this thread only.
    let status = unsafe {
        loom_lto_symbols(
            bitcode.into(),
            (&raw mut table).cast(),
            take_symbol,
            failure.callback(),
        )
    };
    match status {
        0 => Ok(table),
        _ => Err(failure.into_error()),
    }
}

unsafe extern "C" fn take_symbol(context: *mut c_void, symbol: *const Symbol) {
    // SAFETY: the context is the table of the running call; the symbol and its bytes live until we return.
    let (table, symbol) = unsafe { (&mut *context.cast::<SymbolTable>(), &*symbol) };
    // SAFETY: as above.
    let (name, comdat, section) = unsafe {
        (
            symbol.name.as_slice(),
            symbol.comdat.as_slice(),
            symbol.section.as_slice(),
        )
    };
    let flag = |bit: u32| symbol.flags & bit != 0;
    let kind = match () {
        () if flag(1) => SymbolKind::Undefined,
        () if flag(4) => SymbolKind::Common(symbol.common_size),
        () => SymbolKind::Defined,
    };
    table.symbols.push(LinkSymbol {
        weak: flag(2),
        hidden: flag(8),
        protected: flag(16),
        used: flag(32),
        omittable: flag(64),
        comdat: (!comdat.is_empty()).then(|| comdat.to_vec()),
        section: section.to_vec(),
        ..LinkSymbol::new(name, kind)
    });
}

/// Whether two data layouts are equal in structure.
pub(crate) fn same_layout(left: &str, right: &str) -> Result<bool, ModuleError> {
    let mut failure = Failure::default();
    // SAFETY: everything passed lives until the call returns.
    match unsafe {
        loom_same_layout(
            left.as_bytes().into(),
            right.as_bytes().into(),
            failure.callback(),
        )
    } {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(failure.into_error()),
    }
}

/// A module to be merged: its name in messages, its bitcode, and a decision for each of its symbols.
pub(crate) struct Merged<'a> {
    pub(crate) name: &'a str,
    pub(crate) bitcode: &'a [u8],
    pub(crate) uses: &'a [Use],
}

/// Merges modules up to before code generation. Fails with `accelerator_link_failed`.
pub(crate) fn merge(modules: &[Merged<'_>], level: u8) -> Result<Blob, LinkError> {
    let bits: Vec<Vec<u8>> = modules
        .iter()
        .map(|module| module.uses.iter().map(|it| it.0).collect())
        .collect();
    let inputs: Vec<_> = modules
        .iter()
        .zip(&bits)
        .map(|(module, bits)| Input {
            name: module.name.as_bytes().into(),
            bitcode: module.bitcode.into(),
            resolutions: bits.as_ptr(),
            count: bits.len(),
        })
        .collect();
    let (mut linked, mut failure) = (Collector::default(), Failure::default());
    // SAFETY: the inputs and all they point to live until the call returns.
    let status = unsafe {
        loom_lto_merge(
            inputs.as_ptr(),
            inputs.len(),
            level.into(),
            linked.sink(),
            failure.callback(),
        )
    };
    if status == 0 {
        return Ok(Blob::new(linked.into_value()));
    }
    let error = failure.into_error();
    let (members, message) = error.message.split_once("\n\n").unwrap_or_else(|| {
        let message = error.message.strip_prefix('\n');
        ("", message.unwrap_or(&error.message))
    });
    Err(LinkError::new(&error.code, members.lines(), message.trim_end()))
}
