//! Where the cache is and what may be done with it, as the environment says.

use std::path::PathBuf;

use crate::path_of;

/// How large the cache may become unless `LOOM_CACHE_SIZE` says otherwise.
const DEFAULT_LIMIT: u64 = 5 << 30;

/// What may be done with the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Nothing.
    Off,
    /// Answers are taken from it, nothing is added.
    ReadOnly,
    /// Both.
    ReadWrite,
}

/// How the cache is to be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What may be done.
    pub mode: Mode,
    /// Its directory, absolute.
    pub directory: PathBuf,
    /// Bytes it may hold.
    pub limit: u64,
    /// Whether every answer is computed again and compared.
    pub verify: bool,
}

impl Settings {
    /// Reads `LOOM_CACHE` (`off`, `ro`, `rw`), `LOOM_CACHE_DIR`, `LOOM_CACHE_SIZE` (bytes, or with `K`, `M`, `G`) and
    /// `LOOM_CACHE_VERIFY`, and where the user's caches are. Without any directory the cache is off.
    ///
    /// The error is a sentence about a variable that cannot be understood.
    pub fn read(environment: &[(Vec<u8>, Vec<u8>)]) -> Result<Self, String> {
        let variable = |name: &str| {
            let found = environment.iter().find(|(it, _)| it == name.as_bytes());
            found.map(|(_, value)| &value[..]).filter(|it| !it.is_empty())
        };
        let mode = match variable("LOOM_CACHE") {
            Some(b"off") => Mode::Off,
            Some(b"ro") => Mode::ReadOnly,
            Some(b"rw") => Mode::ReadWrite,
            None => DEFAULT_MODE,
            Some(other) => return Err(misread("LOOM_CACHE", other, "'off', 'ro' or 'rw'")),
        };
        let limit = match variable("LOOM_CACHE_SIZE") {
            None => DEFAULT_LIMIT,
            Some(text) => parse_size(text)
                .ok_or_else(|| misread("LOOM_CACHE_SIZE", text, "a size such as '500M' or '5G'"))?,
        };
        let verify = match variable("LOOM_CACHE_VERIFY") {
            None | Some(b"0") => false,
            Some(b"1") => true,
            Some(other) => return Err(misread("LOOM_CACHE_VERIFY", other, "'0' or '1'")),
        };
        let below = |name, rest: &str| variable(name).map(|it| path_of(it).join(rest));
        let directory = variable("LOOM_CACHE_DIR")
            .map(|it| path_of(it).to_owned())
            .or_else(|| below("XDG_CACHE_HOME", "loom"))
            .or_else(|| below("HOME", ".cache/loom"));
        let mut settings = Self {
            mode,
            directory: directory.unwrap_or_default(),
            limit,
            verify,
        };
        // A relative directory would be another one in each directory.
        if !settings.directory.is_absolute() {
            if variable("LOOM_CACHE_DIR").is_some() && mode != Mode::Off {
                let text = variable("LOOM_CACHE_DIR").unwrap_or_default();
                return Err(misread("LOOM_CACHE_DIR", text, "an absolute path"));
            }
            settings.mode = Mode::Off;
        }
        Ok(settings)
    }
}

/// Decision 12: on unless somebody says otherwise.
const DEFAULT_MODE: Mode = Mode::ReadWrite;

fn misread(name: &str, value: &[u8], wanted: &str) -> String {
    format!(
        "the environment variable {name} is '{}' instead of {wanted}",
        String::from_utf8_lossy(value)
    )
}

/// The number of bytes that `text` says: a number, or one with `K`, `M` or `G`.
pub fn parse_size(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let digits = text.trim_end_matches(|it: char| !it.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
        let variables: Vec<_> = variables
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        Settings::read(&variables)
    }

    #[test]
    fn the_directory_is_the_users_unless_named() {
        let directory = |variables: &[(&str, &str)]| read(variables).unwrap().directory;
        assert_eq!(directory(&[("HOME", "/home/a")]), path_of(b"/home/a/.cache/loom"));
        assert_eq!(
            directory(&[("HOME", "/home/a"), ("XDG_CACHE_HOME", "/x")]),
            path_of(b"/x/loom")
        );
        assert_eq!(
            directory(&[("HOME", "/home/a"), ("LOOM_CACHE_DIR", "/c")]),
            path_of(b"/c")
        );
        assert_eq!(read(&[]).unwrap().mode, Mode::Off);
        assert_eq!(read(&[("HOME", "/h")]).unwrap().mode, Mode::ReadWrite);
    }

    #[test]
    fn sizes_have_units() {
        let limit = |text| read(&[("LOOM_CACHE_SIZE", text)]).map(|it| it.limit);
        assert_eq!(limit("10"), Ok(10));
        assert_eq!(limit("3K"), Ok(3 << 10));
        assert_eq!(limit("2G"), Ok(2 << 30));
        for wrong in ["G", "1T", "-1", "1GG", "99999999999G"] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        let message = read(&[("LOOM_CACHE", "on")]).unwrap_err();
        assert_eq!(
            message,
            "the environment variable LOOM_CACHE is 'on' instead of 'off', 'ro' or 'rw'"
        );
        assert!(read(&[("LOOM_CACHE", "rw"), ("LOOM_CACHE_DIR", "here")]).is_err());
        assert!(read(&[("LOOM_CACHE_VERIFY", "yes")]).is_err());
    }
}
