//! What final links are asked by.
#![expect(missing_docs, reason = "salsa generates constructors without documentation")]

use loom_frontend::engine::OsBytes;
use loom_frontend::link::Visibility;

/// A file of which all, or one member, takes part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SelectedInput {
    /// Absolute path.
    pub path: OsBytes,
    /// What messages call the file.
    pub name: String,
    /// The member of the archive; all of them without.
    pub member: Option<SelectedMember>,
}

/// One member of an archive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SelectedMember {
    /// Its name.
    pub name: OsBytes,
    /// Which of the members of that name, from 1; needed where there are several.
    pub number: Option<usize>,
}

/// What is wanted of a link.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FinalLinkOptions {
    /// What is seen from outside.
    pub visibility: Visibility,
    /// LLVM's level, 0 to 3.
    pub level: u8,
}

/// A final link without a native linker: everything named takes part, in this order.
#[salsa::interned(debug)]
pub struct FinalLinkKey<'db> {
    #[returns(ref)]
    pub inputs: Vec<SelectedInput>,
    #[returns(ref)]
    pub options: FinalLinkOptions,
}
