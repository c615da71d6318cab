//! The ABI compatibility key: the cohort a payload can be linked in.

use loom_base::{Digest, DigestWriter};

use crate::provider::Provider;
use crate::view::{FRONTEND_VIEW, FRONTEND_VIEW_DESCRIPTOR};

/// All that the key depends on (source integration, section 7): neither the data layout, whose spelling is not
/// canonical, nor the view digest, nor the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AbiFacts<'a> {
    /// The provider's repository identity.
    pub repository: &'a [u8],
    /// The provider's full commit.
    pub commit: &'a [u8],
    /// The canonical target triple.
    pub triple: &'a [u8],
    /// The schema descriptor of the frontend view.
    pub view_descriptor: &'a [u8],
    /// The canonical bytes of the frontend view.
    pub view: &'a [u8],
}

impl<'a> AbiFacts<'a> {
    /// The facts of a module for `triple` made by `provider` under the present frontend view.
    pub fn new(provider: &'a Provider, triple: &'a str) -> Self {
        Self {
            repository: provider.repository.as_bytes(),
            commit: provider.commit.as_bytes(),
            triple: triple.as_bytes(),
            view_descriptor: FRONTEND_VIEW_DESCRIPTOR,
            view: FRONTEND_VIEW,
        }
    }
}

/// The ABI compatibility key: `SHA-256("loom.frontend.abi.compatibility.v1\0" || bytes64 of each fact)`.
pub fn encode_abi_key(facts: &AbiFacts<'_>) -> Digest {
    DigestWriter::default()
        .raw(b"loom.frontend.abi.compatibility.v1\0")
        .bytes64(facts.repository)
        .bytes64(facts.commit)
        .bytes64(facts.triple)
        .bytes64(facts.view_descriptor)
        .bytes64(facts.view)
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: AbiFacts<'static> = AbiFacts {
        repository: b"llvm-project",
        commit: b"040a641988f6ed6f4fab250706ca2b620c1de2d8",
        triple: b"x86_64-unknown-linux-gnu",
        view_descriptor: FRONTEND_VIEW_DESCRIPTOR,
        view: FRONTEND_VIEW,
    };

    #[track_caller]
    fn check(facts: AbiFacts<'_>, key: &str) {
        assert_eq!(encode_abi_key(&facts).to_string(), key);
    }

    #[test]
    fn fixed_vector_and_every_changed_fact() {
        check(
            FACTS,
            "ad60cf4c62c649e66871341f556e3731c300eab022bdecd8bbf0f144233a6834",
        );
        check(
            AbiFacts {
                triple: b"riscv64-unknown-unknown-elf",
                ..FACTS
            },
            "cff5d0418cdfc285c2d4cc89c53d617168515808748376dac07d2cf2a6c6fcb4",
        );
        check(
            AbiFacts {
                repository: b"llvm-project-fork",
                ..FACTS
            },
            "ed5e9408e9a889eaa7c04be439d493d6a25787c66373a5e638d973581a3c9b60",
        );
        check(
            AbiFacts {
                commit: &[b'a'; 40],
                ..FACTS
            },
            "bf150f5acc6fae35ad1082491ba818934caa2fb6f732811a247cbf43bfb09d71",
        );
        check(
            AbiFacts {
                triple: b"aarch64-unknown-linux-gnu",
                ..FACTS
            },
            "e8095ffef473a5b70afc63a0781236248d9bb11fa9780274522cacf67f472b35",
        );
        check(
            AbiFacts {
                view_descriptor: b"loom.config.view.frontend.2.0",
                ..FACTS
            },
            "30de2a14dae0007bc80eec6ec288b8394bf1f4e813a276c317e812105224bc5d",
        );
        check(
            AbiFacts { view: b"\0", ..FACTS },
            "18021a4a9b328f5f12629b7482b5413268291034f63fafc9635107e45a3d73a2",
        );
        check(
            AbiFacts {
                repository: b"llvm-projec",
                commit: b"t040a641988f6ed6f4fab250706ca2b620c1de2d8",
                ..FACTS
            },
            "f30588eef65cc2107e7749e87f709b8d84fd364400d050cb982068da8d15eb23",
        );
    }

    #[test]
    fn fixed_vectors_of_the_pinned_provider() {
        let provider = Provider::pinned();
        for (triple, key) in [
            (
                "x86_64-pc-linux-gnu",
                "994b77a718063646de68eea901e0a78cd09d8f5b84646e1b0cb640b9fd7eab2e",
            ),
            (
                "x86_64-unknown-linux-gnu",
                "ba2f6311f06ad964a90ff69a15ce24047043e17c7ba175e79acb09e98af2dd13",
            ),
            (
                "thumbv7em-unknown-none-eabi",
                "d9ab38c60e79647a1643998cbbd68612dcfa43953ba9846c3f7dfe9080f8ab2f",
            ),
        ] {
            check(AbiFacts::new(&provider, triple), key);
        }
    }

    /// Every byte of every fact reaches the key, and so does the place of every border.
    #[test]
    fn every_byte_of_every_fact_counts() {
        let key = encode_abi_key(&FACTS);
        let fields: [for<'a> fn(&'a mut AbiFacts<'static>) -> &'a mut &'static [u8]; 5] = [
            |facts| &mut facts.repository,
            |facts| &mut facts.commit,
            |facts| &mut facts.triple,
            |facts| &mut facts.view_descriptor,
            |facts| &mut facts.view,
        ];
        for field in fields {
            let mut facts = FACTS;
            let original = *field(&mut facts);
            let mut variants: Vec<Vec<u8>> = (0..original.len())
                .map(|at| {
                    let mut changed = original.to_vec();
                    changed[at] ^= 1;
                    changed
                })
                .collect();
            variants.push([original, b"\0"].concat());
            for variant in variants {
                *field(&mut facts) = variant.leak();
                assert_ne!(encode_abi_key(&facts), key, "{facts:?}");
            }
        }
    }
}
