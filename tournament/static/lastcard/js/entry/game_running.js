// The part of a KPGUT table's page that a running game has (templates/desk/_game_running.html), as this phone knows it.
// `table` is the <game-table> (game.js): its section of the page, its clock, and what it knows.

import { enteredAt, playOf, PROBLEMS, valueOf } from "../outbox/entries.js";
import { withNames } from "../outbox/entry_content.js";
import { timeText } from "../times.js";
import { refill } from "./table_page.js";

/** Tell the page's other modules that something new is there; desk.js puts back what was typed in it. */
export const tellOf = (element) => document.dispatchEvent(new CustomEvent("htmx:load", { detail: { elt: element } }));

/** The rows of everybody, who is out and since when, and the hands of who remain. */
export function drawGame(table, game) {
  const over = table.clock.dataset.state === "limit";
  const refused = refusedEnd(table, game);
  if (refused && valueOf(refused, "how") === "early") table.early = true;
  const of = new Map(game.players.map((player) => [player.entry, player]));
  for (const rows of table.section.querySelectorAll("[data-rows]")) {
    for (const player of game.players) rowFor(table, rows, player.entry);
    for (const row of rows.children) drawRow(table, row, of.get(row.dataset.who));
  }
  const gone = table.section.querySelector("[data-gone]");
  const left = game.players.filter((player) => player.outcome !== "playing");
  gone.hidden = !left.length;
  left.sort((one, other) => (other.elapsed ?? 0) - (one.elapsed ?? 0));
  const list = gone.querySelector("[data-rows]");
  const order = left.map((player) => list.querySelector(`:scope > [data-who="${player.entry}"]`));
  if (String(order.map((row) => row.dataset.who)) !== list.dataset.order) list.append(...order);
  list.dataset.order = String(order.map((row) => row.dataset.who));
  for (const part of table.section.querySelectorAll("[data-until-limit]")) part.hidden = over;
  drawMode(table);
  const join = table.section.querySelector("[data-join]");
  join.hidden = over || left.some((player) => player.outcome === "out");
  table.section.querySelector("[data-stop-early]").hidden = over || table.early;
  for (const link of table.section.querySelectorAll("[data-on-server]")) link.hidden = table.facts.game?.uid !== game.uid;
  table.section.querySelector("[data-unstart]").hidden = !dropsOf(table, game.uid).length;
  drawHands(table, game, over);
  if (refused) mend(table, refused);
}

/** The end of this game as it was entered here and not accepted. */
export function refusedEnd(table, game) {
  const ends = ({ kind, state }) => kind === "end" && PROBLEMS.has(state);
  return enteredAt(table.dataset.table).findLast((entry) => ends(entry) && playOf(entry) === game?.uid);
}

/** Put the hands that were not accepted back into their form, which sends them again in the same place. */
function mend(table, refused) {
  const form = table.section.querySelector("[data-hands] form");
  if (form.elements.command.value === refused.command) return;
  form.elements.command.value = refused.command;
  refill(form, refused);
  const errors = table.clone("refused", "", "");
  const lines = (refused.said ?? []).map((words) => Object.assign(document.createElement("li"), { textContent: withNames(words) }));
  errors.querySelector("ul").replaceChildren(...lines);
  form.querySelector(".errors")?.remove();
  form.prepend(errors);
  const pad = form.querySelector("card-pad");
  if (!pad?.table) return;
  const wrong = Object.entries(refused.hands ?? {}).map(([player, words]) => [player, withNames(words)]);
  pad.reread();
  pad.blame(Object.fromEntries(wrong));
  const first = pad.players.find(({ key }) => key === wrong[0]?.[0]);
  if (first) pad.show(first);
  pad.reach();
}

/** The entries of a game that only this phone knows of: without them it never began. Another phone
 * that took some over may have sent them. */
export function dropsOf(table, game) {
  const entries = enteredAt(table.dataset.table).filter((entry) => playOf(entry) === game);
  const here = entries.some(({ kind }) => kind === "start") && table.facts.game?.uid !== game;
  return here && entries.every(({ state, handed }) => state !== "confirmed" && !handed) ? entries : [];
}

/** Everybody has a row in every list, also who was not there when the page was made. */
function rowFor(table, rows, entry) {
  if (!rows.children.length || rows.querySelector(`:scope > [data-who="${entry}"]`)) return;
  if (rows.firstElementChild.getAttribute("data-when") === "away") return;
  const row = copyFor(table, rows.firstElementChild, entry);
  row.querySelector(".tap")?.removeAttribute("aria-pressed");
  rows.append(row);
}

