// Starts the program from its embedded bytes. Page and worker do the same; the program asks where it is.
//
// The program is in two parts (xtask/src/parts.rs): what a first visit runs, and the rest. `more` gets the rest; before
// that, a call of what is in there traps.
import init, { run } from "./heddle-web.js";
import { join } from "./join.js";
import program from "./program.js";

let first, rest;

// With `whole` nothing of the program runs before all of it is there.
export async function start(whole) {
  if (whole) import("./rest.js").catch(() => {}); // `more` tells
  first = await init({ module_or_path: join(program) });
  if (whole) await more();
  run();
}

export function more() {
  return (rest ??= arrive().catch((error) => {
    rest = undefined; // the next one may try again
    throw error;
  }));
}

async function arrive() {
  const { default: texts } = await import("./rest.js");
  await WebAssembly.instantiate(join(texts), { first });
}
