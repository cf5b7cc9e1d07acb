// A referee's first time at the desk in three steps (templates/desk/_first_steps.html): choose a table, enter, see where
// it is. Next goes on, so does opening a table, and so does what is entered at one, on the next page; Skip puts them away.
// Which step is next this phone alone keeps. #first-steps in the address begins again.

const KEY = "lastcard.first-steps";
const LAST = 3;
const DONE = "done";
const panel = document.querySelector("[data-first-steps]");

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return DONE; // a browser that keeps nothing would show them each time
  }
}

function keep(step) {
  try {
    localStorage.setItem(KEY, step);
  } catch {
    // then they are shown again
  }
}

/** The step to show here, or `DONE`. They begin at the list of tables; an open table is the first one done. */
function step() {
  const at = kept();
  if (at === DONE) return DONE;
  const number = Number(at) || 0;
  if (panel.hasAttribute("data-at-table")) return number ? Math.max(number, 2) : DONE;
  return Math.max(number, 1);
}

function show(number) {
  panel.hidden = number === DONE;
  for (const part of panel.querySelectorAll("[data-step]")) part.hidden = part.dataset.step !== String(number);
  panel.querySelector("[data-next]").hidden = number === LAST;
  panel.querySelector("[data-skip]").hidden = number === LAST;
  panel.querySelector("[data-end]").hidden = number !== LAST;
}

function goTo(number) {
  keep(String(number));
  show(number);
  const next = number === DONE ? document.getElementById("main") : panel.querySelector("[data-step]:not([hidden]) [tabindex]");
  next.focus(); // the button that was pressed may be gone, and what is new is read out
}

if (location.hash === "#first-steps") {
  keep("1");
  history.replaceState(history.state, "", location.pathname + location.search);
}
const first = step();
if (first !== DONE) keep(String(first));
show(first);
panel.querySelector("[data-next]").addEventListener("click", () => goTo(Number(step()) + 1));
// A step is known once something was entered by it. Nothing moves on this page: somebody may be about to tap.
document.addEventListener("outbox:kept", () => {
  const shown = panel.querySelector("[data-step]:not([hidden])");
  if (!panel.hidden) keep(Number(shown.dataset.step) < LAST ? String(LAST) : DONE);
});
for (const button of panel.querySelectorAll("[data-skip], [data-end]")) button.addEventListener("click", () => goTo(DONE));
