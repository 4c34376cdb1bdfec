//! Raw deflate with a preset dictionary: matches may reach back into a text that both sides have.
//!
//! The compressor reads the dictionary first and is flushed to a byte boundary; its output after that is the packed text.
//! The decompressor starts with the dictionary in its window.

use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, TDEFLStatus, compress};
use miniz_oxide::deflate::{CompressionLevel, core::create_comp_flags_from_zip_params};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

/// The highest ratio at which deflate can expand its input.
const RATIO_MAX: usize = 1040;

pub fn pack(dictionary: &[u8], bytes: &[u8]) -> Vec<u8> {
    // Negative window bits: no zlib header and no checksum of its own.
    let flags = create_comp_flags_from_zip_params(CompressionLevel::BestCompression as i32, -15, 0);
    let mut machine = CompressorOxide::new(flags);
    feed(&mut machine, dictionary, TDEFLFlush::Sync);
    feed(&mut machine, bytes, TDEFLFlush::Finish)
}

fn feed(machine: &mut CompressorOxide, mut bytes: &[u8], flush: TDEFLFlush) -> Vec<u8> {
    let mut out = Vec::new();
    let mut buffer = vec![0; bytes.len() + 1024];
    loop {
        let (status, read, written) = compress(machine, bytes, &mut buffer, flush);
        out.extend(buffer.iter().take(written));
        bytes = bytes.get(read..).unwrap_or(&[]);
        let room_left = written < buffer.len();
        if status != TDEFLStatus::Okay || (bytes.is_empty() && room_left && flush != TDEFLFlush::Finish) {
            return out;
        }
    }
}

/// Unpacks at most `most` bytes. Returns them, and whether the stream ended properly.
pub fn unpack(dictionary: &[u8], packed: &[u8], most: usize) -> (Vec<u8>, bool) {
    let most = most.min(packed.len().saturating_mul(RATIO_MAX));
    let mut out = dictionary.to_vec();
    out.resize(dictionary.len() + most, 0);
    let mut machine = Box::new(DecompressorOxide::new());
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, _, written) = decompress(&mut machine, packed, &mut out, dictionary.len(), flags);
    out.truncate(dictionary.len() + written);
    (out.split_off(dictionary.len()), status == TINFLStatus::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_and_unpacks_with_and_without_a_dictionary() {
        let text: Vec<u8> = "capacity-scheduler ".repeat(500).into_bytes();
        let mut noise = 1u32;
        let noise: Vec<u8> = (0..100_000)
            .map(|_| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            })
            .collect();
        for dictionary in [&b""[..], b"scheduler capacity-"] {
            for bytes in [&b""[..], b"a", &text, &noise] {
                let packed = pack(dictionary, bytes);
                assert_eq!(unpack(dictionary, &packed, bytes.len()), (bytes.to_vec(), true));
            }
        }
        assert!(pack(&text, &text[..200]).len() < 20);
    }

    #[test]
    fn a_cut_stream_gives_its_beginning() {
        let text: String = (0..200).map(|i| format!("line number {i}\n")).collect();
        let packed = pack(b"line number", text.as_bytes());
        let (part, whole) = unpack(b"line number", &packed[..packed.len() / 2], text.len());
        assert!(!whole && part.len() > 200 && text.as_bytes().starts_with(&part));
    }

    #[test]
    fn output_is_limited() {
        let packed = pack(b"", &vec![0; 1 << 20]);
        let (part, whole) = unpack(b"", &packed, 1000);
        assert_eq!((part.len(), whole), (1000, false));
    }
}
