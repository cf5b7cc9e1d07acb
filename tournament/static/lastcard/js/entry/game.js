// <game-table>: the page of a KPGUT table (templates/desk/game.html), which goes on by itself where there is no network.
//
// It shows the server's facts with this phone's own entries on top (game_facts.js): a tap shows at once, the game
// ends when one is left, the hands open at the hour, and the next game starts, all before the server hears of it. The
// parts of the page are the server's own, also as templates, with `NO_GAME` and `NO_NUMBER` where the game's go. When the
// server has confirmed something its page is fetched and put in place, but never over a form that somebody fills in.
//
// What was not accepted is there to be mended: the hands of a game's end in its form, the rest as a note ([data-problems]).
//
// [data-part] the running game or the start; [data-fresh] what only the server knows; [data-who] a person's row, shown
// by [data-when]: playing, gone or away; [data-on-server] a link that needs the game to be on the server.

import { enteredAt, newId, playOf, PROBLEMS, valueOf } from "../outbox/entries.js";
import { whatOf } from "../outbox/entry_content.js";
import { known, overlay } from "./game_facts.js";
import { trouble } from "./entry_notes.js";
import { begun, bring, openAt, shows } from "./table_page.js";
import { drawGame, dropsOf, howText, refusedEnd, tellOf } from "./game_running.js";

const NO_GAME = "00000000-0000-4000-8000-000000000000"; // tournament/views/entry/games.py
const NO_NUMBER = "9876";
const TWICE = 700; // ms in which a second tap in the same place is no decision
const SOON = 150; // ms: confirmations that come together are shown together
const READ = 400; // ms until what another phone put under the finger can be tapped
const PATIENCE = 12_000; // ms for an answer

