// The page's start.
import { hold } from "./hold.js";
import { more, start } from "./start.js";

// Set when the part of the program for a first visit was not enough, until the page is closed.
const ALL = "heddle-all";

function stored(storage, key) {
  try {
    const s = globalThis[storage];
    return key ? s.getItem(key) !== null : s.length > 0;
  } catch {
    return false; // the browser allows no storage
  }
}

// Somebody who comes by a link or has been here needs more than a first visit does.
let whole = location.hash.length > 1 || location.search !== "" || stored("localStorage") || stored("sessionStorage");
const workers = [];
let release;

// The worker is a blob that imports the real file: a worker with an address of its own would have no policy unless the
// server sent one, a blob has the page's, which allows no connection at all.
const worker = new URL("./worker.js", import.meta.url).href;
const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(worker)};`], { type: "text/javascript" }));
globalThis.heddleWorker = () => {
  const started = new Worker(blob, { type: "module", name: whole ? "whole" : "first" });
  if (!whole) {
    workers.push(started);
    started.addEventListener("error", (event) => lacking(event.message));
  }
  return started;
};
// The gallery is loaded when it is first looked at.
globalThis.heddleGallery = () => import("./gallery.js");
// `window.heddle`: a call from outside may need anything.
globalThis.heddleInstall = (api) => {
  globalThis.heddle = {};
  for (const [name, method] of Object.entries(api)) {
    globalThis.heddle[name] = async (...args) => {
      await all();
      return method(...args);
    };
  }
};

// All of the program, in the page and in its worker.
async function all() {
  if (whole) return;
  await more();
  if (whole) return; // two asked
  whole = true;
  for (const started of workers.splice(0)) started.postMessage("rest");
  release();
}

// A first visit ran into what only the rest can do. Nothing has been typed yet: the page begins anew with all of it.
function lacking(message) {
  if (whole || stored("sessionStorage", ALL) || !/RuntimeError|null|table|unreachable/i.test(String(message))) return;
  try {
    sessionStorage.setItem(ALL, "1");
    location.reload();
  } catch {
    // Without storage the page would begin anew for ever.
  }
}

try {
  if (!whole) {
    release = hold(all, (error) =>
      globalThis.heddleBootFailed(
        `A part of the page did not arrive (${error}). Try again or reload the page; if that does not help, the site is incomplete.`,
      ),
    );
    addEventListener("error", (event) => lacking(event.error));
    addEventListener("unhandledrejection", (event) => lacking(event.reason));
  }
  await start(whole);
  document.getElementById("boot")?.remove();
} catch (error) {
  globalThis.heddleBootFailed(
    `Heddle cannot start: ${error}. If WebAssembly is switched off in this browser, switch it on; else reload the page.`,
  );
  throw error;
}
