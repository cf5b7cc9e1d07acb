// The card pad by its keyboard (card_pad.js; templates/components/_keyboard.html says so to people): 1 to 9 or arrows and
// Enter for who went out; then 7 7 +2 S W, minus or Backspace, arrows, Enter for the next hand.

const LETTERS = { d: "draw2", r: "reverse", s: "skip", w: "wild", f: "wild4", h: "shuffle", c: "custom" };

export function typed(pad, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (pad.choosing) return pick(pad, event);
  if (event.target.matches("input") || (pad.last?.shown && !event.key.startsWith("Arrow"))) return;
  const kind = (id) => pad.kinds.find((each) => each.id === id);
  const key = event.key.toLowerCase();
  const { plus } = pad;
  pad.plus = key === "+";
  if (pad.plus) return event.preventDefault();
  if (plus && (key === "2" || key === "4")) pad.add(kind(key === "2" ? "draw2" : "wild4"));
  else if (/^[0-9]$/.test(key)) pad.add(kind(key));
  else if (LETTERS[key]) pad.add(kind(LETTERS[key]));
  else if (key === "backspace" || key === "-") pad.takeOff(pad.lastTapped);
  else if (key === "arrowright") pad.step(1);
  else if (key === "enter" && !event.target.matches("button")) pad.goOn();
  else if (key === "arrowleft") pad.step(-1);
  else return;
  event.preventDefault();
}

/** A digit names who went out by their seat; an arrow leads to the names. */
function pick(pad, event) {
  const radios = [...(pad.choice?.querySelectorAll("input") ?? [])];
  const radio = radios[Number(event.key) - 1];
  if (radio) {
    radio.checked = true;
    radio.dispatchEvent(new Event("input", { bubbles: true }));
    pad.chooseWinner();
  } else if (event.key.startsWith("Arrow") && !event.target.matches("input")) radios[0]?.focus();
  else return;
  event.preventDefault();
}

/** The arrow keys check each name that they pass; Enter or Space says that it is the one. */
export function walk(pad, event) {
  pad.walking = event.key.startsWith("Arrow");
  if (!pad.winner || (event.key !== "Enter" && event.key !== " ") || !event.target.checked) return;
  event.preventDefault();
  pad.chooseWinner();
}
