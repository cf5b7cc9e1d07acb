// Notes on this phone's entries at a table, above Save, or in the form's place where there is none: that one
// was not accepted; that the match is over, by the server or by what this phone knows; how many rounds the standings
// lack. The sums are the pad's: a convenience until the server has scored.

import { withNames } from "../outbox/entry_content.js";
import { openEntry } from "../outbox/open_entry.js";
import { reached } from "./hands.js";
import { begun, entered, form, page, problems, region, titleOf, unsent, words } from "./table_page.js";

let goesOn = false; // somebody enters another round though the match is over by what this phone knows

const make = (tag, className, text = "") => Object.assign(document.createElement(tag), { className, textContent: text });

/** Find who has reached the target with the rounds that the server has not scored: {name, points, target}; null for nobody. */
function ended() {
  const pad = form()?.querySelector("card-pad");
  const scored = JSON.parse(document.getElementById("match-so-far")?.textContent ?? "null");
  if (!pad?.kinds || !scored?.target) return null;
  const refused = new Set(problems());
  const rounds = entered().filter((entry) => entry.number >= scored.next && !refused.has(entry));
  const found = reached(scored, rounds, pad.kinds);
  return found && { name: pad.names.get(found.player) ?? "", points: found.points, target: scored.target };
}

function note(text, tap, pressed) {
  const made = make("p", "entry-note", "");
  made.append(make("span", "", text));
  if (tap) {
    const button = make("button", "button", tap);
    button.type = "button";
    button.addEventListener("click", pressed);
    made.append(button);
  }
  return made;
}

/** What a person decides about an entry called `what`: which version stands, what is mended, or, of a game that is over,
 * only that it goes. */
export function trouble(entry, what) {
  const said = words();
  const open = () => openEntry(entry);
  if (entry.state === "conflict") return note(said.wordOtherwise.replace("{what}", what), said.wordBoth, open);
  const text = (entry.over ? said.wordGameOver : said.wordRefusedBecause).replace("{what}", what).replace("{why}", withNames(entry.said?.[0] ?? ""));
  if (!entry.over) return note(text, said.wordOpen, open);
  return note(text, said.wordDiscard, () => document.dispatchEvent(new CustomEvent("outbox:drop", { detail: entry.command })));
}

function end(now) {
  const said = words();
  if (now?.dataset.over !== undefined) {
    const won = now.dataset.over;
    return [note(won ? said.wordOverWon.replace("{name}", won) : said.wordOver)];
  }
  const over = now ? ended() : null;
  if (!over) goesOn = false;
  if (now?.dataset.entry === "round") now.hidden = Boolean(over) && !goesOn && !begun(now);
  if (!over) return [];
  const text = said.wordEnded.replace("{name}", over.name).replace("{n}", over.points).replace("{target}", over.target);
  if (!now.hidden) return [note(text)];
  const goOn = () => {
    goesOn = true;
    notes();
    now.querySelector("card-pad").reach();
  };
  return [note(text, said.wordGoOn.replace("{n}", now.elements.number.value), goOn)];
}

function lacking() {
  const [standings, n] = [region(page(), "so-far")?.querySelector(".standings"), unsent().length];
  page().querySelector("[data-lacking]")?.remove();
  if (!standings || !n) return;
  const line = make("p", "unsent", words().wordLacking.replace("{n}", n));
  line.dataset.lacking = "";
  standings.before(line);
}

/** Say all of it; what does not change is not read out again. */
export function notes() {
  const now = form();
  const lines = [...problems().slice(0, 1).map((entry) => trouble(entry, titleOf(entry))), ...end(now)];
  const kept = unsent().at(-1);
  const sent = now?.inert && document.body.hasAttribute("data-no-network");
  if ((now?.hidden || sent) && kept) lines.unshift(note(words().wordKept.replace("{what}", titleOf(kept))));
  lacking();
  const place = now && !now.hidden && !now.inert ? now.querySelector(".action-bar") : region(page(), "entry");
  const old = page().querySelector("[data-notes]");
  const text = lines.map((line) => line.textContent).join("\n");
  if (old?.dataset.notes === text && old.parentElement === place) return;
  old?.remove();
  if (!lines.length) return;
  const box = make("div", "entry-notes");
  box.setAttribute("role", "status");
  box.dataset.notes = text;
  box.append(...lines);
  place.prepend(box);
  if (now?.hidden) box.scrollIntoView({ block: "nearest" });
}
