//! GNU build-ids: who an executable is.

use object::Object as _;

/// The GNU build-id of the ELF file with these bytes, in lowercase hex; `None` if it has none.
pub fn build_id(executable: &[u8]) -> Option<String> {
    let id = object::File::parse(executable).ok()?.build_id().ok()??.to_vec();
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_executable_has_no_build_id() {
        assert_eq!(build_id(b""), None);
        assert_eq!(build_id(b"\x7fELF\x02\x01\x01"), None);
        assert_eq!(build_id(b"#!/bin/sh\n"), None);
    }

    #[test]
    fn an_executable_has_one() {
        let own = std::env::current_exe().unwrap();
        let own = loom_store::System::read(&loom_store::OsSystem, &own).unwrap();
        let id = build_id(&own).expect("the toolchain of the tests stamps what it links");
        assert!(
            id.len() >= 16 && id.bytes().all(|digit| digit.is_ascii_hexdigit()),
            "{id}"
        );
    }
}
