// The page's start. The worker is started by the program, from the address that is left here.
import { start } from "./start.js";

globalThis.heddleWorkerUrl = new URL("./worker.js", import.meta.url).href;
try {
  await start();
  document.getElementById("boot")?.remove();
} catch (error) {
  globalThis.heddleBootFailed(
    `Heddle cannot start: ${error}. If WebAssembly is switched off in this browser, switch it on; else reload the page.`,
  );
  throw error;
}
