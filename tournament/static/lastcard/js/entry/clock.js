// <game-clock>: elapsed time of a game (templates/components/_clock.html).
//
// In: data-elapsed (whole seconds since the start, counted by the server when it rendered the page), data-limit
// (seconds), data-state ("waiting", "running", "stopped", "limit"); data-game and data-at, which game it is and when the
// server counted (ms of its own clock); or data-began, the phone's time of day when a game began that the server does not
// know of yet. It needs no network, and the phone's time of day may be wrong: only how it goes on is used.
// Events (bubble): "clock:tick" each second with detail {elapsed}; "clock:limit" once when the limit is reached.
// `elapsedNow` is the whole seconds elapsed, for a form that records when a name was tapped.
//
// A page that the browser shows again (after a reload without network, from its memory) says what was true when it was
// made. So the phone keeps when each game began, by its own time of day, and the newest word of the server wins.

import { elapsedSince, faceText, followed, goneOn, withGame } from "../times.js";

const KEY = "lastcard:clocks";

const anchors = new Map(); // by game: what this page knows, {at, base, since, sinceDay}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // storage switched off
  }
}

function remember(game, at, began) {
  try {
    localStorage.setItem(KEY, JSON.stringify(withGame(remembered(), game, at, began)));
  } catch {
    // storage switched off: the clock is right until the page is reloaded without network
  }
}

/** How long ago the answer came that this page was made from, in ms: the first clock of a page starts late. One that
 * htmx puts into a page comes with an answer of its own. */
function age() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const came = visit?.responseStart && !anchors.size && document.readyState !== "complete";
  return came ? performance.now() - visit.responseStart : 0;
}

export class GameClock extends HTMLElement {
  static observedAttributes = ["data-elapsed", "data-state", "data-at"];

  awake = () => this.tick();

  connectedCallback() {
    this.start();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.awake);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.start();
  }

  start() {
    clearInterval(this.timer);
    this.limit = Number(this.dataset.limit);
    this.anchor = this.found();
    this.shown = null;
    if (this.dataset.state !== "running") return;
    const note = this.querySelector(".clock__hour"); // the start was put right: it is not the hour yet
    if (note) Object.assign(note, { textContent: "", className: "clock__note" });
    document.addEventListener("visibilitychange", this.awake);
    this.timer = setInterval(() => this.tick(), 250);
    this.tick();
  }

  /** From where to count: the server's newest word about this game, heard now, before, or on an earlier page. */
  found() {
    const { game } = this.dataset;
    const [at, elapsed, began] = ["at", "elapsed", "began"].map((name) => Number(this.dataset[name] ?? 0));
    const now = { at, base: elapsed * 1000, since: performance.now(), sinceDay: Date.now() };
    if (!game || this.dataset.state !== "running") return now;
    const here = anchors.get(game);
    if (here && here.at >= at) return here;
    const before = remembered()[game];
    now.base = goneOn({ at, elapsed: now.base, began }, before, now.sinceDay, age());
    anchors.set(game, now);
    remember(game, Math.max(at, before?.at ?? 0), now.sinceDay - now.base);
    return now;
  }

  get elapsed() {
    Object.assign(this.anchor, followed(this.anchor, performance.now(), Date.now())); // all clocks of the game have it
    return elapsedSince(this.anchor, performance.now(), Date.now());
  }

  get elapsedNow() {
    const running = this.dataset.state === "running" ? this.elapsed : this.anchor.base;
    return Math.max(0, Math.min(Math.floor(running / 1000), this.limit));
  }

  tick() {
    const seconds = this.elapsedNow;
    if (seconds === this.shown) return;
    this.shown = seconds;
    const find = (part) => this.querySelector(`[data-clock-${part}]`);
    const face = find("face");
    if (face) face.textContent = faceText(seconds);
    find("run")?.setAttribute("width", String(Math.floor((seconds * 600) / this.limit)));
    this.dispatchEvent(new CustomEvent("clock:tick", { bubbles: true, detail: { elapsed: seconds } }));
    if (seconds < this.limit) return;
    const note = find("note");
    if (note) {
      note.textContent = this.dataset.wordLimit;
      note.className = "clock__hour";
      note.setAttribute("role", "status");
    }
    clearInterval(this.timer);
    this.setAttribute("data-state", "limit");
    this.dispatchEvent(new CustomEvent("clock:limit", { bubbles: true, detail: { elapsed: seconds } }));
  }
}

customElements.define("game-clock", GameClock);
