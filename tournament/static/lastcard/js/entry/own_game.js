// <own-game>: a KPGUT game by the clock that a phone times by itself (templates/public/_game.html): it starts, is
// tapped and ends without a network, and is there again when the page is. What becomes of it: friends_game.js at a table
// of friends, table_clock.js at a table of an event. Those say under which `storeKey` it is kept, and of which `sheet`.

import { valueOf } from "../outbox/entries.js";
import { faceText, typedSeconds } from "../times.js";
import { begin, belongs, decksFor, gameOf, isSame, rowOf, stillIn, tapAbout, tapped } from "./friends_facts.js";
import { drawRow, howText } from "./game_running.js";
import { bring, openAt } from "./table_page.js";

const TWICE = 700; // ms in which a second tap in the same place is no decision

export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null; // switched off, or not ours
  }
}

export function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, typeof value === "string" ? value : JSON.stringify(value));
  } catch {
    // full or switched off: the game goes on until the page is left
  }
}

export class OwnGame extends HTMLElement {
  storeKey = "";
  sheet = /** @type {any} */ (null);

  /** Take the game that is over. @param {ReturnType<typeof rowOf>} _row */
  over(_row) {}

  async connectedCallback() {
    await Promise.all(["card-pad", "game-clock"].map((name) => customElements.whenDefined(name)));
    if (!this.sheet && this.isConnected) this.rise();
  }

  rise() {
    this.kept = this.games().find((game) => belongs(game, this.sheet)) ?? null;
    this.pad = this.querySelector("card-pad");
    this.clock = this.querySelector("game-clock");
    this.addEventListener("click", (event) => this.clicked(event));
    this.addEventListener("submit", (event) => this.submitted(event));
    this.addEventListener("clock:limit", () => this.draw());
    this.addEventListener("card-pad:change", () => this.noteHands());
    this.hidden = false;
    this.refillHands();
    this.draw();
    history.scrollRestoration = this.kept ? "manual" : "auto";
    const counting = this.querySelector("[data-game-hands]:not([hidden]) card-pad");
    if (counting) openAt(counting, "end");
    else if (this.kept) openAt(this);
  }

  /** The games that run: of this table, and of the one that this device timed before. */
  games() {
    return [read(this.storeKey)].flat().filter((game) => game?.taps);
  }

  find(name) {
    return this.querySelector(`[data-${name}]`);
  }

  /** Keep the game as it is now, none where it is over. */
  keep(kept) {
    const others = this.games().filter((game) => !isSame(game, kept ?? this.kept));
    this.kept = kept;
    write(this.storeKey, [kept, ...others].filter(Boolean).slice(0, 2));
    this.draw();
  }

  howText(player) {
    return howText(this.dataset, player);
  }

  /** What a tap on a name says: out, or what was chosen below. */
  get hint() {
    return { give_up: "wordGiveUp", eject: "wordEject" }[this.mode] ?? "wordOut";
  }

  // ---- taps ----

  tap(kind, who, fields) {
    this.mode = "";
    this.at = performance.now();
    this.keep(tapped(this.kept, kind, who, Date.now(), fields));
  }

  clicked(event) {
    const button = event.target.closest("button[type=button]");
    const who = button?.closest("[data-who]")?.dataset.who;
    if (!button || (button.closest(".taps__back") && performance.now() - this.at < TWICE)) return;
    const has = (name) => button.hasAttribute(`data-${name}`);
    if (button.matches(".tap")) this.tap(this.mode || "out", who, [["elapsed_s", String(this.clock.elapsedNow)]]);
    else if (has("joins")) this.tap("join", who);
    else if (has("take-back")) this.tap("take_back", who);
    else if (has("undo-last")) this.tap("take_back", button.dataset.entry);
    else if (has("keep-time")) this.putRight(button.closest("li"), who);
    else if (has("mode")) this.choose(button.dataset.mode);
    else if (has("stop-early") || has("play-on")) this.stopEarly(has("stop-early"));
    else if (has("drop-game")) this.keep(null);
  }

  choose(mode) {
    this.mode = this.mode === mode ? "" : mode;
    this.draw();
  }

  stopEarly(early) {
    this.keep({ ...this.kept, early });
    if (early) bring(this.pad, "end");
  }

  /** The time at which somebody left, as it was typed. */
  putRight(row, who) {
    const field = row.querySelector("input[name=at]");
    const error = row.querySelector(".field__error");
    const seconds = typedSeconds(field.value);
    error.hidden = seconds <= this.clock.limit;
    if (!error.hidden) {
      error.querySelector("span").textContent = this.dataset.wordNoTime;
      field.setAttribute("aria-invalid", "true");
      return field.focus();
    }
    field.removeAttribute("aria-invalid");
    row.querySelector("details").open = false;
    const { kind } = tapAbout(this.kept, who);
    this.kept = tapped(this.kept, "take_back", who, Date.now());
    this.tap(kind, who, [["at", field.value.trim()]]);
  }

  // ---- forms ----

  submitted(event) {
    const form = event.target;
    if (form === this.find("game-send")) return;
    event.preventDefault();
    if (performance.now() - this.saved < TWICE) return; // Save, tapped twice, starts no game
    if (form === this.find("game-start")) this.begin(form);
    else this.finish();
  }

