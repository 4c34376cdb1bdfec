// Puts the program together from its streams. xtask/src/streams.rs made them and says why.
const OPS = 0, LOCALS = 1, INTS = 2, LONGS = 3, OFFSETS = 4, CALLS = 5, LABELS = 6, REST = 7;
// Natural alignments of the instructions from 0x28 to 0x3e.
const ALIGNMENTS = [2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2];

function bytesOf(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function join(texts) {
  const streams = texts.map(bytesOf), after = streams.pop(), before = streams.pop();
  const at = new Uint32Array(streams.length);
  // The streams, an alignment for at most every other of their bytes, and room for sizes.
  let out = new Uint8Array(streams.reduce((sum, s) => sum + s.length, 0) * 2 + 64), end = 0;

  function copy(stream) {
    const from = streams[stream];
    let i = at[stream], value = 0, shift = 0, b;
    do {
      out[end++] = b = from[i++];
      value |= (b & 127) << shift;
      shift += 7;
    } while (b > 127);
    at[stream] = i;
    return value;
  }
  function copies(stream, n) {
    while (n-- > 0) copy(stream);
  }
  function plain(stream, n) {
    while (n-- > 0) out[end++] = streams[stream][at[stream]++];
  }
  // What was written from `begin` gets its size in front.
  function sized(begin) {
    const size = end - begin, room = [];
    let rest = size;
    for (; rest > 127; rest >>>= 7) room.push((rest & 127) | 128);
    room.push(rest);
    out.copyWithin(begin + room.length, begin, end);
    out.set(room, begin);
    end += room.length;
  }
  function instructions() {
    for (let depth = 1; depth > 0; ) {
      const op = streams[OPS][at[OPS]++];
      out[end++] = op;
      if (op >= 0x20 && op <= 0x22) copy(LOCALS);
      else if (op >= 0x28 && op <= 0x3e) {
        out[end++] = ALIGNMENTS[op - 0x28];
        copy(OFFSETS);
      } else if (op === 0x41) copy(INTS);
      else if (op === 0x10) copy(CALLS);
      else if (op >= 0x02 && op <= 0x04) {
        copy(OPS);
        depth++;
      } else if (op === 0x0b) depth--;
      else if (op === 0x0c || op === 0x0d) copy(LABELS);
      else if (op === 0x0e) copies(LABELS, copy(LABELS) + 1);
      else if (op === 0x11) copies(REST, 2);
      else if (op === 0x1c) copies(REST, copy(REST));
      else if ((op >= 0x23 && op <= 0x26) || op === 0x3f || op === 0x40 || op === 0xd0 || op === 0xd2) copy(REST);
      else if (op === 0x42) copy(LONGS);
      else if (op === 0x43) plain(LONGS, 4);
      else if (op === 0x44) plain(LONGS, 8);
      else if (op === 0xfc) {
        const sub = copy(OPS);
        if (sub > 7) copies(REST, sub < 15 && sub % 2 === 0 ? 2 : 1);
      }
    }
  }

  const functions = copy(REST);
  for (let f = 0; f < functions; f++) {
    const begin = end;
    copies(REST, 2 * copy(REST));
    instructions();
    sized(begin);
  }
  sized(0);
  const program = new Uint8Array(before.length + 1 + end + after.length);
  program.set(before);
  program[before.length] = 10;
  program.set(out.subarray(0, end), before.length + 1);
  program.set(after, before.length + 1 + end);
  return program;
}
