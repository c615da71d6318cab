//! Numbers on the wire: LEB128 without superfluous bytes, zigzag for signed ones.

/// Bytes being written.
#[derive(Default)]
pub(super) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    #[inline]
    pub(super) fn uint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(super) fn int(&mut self, value: i64) {
        self.uint((value << 1 ^ value >> 63) as u64);
    }

    pub(super) fn block(&mut self, bytes: &[u8]) {
        self.uint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }
}

/// Bytes that [`Writer::uint`] takes for `value`.
pub(super) fn uint_length(value: u64) -> usize {
    (64 - (value | 1).leading_zeros()).div_ceil(7) as usize
}

/// Why bytes are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// Offset into the bytes that were read.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
}

/// Bytes being read. Every method fails at the end of the bytes.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

pub(super) type Read<T> = Result<T, Malformed>;

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn fail<T>(&self, what: &'static str) -> Read<T> {
        Err(Malformed { at: self.at, what })
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn u8(&mut self) -> Read<u8> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return self.fail("unexpected end");
        };
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    pub(super) fn uint(&mut self) -> Read<u64> {
        let mut value = 0u64;
        for shift in (0..).step_by(7) {
            let byte = self.u8()?;
            if shift == 63 && byte > 1 {
                return self.fail("number out of range");
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    return self.fail("number with superfluous bytes");
                }
                break;
            }
        }
        Ok(value)
    }

    pub(super) fn u32(&mut self) -> Read<u32> {
        match u32::try_from(self.uint()?) {
            Ok(value) => Ok(value),
            Err(_) => self.fail("number out of range"),
        }
    }

    /// A number of things that take at least `size` bytes each.
    pub(super) fn count(&mut self, size: usize) -> Read<usize> {
        let count = self.uint()?;
        match usize::try_from(count) {
            Ok(count) if count.saturating_mul(size) <= self.left() => Ok(count),
            _ => self.fail("count out of range"),
        }
    }

    pub(super) fn int(&mut self) -> Read<i64> {
        let value = self.uint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    pub(super) fn take(&mut self, length: usize) -> Read<&'a [u8]> {
        if length > self.left() {
            return self.fail("unexpected end");
        }
        let bytes = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(bytes)
    }

    pub(super) fn block(&mut self) -> Read<&'a [u8]> {
        let length = self.count(1)?;
        self.take(length)
    }

    pub(super) fn text(&mut self) -> Read<&'a str> {
        let start = self.at;
        let bytes = self.block()?;
        std::str::from_utf8(bytes).map_err(|_| Malformed {
            at: start,
            what: "text that is not UTF-8",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_have_one_form() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut writer = Writer::default();
            writer.uint(value);
            assert_eq!(Reader::new(&writer.bytes).uint(), Ok(value));
        }
        for value in [0, -1, 1, i64::MIN, i64::MAX] {
            let mut writer = Writer::default();
            writer.int(value);
            assert_eq!(Reader::new(&writer.bytes).int(), Ok(value));
        }
        assert!(Reader::new(&[0x80, 0x00]).uint().is_err());
        assert!(Reader::new(&[0xff; 10]).uint().is_err());
        assert!(Reader::new(&[0x80]).uint().is_err());
    }
}