  begin(form) {
    const players = [...form.querySelectorAll("[data-who]:not([hidden]) input:checked")].map(({ value }) => value);
    const few = players.length < 2;
    this.find("too-few").hidden = !few;
    if (few) return;
    const { value: ago } = form.elements.ago;
    form.elements.ago.value = "";
    this.pad.clear();
    this.keep(begin(this.sheet, players, ago, Date.now()));
    this.scrollIntoView({ block: "start" });
  }

  /** The game becomes a row of a score sheet, which `over` sends. */
  finish() {
    const counts = this.pad.players.map((player) => [player.key, Object.fromEntries([...this.pad.hand(player)].filter(([, count]) => count))]);
    this.saved = performance.now();
    this.over(rowOf(this.kept, Object.fromEntries(counts), this.clock.elapsedNow));
  }

  // ---- hands ----

  noteHands() {
    if (!this.kept || !this.pad.table) return;
    const fields = [...this.pad.querySelectorAll("input[data-card]")].filter(({ value }) => value);
    this.kept.hands = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    write(this.storeKey, this.games().map((game) => (isSame(game, this.kept) ? this.kept : game)));
  }

  refillHands() {
    if (!this.kept) return;
    const { hands } = this.kept;
    for (const field of this.pad.querySelectorAll("input[data-card]")) field.value = hands[field.name] ?? "";
    this.pad.reread();
  }

  // ---- drawing ----

  draw() {
    const { game, over } = this.kept ? gameOf(this.kept) : { game: null, over: false };
    const running = Boolean(game) && !over;
    const number = String(this.sheet.games.length + 1);
    for (const part of this.querySelectorAll("[data-of]")) {
      part.textContent = this.dataset[`word${part.dataset.of.replace(/^./, (first) => first.toUpperCase())}`].replace("{n}", number);
    }
    this.find("game-start").hidden = Boolean(game);
    this.find("game-running").hidden = !running;
    this.find("game-over").hidden = !over;
    this.find("game-else").hidden = !running;
    this.drawPeople(game);
    this.drawClock(running ? game : null, number);
    if (running) this.drawHands(game);
    if (over) this.drawOver();
    const offered = stillIn(this.sheet);
    for (const row of this.find("game-start").querySelectorAll("[data-who]")) row.hidden = !offered.includes(row.dataset.who);
  }

  drawPeople(game) {
    const players = new Map(game?.players.map((player) => [player.entry, player]));
    const offered = stillIn(this.sheet);
    for (const row of this.querySelectorAll("[data-who][data-when]")) {
      if (game) drawRow(this, row, players.get(row.dataset.who));
      if (!offered.includes(row.dataset.who)) row.hidden = true;
    }
    const left = game?.players.filter(({ outcome }) => outcome !== "playing") ?? [];
    const gone = this.find("gone");
    gone.hidden = !left.length;
    left.sort((one, other) => (other.elapsed ?? 3601) - (one.elapsed ?? 3601));
    const list = gone.querySelector("[data-rows]");
    const order = left.map((player) => list.querySelector(`:scope > [data-who="${player.entry}"]`));
    if (String(order.map((row) => row.dataset.who)) !== list.dataset.order) list.append(...order);
    list.dataset.order = String(order.map((row) => row.dataset.who));
    for (const { entry, elapsed, outcome } of left) {
      const row = list.querySelector(`:scope > [data-who="${entry}"]`);
      row.querySelector("details").hidden = outcome === "last";
      if (!row.querySelector("details").open) row.querySelector("input").value = elapsed === null ? "" : faceText(elapsed);
    }
    const join = this.find("join");
    const away = [...join.querySelectorAll("[data-who]")].some((row) => !row.hidden);
    join.hidden = !away || left.some(({ outcome }) => outcome === "out");
    const ask = this.querySelector("#taps-ask");
    ask.textContent = ask.dataset[this.hint];
    for (const button of this.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === this.mode));
  }

  drawClock(game, number) {
    const { dataset } = this.clock;
    if (!game) dataset.state = "waiting";
    else if (dataset.state === "waiting") {
      Object.assign(dataset, { game: game.uid, began: game.began, at: "0" });
      this.clock.querySelector(".clock__note").textContent = this.dataset.wordTitle.replace("{n}", number);
      dataset.state = "running";
    }
  }

  /** At the hour, or when the game is stopped, the hands of whoever is left are counted. */
  drawHands(game) {
    const up = this.clock.dataset.state === "limit";
    const counting = up || this.kept.early;
    const form = this.find("game-hands");
    for (const part of this.querySelectorAll("[data-until-limit]")) part.hidden = counting;
    for (const part of form.querySelectorAll("[data-how-word]")) part.hidden = part.dataset.howWord !== (up ? "time" : "early");
    if (up && this.kept.early) this.kept.early = false;
    const absent = this.pad.players.map(({ key }) => key).filter((key) => game.players.find(({ entry }) => entry === key)?.outcome !== "playing");
    const opens = form.hidden && counting;
    form.hidden = !counting;
    if (!counting || (!opens && String(absent) === this.absent)) return;
    this.absent = String(absent);
    this.pad.absent = absent;
    this.pad.decks = decksFor(this.dataset.decks, this.dataset.perDeck, game.players.length);
    if (opens) this.pad.reread();
  }

  /** One is left: the tap that ended the game can be undone. */
  drawOver() {
    const last = this.kept.taps.findLast(({ kind }) => ["out", "give_up", "eject"].includes(kind));
    const who = valueOf(last, "entry");
    const undo = this.find("undo-last");
    undo.dataset.entry = who;
    undo.querySelector("[data-name]").textContent = this.kept.names[who];
  }
}
