// A new round on its own page: what is counted is read back right above Save while it is counted; when the network is
// there, the server says what the standings become and what cannot be, each at its place. Save then stores it.
//
// Without script, and for corrections, the page that looks before saving does the same (templates/desk/look.html).
// Words: templates/desk/_read_back.html.

import { holdBack, moved, say, waiting } from "./entry.js";

const PAUSE = 350; // ms without a change before the server is asked
const PATIENCE = 6000; // ms for its answer

class Round {
  constructor(form) {
    this.form = form;
    this.pad = form.querySelector("card-pad");
    this.save = form.querySelector("[data-save]");
    this.back = form.querySelector("[data-read-back]");
    this.follows = form.querySelector("[data-preview]");
    this.words = this.back.dataset;
    this.save.value = "save";
    this.save.textContent = this.words.wordSave;
    form.addEventListener("card-pad:change", () => this.changed());
    form.addEventListener("card-pad:done", () => this.readBack());
    form.addEventListener("change", (event) => event.target.closest("card-pad") || this.changed());
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      event.preventDefault();
      form.requestSubmit(this.save);
    });
    this.changed();
    const bottom = this.pad.table.getBoundingClientRect().bottom;
    if (bottom > innerHeight - 8 && !document.querySelector(".errors")) this.pad.reach();
  }

  // ---- what is known ----

  /** Whose hands do not count: who is out from this round on, and whose hand a card's text emptied. */
  get absent() {
    const fields = [...this.form.querySelectorAll("select[name^='out-'], [name^='emptied-']:checked")];
    return fields.filter((field) => field.value).map((field) => field.name.slice(field.name.indexOf("-") + 1));
  }

  get drawing() {
    return Boolean(this.form.querySelector("[name='last'][data-draws]:checked"));
  }

  get content() {
    const data = new FormData(this.form);
    for (const name of ["csrfmiddlewaretoken", "command", "step"]) data.delete(name);
    return new URLSearchParams(data).toString();
  }

  /** Why this cannot be saved, and what shows it; null when nothing is known against it. */
  get objection() {
    const { pad, words } = this;
    const missing = pad.missing;
    const names = missing.map((player) => player.name).join(", ");
    if (!pad.winner) return { text: words.wordWho, show: () => pad.ask() };
    if (missing.length) return { text: words.wordEmpty.replace("{names}", names), show: () => pad.show(missing[0]) };
    if (this.drawing && !this.form.elements.drew.value) {
      return { text: words.wordDrew, show: () => this.form.querySelector("#id_drew").scrollIntoView({ block: "center" }) };
    }
    const fault = this.wrong?.content === this.content ? this.wrong.faults[0] : null;
    return fault ? { text: fault.text, show: () => this.lead(fault) } : null;
  }

  // ---- after every change ----

  changed() {
    const absent = this.absent;
    if (String(absent) !== String(this.left ?? [])) {
      this.left = absent;
      this.pad.absent = absent; // comes back as another change
      return;
    }
    const ready = Boolean(this.pad.winner) && !this.pad.missing.length;
    if (ready && !this.ready) holdBack(this.save);
    this.ready = ready;
    this.form.toggleAttribute("data-choosing", this.pad.choosing);
    this.back.hidden = !this.pad.winner || this.pad.choosing;
    if (this.pad.winner) {
      this.renderHands();
      this.tally();
    }
    this.ask();
  }

  renderHands() {
    const { pad, words } = this;
    const name = pad.names.get(pad.winner);
    this.gets = words.wordGets.replace("{name}", name).replace("{n}", pad.gets);
    this.back.querySelector("[data-gets]").textContent = this.gets;
    this.back.querySelector("[data-hands]").replaceChildren(...pad.inPlay.map((player) => pad.line(player)));
  }

  /** The line above Save: what whoever went out gets, and how many hands are still to count. */
  tally() {
    const missing = this.pad.missing.length;
    const state = missing ? this.words.wordLeft.replace("{n}", missing) : this.words.wordAllIn;
    const line = document.createDocumentFragment();
    for (const text of [this.gets, state]) line.append(Object.assign(document.createElement("span"), { textContent: text }));
    say(line);
  }

  /** The last hand is in: the whole round above Save, for reading it back. */
  readBack() {
    holdBack(this.save);
    // No further than to the form's end: the bar stays at the edge of the glass, so that Save does not move.
    const [top, bottom] = [this.back.getBoundingClientRect().top, this.form.getBoundingClientRect().bottom];
    scrollBy(0, Math.max(0, Math.min(top - 8, bottom - innerHeight)));
  }

  // ---- what the server says to it ----

  ask() {
    clearTimeout(this.timer);
    this.request?.abort();
    const content = this.content;
    if (this.ready && content === this.asked) return;
    this.asked = "";
    this.wrong = null;
    this.follows.replaceChildren();
    for (const mark of this.form.querySelectorAll("[data-told]")) mark.remove();
    if (!this.ready || this.objection) return;
    if (waiting().length || !navigator.onLine) return this.later();
    this.timer = setTimeout(() => this.preview(content), PAUSE);
  }

  later() {
    const line = document.createElement("p");
    line.className = "muted";
    line.textContent = this.words.wordLater;
    this.follows.replaceChildren(line);
  }

  async preview(content) {
    this.request = new AbortController();
    const body = new URLSearchParams(new FormData(this.form));
    body.set("step", "preview");
    const stop = setTimeout(() => this.request.abort("late"), PATIENCE);
    let answer = null;
    try {
      const response = await fetch(this.form.action, { method: "POST", body, signal: this.request.signal, redirect: "error" });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      answer = response.ok ? page.querySelector("[data-answer]") : null; // a captive portal's page has none
    } catch {
      // no network, or another change came first
    }
    clearTimeout(stop);
    if (!this.form.isConnected || content !== this.content) return;
    if (!answer) return this.later();
    this.asked = content;
    this.follows.replaceChildren(document.adoptNode(answer));
    this.told(content, answer);
  }

  /** Puts every fault at its place: a hand on the pad, else the field that it is about. */
  told(content, answer) {
    const faults = [...answer.querySelectorAll("[data-at]")].map((line) => ({ at: line.dataset.at, text: line.textContent, line }));
    this.wrong = { content, faults };
    const hands = faults.filter((fault) => fault.at.startsWith("#hand-"));
    this.pad.blame(Object.fromEntries(hands.map((fault) => [fault.at.slice(6), fault.text])));
    for (const fault of faults.filter((each) => each.at && !hands.includes(each))) {
      const copy = fault.line.cloneNode(true);
      copy.dataset.told = "";
      this.form.querySelector(fault.at)?.prepend(copy);
    }
    if (faults.length) say(faults[0].text);
    moved();
  }

  lead(fault) {
    const player = this.pad.players.find((each) => fault.at === `#hand-${each.key}`);
    if (player) this.pad.show(player);
    else if (fault.at) this.form.querySelector(fault.at)?.scrollIntoView({ block: "center" });
  }
}

const rounds = new WeakMap();

function prepare() {
  for (const form of document.querySelectorAll("form[data-entry='round']")) {
    if (!rounds.has(form) && form.querySelector("card-pad")?.table) rounds.set(form, new Round(form));
  }
}
prepare();
document.addEventListener("htmx:load", prepare);

// Before the outbox sees it: what cannot be is not kept, and the page shows where.
window.addEventListener(
  "submit",
  (event) => {
    const objection = rounds.get(event.target)?.objection;
    if (!objection) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    objection.show();
    say(objection.text);
  },
  true,
);
