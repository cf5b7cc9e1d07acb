// A new round on its own page: what is counted is read back right above Save while it is counted; when the network is
// there, the server says what the standings become and what cannot be, each at its place. Save then stores it.
//
// Without script, and for corrections, the page that looks before saving does the same (templates/desk/look.html).
// Words: templates/desk/_read_back.html.

import { holdBack, moved, say } from "./entry.js";
import { Preview } from "./preview.js";

class Round {
  constructor(form) {
    this.form = form;
    this.pad = form.querySelector("card-pad");
    this.save = form.querySelector("[data-save]");
    this.back = form.querySelector("[data-read-back]");
    this.words = this.back.dataset;
    this.preview = new Preview(form, { later: this.words.wordLater, say, answered: () => this.answered() });
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
    const bar = form.querySelector(".action-bar").offsetHeight;
    if (bottom > innerHeight - bar && !document.querySelector(".errors, [data-first-steps]:not([hidden])")) this.pad.reach();
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

  /** Find the first thing that is missing, as its text and how to show it; null when nothing is. */
  get lack() {
    const { pad, words } = this;
    const missing = pad.missing;
    const names = missing.map((player) => player.name).join(", ");
    if (!pad.winner) return { text: words.wordWho, show: () => pad.ask() };
    if (missing.length) return { text: words.wordEmpty.replace("{names}", names), show: () => pad.show(missing[0]) };
    if (this.drawing && !this.form.elements.drew.value) {
      return { text: words.wordDrew, show: () => this.form.querySelector("#id_drew").scrollIntoView({ block: "center" }) };
    }
    return null;
  }

  /** Why this cannot be saved, and what shows it; null when nothing is known against it. */
  get objection() {
    const { fault } = this.preview;
    return this.lack ?? (fault && { text: fault.text, show: () => this.preview.lead(fault) });
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
    this.offerDrawing();
    this.form.toggleAttribute("data-choosing", this.pad.choosing);
    this.form.toggleAttribute("data-incomplete", Boolean(this.lack) || this.pad.choosing);
    this.back.hidden = !this.pad.winner || this.pad.choosing;
    this.preview.ask(ready && !this.lack);
    if (!this.pad.winner) return;
    this.renderHands();
    this.tally();
  }

  /** List who may have drawn for the last card: the next player first, never the one who went out. */
  offerDrawing() {
    const group = this.form.querySelector("#id_drew [role='group']");
    const order = this.pad.inPlay.map((player) => player.key).filter((key) => key !== this.pad.winner);
    if (!group || String(order) === this.drawers) return;
    this.drawers = String(order);
    const label = (key) => group.querySelector(`[value="${key}"]`).closest("label");
    for (const radio of group.querySelectorAll("input")) {
      radio.closest("label").hidden = !order.includes(radio.value);
      radio.checked &&= order.includes(radio.value);
    }
    group.append(...order.map(label));
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
    const state = missing ? this.words.wordLeft.replace("{n}", missing) : this.words.wordUnsaved;
    const line = document.createDocumentFragment();
    const add = (textContent, className = "") => line.append(Object.assign(document.createElement("span"), { textContent, className }));
    if (this.preview.ends) add(this.preview.ends, "action-bar__ends");
    add(this.gets);
    add(state);
    say(line);
  }

  /** Show the server's answer above Save: how the match ends, and what is wrong. */
  answered() {
    if (this.preview.ends) this.tally();
    moved();
  }

  /** The last hand is in: the whole round above Save, for reading it back. */
  readBack() {
    holdBack(this.save);
    // No further than to the form's end: the bar stays at the edge of the glass, so that Save does not move.
    const [top, bottom] = [this.back.getBoundingClientRect().top, this.form.getBoundingClientRect().bottom];
    scrollBy(0, Math.max(0, Math.min(top - 8, bottom - innerHeight)));
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
