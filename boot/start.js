// Starts the program from its embedded bytes. Page and worker do the same; the program asks where it is.
import init from "./heddle-web.js";
import text from "./program.js";

export async function start() {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return await init({ module_or_path: bytes });
}
