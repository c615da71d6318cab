//! Numbers of the things an item owns.

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id! {
    /// A string of [`super::Strings`]; number 0 is the empty string.
    StringId,
    /// A type: the first numbers are the types without parameters, the others index `Body::types`.
    TypeId,
    /// An attribute of `Body::attrs`.
    AttrId,
    /// A value of `Body::values`.
    ValueId,
    /// An op of `Body::ops`.
    OpId,
    /// A region of `Body::regions`.
    RegionId,
    /// A block of `Body::blocks`.
    BlockId,
}

impl StringId {
    /// The empty string.
    pub const EMPTY: StringId = StringId(0);
}
