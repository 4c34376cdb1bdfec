// The page's start. The worker is started by the program (`new Worker(heddleWorkerUrl, { type: "module" })`), from the
// address that is left here. It is a blob that imports the real file: a worker with an address of its own would have no
// policy unless the server sent one, a blob has the page's, which allows no connection at all.
import { start } from "./start.js";

const worker = new URL("./worker.js", import.meta.url).href;
globalThis.heddleWorkerUrl = URL.createObjectURL(
  new Blob([`import ${JSON.stringify(worker)};`], { type: "text/javascript" }),
);
// The gallery is loaded when it is first looked at.
globalThis.heddleGallery = () => import("./gallery.js");
try {
  await start();
  document.getElementById("boot")?.remove();
} catch (error) {
  globalThis.heddleBootFailed(
    `Heddle cannot start: ${error}. If WebAssembly is switched off in this browser, switch it on; else reload the page.`,
  );
  throw error;
}
