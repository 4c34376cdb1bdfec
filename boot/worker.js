// The simulation's thread. Messages that come before the program listens are kept and handed over; "rest" says that the
// messages after it need the whole program.
import { more, start } from "./start.js";

let held = [];

// `ready` is the last thing that messages wait for.
function pass(ready) {
  ready.then(
    () => {
      if (ready !== last) return;
      const now = held;
      held = null;
      for (const data of now) self.dispatchEvent(new MessageEvent("message", { data }));
    },
    (error) => self.postMessage({ failed: String(error) }),
  );
  return ready;
}
self.addEventListener("message", (event) => {
  if (event.data === "rest") {
    held ??= [];
    last = pass(last.then(more));
  } else if (held) held.push(event.data);
  else return;
  event.stopImmediatePropagation();
});
let last = start(self.name === "whole");
pass(last);
