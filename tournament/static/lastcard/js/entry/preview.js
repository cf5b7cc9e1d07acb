// The preview of a play while it is entered: the answer to `step=preview` (templates/desk/_preview.html) stands
// above Save, what is wrong at its place. Without a network the play is saved all the same, and hears it later.
//
// Used by round.js and paper.js: `ask(ready)` after every change; `fault` is what the server has against what is there.

import { enteredAt } from "../outbox/entries.js";

const PAUSE = 350; // ms without a change before the server is asked
const PATIENCE = 6000; // ms for its answer

/** Whether this phone holds something for the table that the server has not: then it cannot say what follows. */
const waitsAt = (table) => enteredAt(table).some((entry) => entry.state !== "confirmed");

export class Preview {
  /** For a form with a [data-preview] part; `later` says that the answer comes with the network, `say` tells a fault, and
   * `answered` hears that an answer came, which may have moved what is under it. */
  constructor(form, { later, say, answered = () => {} }) {
    this.form = form;
    this.place = form.querySelector("[data-preview]");
    this.wordLater = later;
    this.say = say;
    this.answered = answered;
    this.told = null; // {content, faults: [{at, text, line}]}
    this.taken = false; // another phone has saved this play: the server is asked after every change
  }

  get pad() {
    return this.form.querySelector("card-pad");
  }

  get content() {
    const data = new FormData(this.form);
    for (const name of ["csrfmiddlewaretoken", "command", "step"]) data.delete(name);
    return new URLSearchParams(/** @type {[string, string][]} */ ([...data])).toString();
  }

  get fault() {
    return this.told?.content === this.content ? (this.told.faults[0] ?? null) : null;
  }

  /** How the match ends with what is there, in words; "" where it goes on, or nobody knows. */
  get ends() {
    return (this.told?.content === this.content && this.place.querySelector("[data-ends]")?.textContent) || "";
  }

  /** Ask about what is there now, if it is `ready` to be saved; forgets the answer to anything else. */
  ask(ready) {
    clearTimeout(this.timer);
    this.request?.abort();
    const content = this.content;
    if (ready && content === this.asked) return;
    this.asked = "";
    this.told = null;
    this.place.replaceChildren();
    for (const mark of this.form.querySelectorAll("[data-fault-copy]")) mark.remove();
    if (!ready && !this.taken) return;
    if (waitsAt(this.form.dataset.table) || !navigator.onLine) return this.later();
    this.timer = setTimeout(() => this.fetch(content), PAUSE);
  }

  later() {
    const line = document.createElement("p");
    line.className = "muted";
    line.textContent = this.wordLater;
    this.place.replaceChildren(line);
  }

  async fetch(content) {
    this.request = new AbortController();
    const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(this.form)]));
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
    this.taken = Boolean(answer.querySelector("[data-taken]"));
    this.place.replaceChildren(document.adoptNode(answer));
    this.tell(content, answer);
  }

  /** Ask at once what the server has in the place of this play. */
  look() {
    this.taken = true;
    this.asked = "";
    this.ask(true);
  }

  /** Puts every fault at its place: a hand on the pad, else the field that it is about. */
  tell(content, answer) {
    const faults = [...answer.querySelectorAll("[data-at]")].map((line) => ({ at: line.dataset.at, text: line.textContent, line }));
    this.told = { content, faults };
    const hands = faults.filter((fault) => fault.at.startsWith("#hand-"));
    this.pad?.blame(Object.fromEntries(hands.map((fault) => [fault.at.slice(6), fault.text])));
    for (const fault of faults.filter((each) => each.at && !hands.includes(each))) {
      const copy = fault.line.cloneNode(true);
      copy.dataset.faultCopy = "";
      this.placeOf(fault.at)?.prepend(copy);
    }
    for (const fault of faults) fault.line.hidden = Boolean(this.markOf(fault));
    if (this.objection?.text) this.say(this.objection.text);
    this.answered();
  }

  placeOf(at) {
    const found = this.form.querySelector(at);
    return found?.matches("input, select") ? found.closest(".field, fieldset") : found;
  }

  /** The hand or field that says what is wrong. */
  markOf(fault) {
    return this.handOf(fault) || (fault.at && this.placeOf(fault.at));
  }

  handOf(fault) {
    return this.pad?.players?.find((each) => fault.at === `#hand-${each.key}`);
  }

  /** What the server has against it (save.js): said once, at the hand or field that it is about. Null when nothing. */
  get objection() {
    const { fault } = this;
    if (!fault) return null;
    const marked = this.markOf(fault);
    const brief = this.place.querySelector("[data-answer]").dataset.wordMarked;
    return { text: marked ? "" : fault.text, brief: marked ? brief : "", show: () => this.lead(fault) };
  }

  /** Show where a fault is. */
  lead(fault) {
    const player = this.handOf(fault);
    const place = !player && fault.at ? this.placeOf(fault.at) : null;
    if (player) {
      this.pad.show(player);
      this.pad.reach();
    } else if (place?.closest("[data-last-card]")) this.pad.askLast();
    else place?.scrollIntoView({ block: "center" });
  }
}
