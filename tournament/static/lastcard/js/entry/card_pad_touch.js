// Gestures on the card pad (card_pad.js): a key adds a card, pressed long it takes one off; a swipe goes to the next.

import { icon, make } from "./card_pad_drawing.js";
import { leftIn } from "./hands.js";

const LONG_PRESS = 450; // ms
const SWIPE = 48; // px

/** Make the keys. */
export function makeKeys(pad) {
  pad.keyOf = new Map();
  for (const kind of pad.kinds) {
    const key = make("button", { type: "button", className: "pad__key", "data-add": kind.id });
    const drawing = kind.drawing.cloneNode(true);
    if (drawing.classList.contains("card--black")) key.dataset.black = "";
    key.append(drawing);
    press(pad, key, kind);
    pad.keys.append(key);
    pad.keyOf.set(kind.id, key);
  }
  pad.minus = make("button", { type: "button", className: "pad__key pad__key--minus" }, icon("M5 12h14"));
  pad.minus.addEventListener("click", () => pad.takeOff(pad.lastTapped));
  pad.next = make("button", { type: "button", className: "pad__key pad__key--next" });
  pad.next.addEventListener("click", () => pad.goOn());
  pad.keys.append(pad.minus, pad.next);
  for (const columns of [5, 7]) pad.keys.style.setProperty(`--left-${columns}`, String(leftIn(columns, pad.kinds.length + 1)));
}

/** A tap adds one, a long press takes one off. */
function press(pad, key, kind) {
  let timer = 0;
  let long = false;
  const stop = () => clearTimeout(timer);
  key.addEventListener("pointerdown", () => {
    long = false;
    timer = setTimeout(() => {
      long = true;
      navigator.vibrate?.(15);
      pad.takeOff(kind);
    }, LONG_PRESS);
  });
  for (const type of ["pointerup", "pointerleave", "pointercancel"]) key.addEventListener(type, stop);
  key.addEventListener("contextmenu", (event) => event.preventDefault());
  key.addEventListener("click", () => {
    if (!long) pad.add(kind);
    long = false;
  });
}

/** Have a swipe over the tray lead to the hand beside. */
export function hearSwipes(pad) {
  let start = null;
  pad.tray.addEventListener("pointerdown", (event) => (start = { x: event.clientX, y: event.clientY }));
  pad.tray.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    start = null;
    if (Math.abs(x) < SWIPE || Math.abs(y) > Math.abs(x) / 2) return;
    pad.swiped = true; // the tap that ends a swipe takes no card off
    setTimeout(() => (pad.swiped = false), 0);
    pad.step(x < 0 ? 1 : -1);
  });
  pad.tray.addEventListener("pointercancel", () => (start = null));
}
