//! base64url without padding (RFC 4648 section 5), which survives mail, chat and shells. Reading tells where it stopped.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Writes bytes as characters.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = 0u32;
        for i in 0..3 {
            group = group << 8 | u32::from(chunk.get(i).copied().unwrap_or(0));
        }
        for i in 0..=chunk.len() {
            out.push(char::from(ALPHABET[(group >> (18 - 6 * i) & 63) as usize]));
        }
    }
    out
}

fn value(c: u8) -> Option<u32> {
    Some(match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'-' | b'+' => 62,
        b'_' | b'/' => 63,
        _ => return None,
    })
}

/// Reads characters up to the first that is not of the alphabet: the bytes, and how many characters were read.
pub fn decode(text: &str) -> (Vec<u8>, usize) {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut group, mut bits, mut read) = (0u32, 0, 0);
    for c in text.bytes() {
        let Some(v) = value(c) else { break };
        group = (group << 6 | v) & 0xff_ffff;
        bits += 6;
        read += 1;
        if bits >= 8 {
            bits -= 8;
            out.push((group >> bits & 0xff) as u8);
        }
    }
    (out, read)
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
        }
        assert_eq!(encode(b"any carnal pleas"), "YW55IGNhcm5hbCBwbGVhcw");
        assert_eq!(decode("YW55!x"), (b"any".to_vec(), 4));
    }
}
