// A new round on its own page: what is counted is read back right above Save while it is counted; when the network is
// there, the server says what the standings become and what cannot be, each at its place. Save then stores it.
//
// Without script, and for corrections, the page that looks before saving does the same (templates/desk/look.html).
// Words: templates/desk/_read_back.html.

import { Preview } from "./preview.js";
import { holdBack, moved, refresh, say, watch } from "./save.js";
import { counted } from "../words.js";

/** Whose hands do not count: who is out from this round on, and whose hand a card's text emptied. */
function absentIn(form) {
  const fields = [...form.querySelectorAll("select[name^='out-'], [name^='emptied-']:checked")];
  return fields.filter((field) => field.value).map((field) => field.name.slice(field.name.indexOf("-") + 1));
}

class Round {
  constructor(form) {
    this.form = form;
    this.pad = form.querySelector("card-pad");
    this.save = form.querySelector("[data-save]");
    this.back = form.querySelector("[data-read-back]");
    this.words = this.back.dataset;
    const wrong = (text) => say(form, text, true);
    this.preview = new Preview(form, { later: this.words.wordLater, say: wrong, answered: () => this.answered() });
    this.save.value = "save";
    form.addEventListener("card-pad:change", () => this.changed());
    form.addEventListener("entry:taken", () => this.preview.look());
    form.addEventListener("card-pad:done", () => this.readBack());
    form.addEventListener("change", (event) => event.target.closest("card-pad") || this.changed());
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      form.requestSubmit(this.save);
    });
    this.changed();
    watch(form, () => this.objection);
    this.pad.open();
  }

  // ---- what is known ----

  /** Why this cannot be saved, and what shows it; null when nothing is known against it. */
  get objection() {
    return this.pad.lack ?? this.preview.objection;
  }

  // ---- after every change ----

  changed() {
    const absent = absentIn(this.form);
    if (String(absent) !== String(this.left ?? [])) {
      this.left = absent;
      this.pad.absent = absent; // comes back as another change
      return;
    }
    const ready = Boolean(this.pad.winner) && !this.pad.missing.length;
    if (ready && !this.ready) holdBack(this.save);
    this.ready = ready;
    this.form.toggleAttribute("data-choosing", this.pad.choosing);
    this.back.hidden = !this.preview.taken && (!this.pad.winner || this.pad.choosing);
    this.preview.ask(ready && !(this.pad.last?.asked && this.pad.lack));
    if (!this.pad.winner) return;
    this.renderHands();
    this.tally();
  }

  renderHands() {
    const { pad, words } = this;
    const name = pad.names.get(pad.winner);
    const won = "winnerTakes" in words ? counted(words, "wordGets", pad.gets) : words.wordWon;
    this.gets = name === undefined ? words.wordByTime : won.replace("{name}", name);
    this.back.querySelector("[data-gets]").textContent = this.gets;
    this.back.querySelector("[data-hands]").replaceChildren(...pad.inPlay.map((player) => pad.line(player)));
  }

  /** The line above Save: what whoever went out gets, or that the match is theirs by it; that another phone saved this
   * round goes before either. */
  tally() {
    const { ends, taken, place } = this.preview;
    const parts = taken ? [".notice__title", "summary"].map((each) => place.querySelector(each)?.textContent) : [];
    if (parts[0]) {
      const link = Object.assign(document.createElement("a"), { href: "#taken", textContent: parts[1] });
      const line = document.createElement("span");
      line.append(`${parts[0].trim()} `, link);
      say(this.form, line, true);
      return;
    }
    const className = ends ? "action-bar__ends" : "";
    say(this.form, Object.assign(document.createElement("span"), { textContent: ends || this.gets, className }));
  }

  /** Show the server's answer above Save: how the match ends, and what is wrong. */
  answered() {
    this.back.hidden &&= !this.preview.taken;
    if (this.preview.ends || this.preview.taken) this.tally();
    refresh(this.form);
    moved();
  }

  /** Every hand is in: what is still asked, and under it the whole round for reading it back. */
  readBack() {
    holdBack(this.save);
    // No further than to the form's end: the bar stays at the edge of the glass, so that Save does not move.
    const from = this.pad.last ? this.pad.table : this.back;
    const outbox = document.querySelector("desk-outbox");
    const line = outbox && getComputedStyle(outbox).position === "sticky" ? outbox.offsetHeight : 0;
    const [top, bottom] = [from.getBoundingClientRect().top, this.form.getBoundingClientRect().bottom];
    scrollBy(0, Math.min(top - line - 8, bottom - innerHeight));
  }
}

const rounds = new WeakMap();

function prepare() {
  for (const form of document.querySelectorAll("form[data-entry='round']")) {
    if (!rounds.has(form) && form.querySelector("card-pad")?.table) rounds.set(form, new Round(form));
  }
}

const others = new WeakSet();

/** A correction and a proposal are not read back here: their pad alone is told whose hands do not count. */
function prepareOthers() {
  for (const form of document.querySelectorAll("form.round:not([data-entry])")) {
    const pad = form.querySelector("card-pad");
    if (others.has(form) || !pad?.table) continue;
    others.add(form);
    const tell = () => (pad.absent = absentIn(form));
    form.addEventListener("change", ({ target }) => {
      if (!(target instanceof Element && target.closest("card-pad"))) tell();
    });
    tell();
  }
}

prepare();
prepareOthers();
document.addEventListener("htmx:load", prepareOthers);
document.addEventListener("htmx:load", prepare);
