// The simulation's thread. Messages that come before the program listens are kept and handed over.
import { start } from "./start.js";

const early = [];
const keep = (event) => early.push(event);
self.addEventListener("message", keep);
try {
  await start();
  self.removeEventListener("message", keep);
  for (const event of early) self.dispatchEvent(new MessageEvent("message", { data: event.data }));
} catch (error) {
  self.postMessage({ failed: String(error) });
  throw error;
}
