//! base64url without padding (RFC 4648 section 5), which survives mail, chat and shells. The decoder returns where it
//! stopped.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// A truncated link may end anywhere, so trailing bits are accepted.
const CODE: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// Encodes bytes as characters.
pub fn encode(bytes: &[u8]) -> String {
    CODE.encode(bytes)
}

/// Decodes characters up to the first that is not in the alphabet (plain base64 is accepted too). Returns the bytes and the
/// number of characters read.
pub fn decode(text: &str) -> (Vec<u8>, usize) {
    let known = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'+' | b'_' | b'/');
    let mut chars: Vec<u8> = text.bytes().take_while(known).collect();
    let read = chars.len();
    for c in &mut chars {
        *c = match *c {
            b'+' => b'-',
            b'/' => b'_',
            other => other,
        };
    }
    // A single remaining character is less than a byte.
    chars.truncate(read - usize::from(read % 4 == 1));
    (CODE.decode(chars).unwrap_or_default(), read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        for n in 0..=256 {
            let text = encode(&bytes[..n]);
            assert_eq!(decode(&text), (bytes[..n].to_vec(), text.len()));
            // Wherever the text is cut, everything before the cut is decoded.
            for cut in 0..text.len() {
                let (read, length) = decode(&text[..cut]);
                assert_eq!((&read[..], length), (&bytes[..cut * 3 / 4], cut));
            }
        }
        assert_eq!(encode(b"any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw");
        assert_eq!(decode("YW55!x"), (b"any".to_vec(), 4));
        assert_eq!(decode("-_+/"), decode("-_-_"));
    }
}
