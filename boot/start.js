// Starts the program from its embedded bytes. Page and worker do the same; the program asks where it is.
import init from "./heddle-web.js";
import { join } from "./join.js";
import streams from "./program.js";

export async function start() {
  return await init({ module_or_path: join(streams) });
}