export class GameTable extends HTMLElement {
  connectedCallback() {
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.begin(), { once: true });
    } else this.begin();
  }

  disconnectedCallback() {
    this.leaving?.abort();
  }

  begin() {
    if (this.facts || !this.isConnected) return;
    this.facts = JSON.parse(this.querySelector("#game-facts").textContent);
    this.tapped = new Map(); // by entry: when they were tapped on this page
    this.shown = this.keyOf(known(this.facts, []));
    this.told = clockOf(this);
    this.said = "[]"; // of what was not accepted
    this.leaving = new AbortController();
    const on = (type, listener) => document.addEventListener(type, listener, { signal: this.leaving.signal });
    on("outbox:keeping", (event) => this.contains(event.target) && this.fill(event));
    on("outbox:kept", (event) => this.contains(event.target) && this.kept(event.target, event.detail));
    on("outbox:change", () => this.changed());
    on("outbox:confirmed", (event) => event.detail.table === this.dataset.table && this.soon());
    on("clock:limit", () => this.draw());
    on("table:changed", () => this.soon(enteredAt(this.dataset.table).some(({ state }) => state !== "confirmed") ? SOON : 0));
    // How many decks are needed is asked of the server when it is there, and is no trouble when it is not.
    this.addEventListener("htmx:beforeRequest", (event) => navigator.onLine || event.preventDefault());
    for (const type of ["htmx:sendError", "htmx:timeout"]) this.addEventListener(type, (event) => event.stopPropagation());
    this.addEventListener("click", (event) => this.clicked(event));
    this.draw();
    // A running game is opened, also by the way back, at its clock with the names below it, at the hour at the keys.
    history.scrollRestoration = this.known.game ? "manual" : "auto";
    const counting = this.section.querySelector("[data-hands]:not([hidden]) card-pad");
    if (counting) openAt(counting, "end");
    else if (this.known.game || matchMedia("(height < 45rem)").matches) openAt(this.section);
  }

  get section() {
    return this.querySelector(":scope > [data-part]");
  }

  get clock() {
    return this.section.querySelector("game-clock");
  }

  /** What is shown: a game, or the start of the next one by those who sit here now. */
  keyOf({ game, number }) {
    return game ? `game ${game.uid}` : `start ${number} ${this.facts.seated}`;
  }

  nameOf(entry) {
    return this.known?.names[entry] ?? this.facts.names[entry] ?? "";
  }

  howText(player) {
    const how = howText(this.dataset, player);
    return player.waiting ? this.dataset.wordWaiting.replace("{how}", how) : how;
  }

  /** The word for what a tap on a name says. */
  get hint() {
    return this.givesUp ? "wordGiveUp" : "wordOut";
  }

  // ---- a form on its way to the outbox ----

  fill(event) {
    const form = event.target;
    const { command, elapsed_s: elapsed, entry, name } = form.elements;
    const soon = form.closest(".taps__place") && performance.now() - this.tapped.get(entry.value) < TWICE;
    if (soon) return event.preventDefault();
    if (!command.value) command.value = newId();
    if (name && this.tellNewcomer(form, name.value)) return event.preventDefault();
    if (name) entry.value = newId(); // of somebody from outside
    if (elapsed && this.clock) elapsed.value = this.clock.elapsedNow;
    this.held = form.contains(document.activeElement);
  }

  /** Whether somebody of this name is known here: said beside the name, which stays. */
  tellNewcomer(form, name) {
    const plain = (text) => text.trim().replace(/\s+/g, " ").toLocaleLowerCase();
    const { game, names } = this.known;
    const [uid] = Object.entries(names).find(([, known]) => plain(known) === plain(name)) ?? [];
    if (!uid) return false;
    const playing = game?.players.some(({ entry }) => entry === uid);
    const listed = form.closest("[data-join]").querySelector(`[data-who="${CSS.escape(uid)}"]:not([hidden])`);
    this.sayNewcomer(form, playing ? "wordPlaying" : listed ? "wordListed" : "wordKnown", name.trim(), true);
    return true;
  }

  sayNewcomer(form, word, name, wrong = false) {
    const line = form.querySelector("[data-joins]");
    line.classList.toggle("field__error", wrong);
    line.textContent = line.dataset[word].replace("{name}", name);
  }

  kept(form, entry) {
    form.elements.command.value = ""; // the next tap is another
    if (!form.elements.name) form.closest("details.aside")?.removeAttribute("open");
    if (form.hasAttribute("data-once")) form.reset();
    if (form.elements.name) this.sayNewcomer(form, "wordJoins", valueOf(entry, "name"));
    const [game, who] = [playOf(entry), valueOf(entry, "entry")];
    this.tapped.set(who, performance.now());
    this.givesUp = false;
    if (entry.kind !== "roles") this.querySelector("[data-undos]").replaceChildren();
    this.draw();
    if (entry.kind === "start" || entry.kind === "end") this.section.scrollIntoView({ block: "start" });
    if (entry.kind === "out" || entry.kind === "give_up") this.offerUndo(game, who);
    if (this.held && entry.kind !== "roles") this.section.focus({ preventScroll: true }); // what was tapped is gone
  }

  clicked(event) {
    if (event.target.closest("[data-drop-game]")) return this.dropGame();
    if (event.target.closest("[data-mode]")) {
      event.preventDefault();
      this.givesUp = !this.givesUp;
      this.draw();
      return this.section.scrollIntoView({ block: "start" });
    }
    const stop = event.target.closest("[data-stop-early]");
    const go = event.target.closest("[data-play-on]");
    if (!stop && !go) return;
    event.preventDefault();
    this.early = Boolean(stop);
    const refused = refusedEnd(this, this.known.game);
    if (go && refused) document.dispatchEvent(new CustomEvent("outbox:drop", { detail: refused.command }));
    this.draw();
    if (stop) bring(this.section.querySelector("[data-hands] card-pad"), "end");
    this.section.focus({ preventScroll: true });
  }

  /** A start by mistake that the server has not heard of: it and its taps are no more. */
  dropGame() {
    for (const { command } of dropsOf(this, this.known.game.uid)) {
      document.dispatchEvent(new CustomEvent("outbox:drop", { detail: command }));
    }
    this.draw();
  }

  /** The tap that ended the game: its way back stands above the next one, until that begins. */
  offerUndo(game, who) {
    const { ended } = this.known;
    const player = ended?.uid === game && ended.players.find((each) => each.entry === who);
    if (!player) return;
    const undo = this.clone("undo", game, "").firstElementChild;
    undo.querySelector("[data-name]").textContent = this.nameOf(who);
    undo.querySelector("[data-how]").textContent = this.howText({ ...player, waiting: false });
    undo.querySelector("input[name=entry]").value = who;
    this.querySelector("[data-undos]").replaceChildren(undo);
    undo.scrollIntoView({ block: "center" });
  }

  // ---- drawing ----

  /** A part of the page for this game, from its template. */
  clone(name, game, number) {
    const html = this.querySelector(`template[data-template="${name}"]`).innerHTML;
    const copy = document.createElement("template");
    copy.innerHTML = html.replaceAll(NO_GAME, game).replaceAll(NO_NUMBER, number);
    return document.importNode(copy.content, true);
  }

  draw() {
    if (!this.isConnected) return;
    this.known = known(this.facts, overlay(this.dataset.table, this.facts.version));
    const { game, ended, number } = this.known;
    const key = this.keyOf(this.known);
    const counting = key !== this.shown && this.overtaken;
    if (counting) {
      if (!counting.querySelector("[data-overtaken]")) counting.querySelector(".action-bar").before(this.clone("overtaken", "", ""));
      return;
    }
    if (key !== this.shown) {
      this.early = this.givesUp = false;
      this.tapped.clear();
      this.shown = key; // first: a clock past the hour says so at once, and this is drawn again
      this.put(game ? this.clone("running", game.uid, game.number) : this.clone("start", newId(), number), game);
    }
    if (game) drawGame(this, game);
    this.drawRoles(this.known.roles);
    this.drawEnded(ended);
    this.drawProblems(game);
  }

  /** The form in which hands are counted here though another phone has ended the game: they stay until they are saved or left. */
  get overtaken() {
    const form = this.section.querySelector("[data-hands]:not([hidden]) form");
    const game = this.shown.replace("game ", "");
    const own = enteredAt(this.dataset.table).some((entry) => entry.kind === "end" && playOf(entry) === game);
    return form && this.facts.game?.uid !== game && !own && begun(form) ? form : null;
  }

  put(content, game) {
    const clock = content.querySelector("game-clock");
    if (clock && game) {
      clock.dataset.game = game.uid;
      if (game.began) clock.dataset.began = game.began;
      if (this.told?.game === game.uid) this.setClock(clock, content);
    }
    const held = this.section.contains(document.activeElement);
    this.section.replaceChildren(content);
    if (held) this.section.focus({ preventScroll: true });
    globalThis.htmx?.process(this.section);
    tellOf(this.section);
  }

  /** Name the oldest and the youngest player, or ask; somebody may have said it on this phone. */
  drawRoles(roles) {
    const place = this.section.querySelector("[data-roles]");
    for (const span of place.querySelectorAll("[data-role]")) {
      const name = roles[span.dataset.role];
      span.hidden = !name;
      span.querySelector("bdi").textContent = name;
    }
    place.querySelector(".roles-line").hidden = !roles.oldest && !roles.youngest;
    place.querySelector("[data-roles-ask]").hidden = !roles.ask;
  }

  /** A game that ended on this phone, until the server's own page tells of it. */
  drawEnded(ended) {
    const section = this.querySelector("[data-ended]");
    section.hidden = !ended;
    if (!ended) return;
    const order = ["out", "last", "remaining", "gave_up", "ejected"];
    const players = [...ended.players].sort(
      (one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome) || (one.elapsed ?? 0) - (other.elapsed ?? 0),
    );
    const rows = players.map((player) => {
      const [row, name, how] = ["li", "strong", "span"].map((tag) => document.createElement(tag));
      name.textContent = this.nameOf(player.entry);
      how.textContent = this.howText(player);
      row.append(name, how);
      return row;
    });
    section.querySelector("[data-ended-rows]").replaceChildren(...rows);
  }

  /** What was not accepted at this table, each with the one tap that settles it or leads to where it is settled. */
  drawProblems(game) {
    const mending = refusedEnd(this, game)?.command;
    const wrong = enteredAt(this.dataset.table).filter(({ state, command }) => PROBLEMS.has(state) && command !== mending);
    const said = JSON.stringify(wrong);
    const place = this.querySelector("[data-problems]");
    if (this.said === said) return;
    this.said = said;
    const named = (entry) => [whatOf(entry), valueOf(entry, "name") || this.nameOf(valueOf(entry, "entry"))].filter(Boolean).join(": ");
    place.replaceChildren(...wrong.map((entry) => trouble(entry, named(entry))));
  }

  // ---- the server's page ----

  /** Something was entered or answered. What was not accepted is understood by the newest page alone. */
  changed() {
    const wrong = enteredAt(this.dataset.table).filter(({ state }) => PROBLEMS.has(state)).map(({ command }) => command);
    if (String(wrong) !== String(this.wrong ?? [])) this.soon();
    this.wrong = wrong;
    this.draw();
  }

  /** Have a clock, and the taps beside it, count as the server told last. */
  setClock(clock, content) {
    const { since, game, elapsed, at } = this.told;
    Object.assign(clock.dataset, { game, elapsed, at });
    for (const field of content.querySelectorAll("input[name=since]")) field.value = since;
  }

  soon(wait = SOON) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.refresh(), wait);
  }

  async refresh() {
    let answer;
    try {
      answer = await fetch(location.pathname, { redirect: "error", signal: AbortSignal.timeout?.(PATIENCE) });
      if (!answer.ok) return;
      answer = await answer.text();
    } catch {
      return; // no network: the page goes on by itself
    }
    const whole = new DOMParser().parseFromString(answer, "text/html");
    const page = whole.querySelector("game-table");
    if (page?.dataset.table !== this.dataset.table || !this.isConnected) return;
    shows(whole);
    this.take(page);
  }

  /** Replace what the server said before with what it says now. */
  take(page) {
    const facts = JSON.parse(page.querySelector("#game-facts").textContent);
    if (facts.version < this.facts.version) return; // an older answer that came late
    const { shown } = this;
    const { top } = this.section.getBoundingClientRect();
    this.facts = facts;
    for (const template of page.querySelectorAll("template[data-template]")) {
      this.querySelector(`template[data-template="${template.dataset.template}"]`).replaceWith(document.adoptNode(template));
    }
    const fresh = [...page.querySelectorAll("[data-fresh]")];
    for (const part of this.querySelectorAll("[data-fresh]")) {
      part.replaceChildren(...document.adoptNode(fresh.shift()).childNodes);
      /** @type {any} */ (globalThis).htmx?.process(part); // a form in it is sent without leaving the page
    }
    this.told = clockOf(page);
    if (facts.game && this.shown === `game ${facts.game.uid}`) {
      const { clock } = this;
      this.setClock(clock, this.section);
      if (clock.dataset.state === "limit") clock.dataset.state = this.told.state; // its start may have been put right
    }
    this.draw();
    if (this.shown === shown) scrollBy(0, this.section.getBoundingClientRect().top - top);
    else this.turn();
  }

  /** Another phone started or ended the game: nothing that it put under the finger is tapped unread. */
  turn() {
    this.section.scrollIntoView({ block: "start" });
    this.section.inert = true;
    setTimeout(() => (this.section.inert = false), READ);
  }
}

/** What a page of the server says of the running game's clock. */
function clockOf(page) {
  const clock = page.querySelector("[data-part] game-clock");
  if (!clock) return null;
  const { game, elapsed, at, state } = clock.dataset;
  return { game, elapsed, at, state, since: page.querySelector("[data-part] input[name=since]")?.value ?? "" };
}

customElements.define("game-table", GameTable);
