// A whole game from paper on its own page: the hands of those who remained open as soon as somebody is marked so, the
// server says what the standings become while the network is there, and Save keeps it on the phone (outbox.js).
//
// Without script, and for corrections, the page that looks before saving does the same. Loaded before desk.js, which puts
// back what was typed, also in the hands; words and numbers stand on the form (templates/desk/paper.html).

import { newId } from "../outbox/entries.js";
import { typedSeconds } from "../times.js";
import { listed } from "../words.js";
import { Preview } from "./preview.js";
import { refresh, say, watch } from "./save.js";

const FORM = "form[data-entry='paper']";

class Paper {
  constructor(form) {
    this.form = form;
    this.words = form.dataset;
    this.hands = form.querySelector("[data-hands]");
    this.pad = form.querySelector("card-pad");
    this.preview = new Preview(form, { later: this.words.wordLater, say: (text) => say(form, text, true), answered: () => refresh(form) });
    form.querySelector("[data-save]").value = "save";
    form.addEventListener("card-pad:change", () => this.changed());
    // Not on "change", which comes with the next tap: what it moves would not be under the finger any more.
    form.addEventListener("input", () => {
      form.dataset.begun = "";
      this.changed();
    });
    form.addEventListener("outbox:kept", () => this.next());
    this.changed();
    watch(form, () => this.objection);
  }

  // ---- what is known ----

  outcome(entry) {
    return this.form.elements[`outcome-${entry}`].value;
  }

  get played() {
    return this.pad.players.filter((player) => this.outcome(player.key));
  }

  get decks() {
    const { usualDecks, perDeck } = this.words;
    return Number(this.form.elements.decks.value) || Number(usualDecks) || Math.ceil(Math.max(2, this.played.length) / Number(perDeck));
  }

  /** Whether the outcomes do not say when the game ended. */
  get endUnknown() {
    const ended = this.form.elements.ended.value;
    const left = this.played.some((player) => ["gave_up", "ejected"].includes(this.outcome(player.key)));
    return ended === "early" || (ended === "last" && left);
  }

  /** Find the first thing that is missing, as its text and how to show it; null when nothing is. */
  get lack() {
    const { form, pad, words } = this;
    const timeless = (field) => Number.isNaN(typedSeconds(field.value));
    const late = this.played.filter((each) => this.outcome(each.key) === "out" && timeless(form.elements[`time-${each.key}`]));
    const names = (players) => listed(players.map((player) => player.name));
    const at = (field) => () => field.focus();
    if (this.played.length < 2) return { text: words.wordWho, show: at(form.querySelector("select[name^='outcome-']")) };
    if (late.length) return { text: words.wordTime.replace("{names}", names(late)), show: at(form.elements[`time-${late[0].key}`]) };
    if (this.endUnknown && timeless(form.elements.duration)) return { text: words.wordDuration, show: at(form.elements.duration) };
    return pad.lack;
  }

  get objection() {
    return this.lack ?? this.preview.objection;
  }

  // ---- after every change ----

  changed() {
    const players = this.pad.players.map((player) => player.key);
    const remaining = players.filter((entry) => this.outcome(entry) === "remaining");
    const shown = `${remaining} ${this.decks}`;
    if (shown !== this.shown) {
      this.shown = shown;
      this.hands.hidden = !remaining.length;
      this.pad.decks = this.decks;
      this.pad.absent = players.filter((entry) => !remaining.includes(entry)); // comes back as another change
      return;
    }
    say(this.form);
    this.preview.ask(!this.lack);
  }

  /** This game is kept: the page is ready for the next one, also where no other page opens. */
  next() {
    const { form } = this;
    const number = Number(form.elements.number.value) + 1;
    for (const field of form.querySelectorAll("select, input:not([type=hidden], [type=radio])")) field.value = "";
    for (const radio of form.querySelectorAll("[name=ended]")) radio.checked = radio.value === "last";
    for (const mark of form.querySelectorAll(".errors, .field__error, :scope > .notice")) mark.remove();
    Object.assign(form.elements.number, { value: number });
    for (const name of ["command", "play"]) form.elements[name].value = newId();
    form.dataset.keep = `${form.dataset.table}:${number}:0`;
    form.querySelector("h1").textContent = this.words.wordTitle.replace("{n}", number);
    delete form.dataset.begun;
    this.pad.clear();
    this.changed();
    scrollTo(0, 0);
  }
}

const papers = new WeakMap();
const forms = () => [...document.querySelectorAll(FORM)].filter((form) => !papers.has(form));

/** Everybody's hand is on the page, and only those count who remained; before anything typed is put back. */
function open() {
  for (const form of forms()) {
    const place = form.querySelector("[data-hands]");
    const every = form.querySelector("template[data-every-hand]");
    if (!every) continue;
    place.querySelector("card-pad")?.remove();
    place.append(document.importNode(every.content, true));
    every.remove();
  }
}

function prepare() {
  for (const form of forms()) if (form.querySelector("card-pad")?.table) papers.set(form, new Paper(form));
}

function begin() {
  open();
  customElements.whenDefined("card-pad").then(() => setTimeout(prepare));
}
begin();
document.addEventListener("htmx:load", begin);
