// What is asked of those under 18 shows where the birth date says so; without a birth date it stays folded.
//
//   <details data-under-age="2026-05-09">   in a form with a field birth_date; the day of the event
//
// Everything works without this: the fold is there for everybody, and the server asks.

import { isMinor } from "./birth_dates.js";

for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("[data-under-age]"))) {
  const field = fold.closest("form").elements.birth_date;
  const ticks = fold.querySelectorAll("input[type=checkbox]");
  const show = () => {
    const young = isMinor(field.value, fold.dataset.underAge);
    fold.hidden = young === false;
    if (young) fold.open = true;
    if (fold.hidden) for (const tick of ticks) tick.checked = tick.defaultChecked && tick.name === "guardian";
  };
  field.addEventListener("change", show);
  show();
}