/** A copy for somebody else of what is there for one. @returns {HTMLElement} */
function copyFor(table, element, entry) {
  const copy = document.createElement("template");
  copy.innerHTML = element.outerHTML.replaceAll(element.dataset.who ?? element.dataset.player, entry);
  const row = document.importNode(copy.content, true).querySelector("*");
  for (const name of row.querySelectorAll("[data-name]")) name.textContent = table.nameOf(entry);
  return row;
}

/** A tap on a name says that they are out or, once somebody asked for that, that they gave up. */
function drawMode({ section, givesUp, hint }) {
  const [ask, taps, mode] = ["#taps-ask", ".taps", "[data-mode]"].map((part) => section.querySelector(part));
  if (ask.textContent !== ask.dataset[hint]) ask.textContent = ask.dataset[hint];
  taps.toggleAttribute("data-gives-up", givesUp);
  mode.textContent = mode.dataset[givesUp ? "wordCancel" : "wordGaveUp"];
  for (const form of taps.querySelectorAll("form:not([data-back])")) {
    form.action = givesUp ? taps.dataset.giveUp : taps.dataset.out;
    form.dataset.entry = givesUp ? "give_up" : "out";
  }
}

/** How somebody left the game, in the words of the page. */
export function howText(words, { outcome, elapsed }) {
  const names = { out: "Out", gave_up: "GaveUp", ejected: "Ejected", last: "Last", remaining: "Remaining" };
  const word = words[`word${names[outcome]}`] ?? "";
  return word.replace("{time}", elapsed === null ? "" : timeText(elapsed)).trim();
}

/** Show somebody's row as they are: `table` says what a tap would mean (`hint`) and how somebody left (`howText`). */
export function drawRow(table, row, player) {
  const state = !player ? "away" : player.outcome === "playing" ? "playing" : "gone";
  const tap = row.querySelector(".tap");
  const back = row.querySelector("[data-back]");
  row.hidden = !row.dataset.when.split(" ").includes(state);
  if (back) {
    if (back.hidden && state === "gone") row.style.minHeight = `${row.getBoundingClientRect().height}px`; // the names below stay where they are
    if (state === "playing") row.style.minHeight = "";
    back.hidden = state !== "gone";
  }
  const how = row.querySelector("[data-how]");
  if (how && state === "gone") how.textContent = table.howText(player);
  else if (how?.dataset.wordOut) how.textContent = how.dataset[table.hint];
  if (tap) {
    tap.disabled = state !== "playing";
    if (state === "gone") tap.setAttribute("aria-pressed", "true");
    else tap.removeAttribute("aria-pressed");
  }
  const radio = row.querySelector("input[type=radio]");
  if (radio) radio.disabled = row.hidden;
}

/** The form for the hands of those who remain, at the hour or when the game is stopped early. */
function drawHands(table, game, over) {
  const hands = table.section.querySelector("[data-hands]");
  const remaining = game.players.filter((player) => player.outcome === "playing").map((player) => player.entry);
  const form = hands.querySelector("form");
  const asked = [...form.elements].filter((field) => field.name === "remaining").map((field) => field.value);
  if (String(asked.sort()) !== String([...remaining].sort())) renewHands(table, form, game, remaining);
  const closed = !over && !table.early;
  if (hands.hidden !== closed) {
    hands.hidden = closed;
    hands.querySelector("form").dispatchEvent(new CustomEvent("entry:shown", { bubbles: true })); // what is missing counts from now on
  }
  const how = over ? "time" : "early";
  hands.querySelector("form").elements.how.value = how;
  for (const part of hands.querySelectorAll("[data-how-word]")) part.hidden = part.dataset.howWord !== how;
}

function renewHands(table, form, game, remaining) {
  const fresh = table.clone("running", game.uid, game.number).querySelector("[data-hands] form");
  const pad = fresh.querySelector("card-pad");
  const players = [...pad.querySelectorAll("fieldset[data-player]")];
  for (const entry of remaining) {
    if (players.some((each) => each.dataset.player === entry)) continue;
    const more = copyFor(table, players[0], entry);
    more.dataset.name = table.nameOf(entry);
    more.querySelector("legend bdi").textContent = table.nameOf(entry);
    players.at(-1).after(more);
    players.push(more);
  }
  for (const player of players) if (!remaining.includes(player.dataset.player)) player.remove();
  for (const field of [...fresh.elements]) if (field.name === "remaining") field.remove();
  for (const entry of remaining) {
    fresh.append(Object.assign(document.createElement("input"), { type: "hidden", name: "remaining", value: entry }));
  }
  tellOf(fresh); // before the pad is built from it
  form.replaceWith(fresh);
}
