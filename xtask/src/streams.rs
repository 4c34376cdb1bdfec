//! Sorts the program for its way to the browser; `boot/join.js` puts it together again.
//!
//! A web server's compression foretells a byte by the bytes before it. In WebAssembly these are of another kind most of
//! the time: an opcode, the number of a local, an address. So all opcodes go into one stream, all numbers of locals
//! into another, and so on: after brotli the program is a tenth smaller. The sizes of functions follow from the rest and
//! are left out; so are alignments, which are hints without meaning (joined, each is the natural one).

/// The streams, in their order in the module.
#[derive(Clone, Copy)]
enum Stream {
    Ops,
    Locals,
    Ints,
    Longs,
    Offsets,
    Calls,
    Labels,
    Rest,
}

/// Streams with code; the bytes before the first function and those after the last follow them.
const STREAMS: usize = 8;

/// Natural alignments of the instructions from 0x28 (i32.load) to 0x3e (i64.store32), as powers of two.
const ALIGNMENTS: &[u8; 23] = b"\x02\x03\x02\x03\0\0\x01\x01\0\0\x01\x01\x02\x02\x02\x03\x02\x03\0\x01\0\x01\x02";

struct Splitter<'a> {
    wasm: &'a [u8],
    at: usize,
    streams: Vec<Vec<u8>>,
}

impl Splitter<'_> {
    fn byte(&mut self) -> Result<u8, String> {
        let b = *self.wasm.get(self.at).ok_or("the program ends too early")?;
        self.at += 1;
        Ok(b)
    }

    /// A number (LEB128) that goes nowhere.
    fn number(&mut self) -> Result<usize, String> {
        let (mut value, mut shift) = (0usize, 0);
        loop {
            let b = self.byte()?;
            value |= usize::from(b & 127).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if b < 128 {
                return Ok(value);
            }
        }
    }

    fn copy(&mut self, stream: Stream) -> Result<usize, String> {
        let from = self.at;
        let value = self.number()?;
        self.streams[stream as usize].extend(&self.wasm[from..self.at]);
        Ok(value)
    }

    fn copies(&mut self, stream: Stream, n: usize) -> Result<(), String> {
        (0..n).try_for_each(|_| self.copy(stream).map(|_| ()))
    }

    fn plain(&mut self, stream: Stream, bytes: usize) -> Result<(), String> {
        for _ in 0..bytes {
            let b = self.byte()?;
            self.streams[stream as usize].push(b);
        }
        Ok(())
    }

    fn function(&mut self) -> Result<(), String> {
        let size = self.number()?;
        let end = self.at + size;
        for _ in 0..self.copy(Stream::Rest)? {
            self.copies(Stream::Rest, 2)?;
        }
        let mut depth = 1;
        while depth > 0 {
            let op = self.byte()?;
            self.streams[Stream::Ops as usize].push(op);
            match op {
                0x02..=0x04 => {
                    self.copy(Stream::Ops)?;
                    depth += 1;
                }
                0x0b => depth -= 1,
                0x0c | 0x0d => self.copies(Stream::Labels, 1)?,
                0x0e => {
                    let n = self.copy(Stream::Labels)?;
                    self.copies(Stream::Labels, n + 1)?;
                }
                0x10 => self.copies(Stream::Calls, 1)?,
                0x11 => self.copies(Stream::Rest, 2)?,
                0x1c => {
                    let n = self.copy(Stream::Rest)?;
                    self.copies(Stream::Rest, n)?;
                }
                0x20..=0x22 => self.copies(Stream::Locals, 1)?,
                0x23..=0x26 | 0x3f | 0x40 | 0xd0 | 0xd2 => self.copies(Stream::Rest, 1)?,
                0x28..=0x3e => {
                    if self.number()? > usize::from(ALIGNMENTS[usize::from(op) - 0x28]) {
                        return Err(format!("alignment of instruction {op:#x} in the program"));
                    }
                    self.copies(Stream::Offsets, 1)?;
                }
                0x41 => self.copies(Stream::Ints, 1)?,
                0x42 => self.copies(Stream::Longs, 1)?,
                0x43 => self.plain(Stream::Longs, 4)?,
                0x44 => self.plain(Stream::Longs, 8)?,
                0xfc => match self.copy(Stream::Ops)? {
                    0..=7 => {}
                    9 | 11 | 13 | 15..=17 => self.copies(Stream::Rest, 1)?,
                    8 | 10 | 12 | 14 => self.copies(Stream::Rest, 2)?,
                    sub => return Err(format!("streams.rs does not know instruction 0xfc {sub} of the program")),
                },
                0x00 | 0x01 | 0x05 | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => {}
                _ => return Err(format!("streams.rs does not know instruction {op:#x} of the program")),
            }
        }
        if self.at == end { Ok(()) } else { Err("a function of the program ends elsewhere than it says".into()) }
    }
}

/// The program's streams, then the bytes up to the section of code, then those after it.
pub fn split(wasm: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let mut s = Splitter { wasm, at: 8, streams: vec![Vec::new(); STREAMS] };
    loop {
        let begin = s.at;
        let (section, size) = (s.byte()?, s.number()?);
        if section == 10 {
            for _ in 0..s.copy(Stream::Rest)? {
                s.function()?;
            }
            let mut streams = s.streams;
            streams.push(wasm[..begin].to_vec());
            streams.push(wasm[s.at..].to_vec());
            return Ok(streams);
        }
        s.at += size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_goes_into_its_stream() {
        let header = b"\0asm\x01\0\0\0\x01\x01\0";
        // One function with a local: block; local.get 0, i32.load offset 300, br_if 0; end; i32.const -1, call 5, end.
        let body = b"\x01\x01\x7f\x02\x40\x20\x00\x28\x01\xac\x02\x0d\x00\x0b\x41\x7f\x10\x05\x0b";
        let module = [&header[..], &[10, body.len() as u8 + 2, 1, body.len() as u8], body, b"\x0b\x01\0"].concat();
        let streams = split(&module).expect("a module");
        let parts: [&[u8]; 10] = [
            b"\x02\x40\x20\x28\x0d\x0b\x41\x10\x0b",
            b"\0",
            b"\x7f",
            b"",
            b"\xac\x02",
            b"\x05",
            b"\0",
            b"\x01\x01\x01\x7f",
            header,
            b"\x0b\x01\0",
        ];
        assert_eq!(streams, parts);
        assert!(split(&module[..20]).is_err() && split(b"").is_err());
    }
}
