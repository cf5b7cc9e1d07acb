// The card played last, as a step of the card pad between the last hand and reading back (templates/desk/_last_card.html):
// whoever drew for it, and how many of it there were, as chips. Save waits until it was asked; most rounds end on a card
// that nobody draws for, so that this is chosen already and the next tap may be Save.

import { make } from "./card_pad_drawing.js";

export class LastCard {
  constructor(pad, element) {
    this.pad = pad;
    this.element = element;
    this.group = element.querySelector("[data-drew]");
    this.shown = false;
    this.asked = "asked" in element.dataset || this.draws || Boolean(element.querySelector(".field__error"));
    element.addEventListener("change", () => {
      this.asked = true;
      pad.render();
      pad.changed();
      pad.reach({ least: true });
    });
  }

  /** Whether somebody drew for it. */
  get draws() {
    return Boolean(this.element.querySelector("[data-draws]:checked"));
  }

  get drewBy() {
    return this.draws ? this.group.querySelector("input:checked")?.value : "";
  }

  /** A way back to the question who drew, for a hand that cannot be theirs. */
  get link() {
    const link = make("button", { type: "button", className: "button" }, this.element.dataset.wordDrew);
    link.addEventListener("click", () => this.pad.askLast());
    return link;
  }

  /** What is missing, once every hand is in (save.js); null when nothing is. */
  get lack() {
    const show = () => {
      this.pad.askLast();
      this.pad.reach({ least: true });
    };
    if (!this.asked) return { text: this.element.querySelector("legend").textContent, show };
    return this.draws && !this.group.querySelector("input:checked") ? { text: this.element.dataset.wordDrew, show } : null;
  }

  /** List who may have drawn: the next player first, never whoever went out; who is alone is chosen. */
  offer() {
    const order = this.pad.inPlay.map((player) => player.key);
    if (String(order) === this.order) return;
    this.order = String(order);
    const radios = [...this.group.querySelectorAll("input")];
    for (const radio of radios) {
      const may = order.includes(radio.value);
      radio.closest("label").hidden = !may;
      radio.checked = may && (radio.checked || order.length === 1);
    }
    const labelOf = (key) => radios.filter((radio) => radio.value === key).map((radio) => radio.closest("label"));
    this.group.append(...order.flatMap(labelOf));
  }

  /** A fresh round: ask again. */
  clear() {
    Object.assign(this, { asked: false, shown: false });
  }

  render() {
    this.offer();
    this.element.hidden = !this.shown || this.pad.choosing;
  }
}
