// Holds back what a visitor does until the rest of the program is there, then lets it happen in its order. The first
// sign of somebody (a pointer that moves is enough) gets the rest.

// What only shows where the pointer is: the last one is enough.
const PASSING = [
  "pointermove", "pointerover", "pointerout", "pointerenter", "pointerleave", "mousemove", "mouseover", "mouseout",
  "mouseenter", "mouseleave", "dragenter", "dragover", "dragleave", "wheel", "touchmove",
];
const ACTS = [
  "pointerdown", "pointerup", "pointercancel", "mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu",
  "touchstart", "touchend", "keydown", "keyup", "beforeinput", "input", "change", "submit", "copy", "cut", "paste", "drop",
  "hashchange", "popstate",
];
// What follows from acts, or from the page's own start: no sign of anybody by itself.
const EFFECTS = ["focus", "blur", "focusin", "focusout", "toggle", "cancel", "close"];
// Their own effect must wait too: it comes when they are let through.
const EFFECTIVE = ["click", "submit", "dragover", "drop"];

function again(event) {
  if (event.type !== "drop") return new event.constructor(event.type, event);
  // What was dropped can only be read now.
  const dataTransfer = new DataTransfer();
  for (const file of event.dataTransfer?.files ?? []) dataTransfer.items.add(file);
  const text = event.dataTransfer?.getData("text/plain");
  if (text) dataTransfer.setData("text/plain", text);
  const { bubbles, cancelable, composed } = event;
  return new DragEvent("drop", { bubbles, cancelable, composed, dataTransfer, clientX: event.clientX, clientY: event.clientY });
}

// `all` gets the rest of the program, `failed` is told why it did not come. Gives the function that lets everything through.
export function hold(all, failed) {
  const held = [];
  const latest = new Map(); // of each passing type
  const types = [...PASSING, ...ACTS, ...EFFECTS];
  let asked = false;

  function keep(event) {
    if (!asked && EFFECTS.includes(event.type)) return;
    event.stopImmediatePropagation();
    if (EFFECTIVE.includes(event.type)) event.preventDefault();
    if (!PASSING.includes(event.type)) held.push([event.target, again(event)]);
    else if (event.type.startsWith("pointer")) latest.set(event.type, [event.target, again(event)]);
    if (asked) return;
    asked = true;
    all().catch((error) => {
      asked = false;
      failed(error);
    });
  }
  for (const type of types) addEventListener(type, keep, { capture: true, passive: false });
  return () => {
    for (const type of types) removeEventListener(type, keep, true);
    for (const [target, event] of [...held.splice(0), ...latest.values()]) target.dispatchEvent(event);
  };
}
