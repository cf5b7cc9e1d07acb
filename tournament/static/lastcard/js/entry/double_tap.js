// The second half of a double tap decides nothing where the first one changed the page: what was tapped is gone, and
// something else stands under the finger that nobody has read. What a keyboard presses says what it means.
//
// [data-redrawn]   drawn anew at every tap, so that taps in it follow each other

const SOON = 500; // ms
const NEAR = 24; // px

const controlOf = (element) => element.closest?.("a, button, input, label, summary") ?? element;
// What is folded away in <details> still has its rectangles.
const isShown = (element) => element.isConnected && (element.checkVisibility?.() ?? element.getClientRects().length > 0);

let last = { time: -Infinity, x: 0, y: 0, control: document.body, redrawn: null };

window.addEventListener(
  "click",
  (event) => {
    if (!event.isTrusted || !event.detail) return;
    const { timeStamp: time, clientX: x, clientY: y, target } = event;
    const again = time - last.time < SOON && Math.hypot(x - last.x, y - last.y) < NEAR;
    const redrawn = target.closest?.("[data-redrawn]") ?? null;
    if (again && !isShown(last.control) && !(redrawn && redrawn === last.redrawn)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      controlOf(target).dispatchEvent(new CustomEvent("tap:held", { bubbles: true })); // save.js says so
      last.time = time;
    } else last = { time, x, y, control: controlOf(target), redrawn };
  },
  true,
);
