// <heat-order>: selects of numbers (templates/components/_heat.html) become names to tap in the order of going out.
//
// In: data-advance, how many go through. The selects stay the only truth and are what the form sends.
// Events (they bubble): "heat-order:change", detail {order: [player keys], complete: bool}, and "entry:shown" when it was
// drawn. `lack` says who is still to be named (save.js), null when enough are; `reread()` shows what the selects say where somebody else filled them in.

import { openAt } from "./table_page.js";

const TWICE = 400; // ms in which a second tap on a name is no decision

export class HeatOrder extends HTMLElement {
  static observedAttributes = ["data-advance"];

  /** Another number goes through: who is named beyond it is not any more. */
  attributeChangedCallback() {
    if (!this.taps) return;
    this.advance = Math.max(1, Math.min(Number(this.dataset.advance) || 1, this.players.length));
    for (const player of this.order.slice(this.advance)) player.select.value = "";
    this.order = this.order.slice(0, this.advance);
    this.render();
  }

  connectedCallback() {
    if (this.taps) return;
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.build(), { once: true });
    } else this.build();
  }

  build() {
    if (this.taps || !this.querySelector("[data-player]")) return;
    this.players = [...this.querySelectorAll("[data-player]")].map((field) => ({
      key: field.dataset.player,
      name: field.querySelector("[data-name]").textContent,
      select: field.querySelector("select"),
      tap: document.createElement("button"),
      tapped: -Infinity,
    }));
    this.read();
    const fields = this.querySelector(".heat__fields");
    fields.hidden = true;
    this.status = document.createElement("p");
    this.status.className = "heat__status";
    this.status.setAttribute("role", "status");
    this.taps = document.createElement("div");
    this.taps.className = "taps";
    for (const player of this.players) {
      player.tap.type = "button";
      player.tap.className = "tap heat__tap";
      player.tap.addEventListener("click", (event) => this.tap(player, event));
      this.taps.append(player.tap);
    }
    const felt = document.createElement("div");
    felt.className = "felt stack";
    const error = fields.querySelector(".field__error");
    felt.append(this.status, this.taps);
    if (error) this.prepend(error);
    this.append(felt);
    this.render();
    if (this.closest("[data-table-page]")) openAt(this);
  }

  read() {
    this.advance = Math.min(Number(this.dataset.advance), this.players.length);
    this.order = this.players
      .filter((player) => player.select.value)
      .sort((a, b) => Number(a.select.value) - Number(b.select.value));
  }

  reread() {
    if (!this.taps) return;
    this.read();
    this.render();
  }

  /** A player who was removed or left never advances: where fewer than go through are left, those are enough. */
  get tooFew() {
    const out = [...(this.closest("form")?.querySelectorAll("select[name^='out-']") ?? [])].filter((field) => field.value);
    const least = Math.min(this.advance, this.players.length - out.length);
    return this.order.length < least;
  }

  get lack() {
    if (!this.taps || !this.tooFew) return null;
    return { text: this.status.textContent, show: () => this.scrollIntoView({ block: "nearest" }) };
  }

  tap(player, { timeStamp, detail }) {
    const twice = detail && timeStamp - player.tapped < TWICE;
    player.tapped = timeStamp;
    if (twice) return;
    if (this.order.includes(player)) this.order = this.order.filter((each) => each !== player);
    else if (this.order.length < this.advance) this.order = [...this.order, player];
    else return;
    for (const each of this.players) each.select.value = this.order.includes(each) ? this.order.indexOf(each) + 1 : "";
    player.select.dispatchEvent(new Event("input", { bubbles: true }));
    this.render();
    this.closest("form")?.querySelector("[data-says]")?.replaceChildren(); // what was missing may be there
    this.dispatchEvent(
      new CustomEvent("heat-order:change", {
        bubbles: true,
        detail: { order: this.order.map((each) => each.key), complete: this.order.length >= this.advance },
      }),
    );
  }

  render() {
    const words = this.dataset;
    const complete = this.order.length >= this.advance;
    this.status.textContent = complete
      ? words.wordDone
      : this.order.length
        ? words.wordNext.replace("{n}", this.order.length).replace("{all}", this.advance)
        : words.wordFirst;
    for (const player of this.players) {
      const at = this.order.indexOf(player);
      const name = document.createElement("bdi");
      name.className = "tap__name";
      name.textContent = player.name;
      const place = document.createElement("span");
      place.className = "place";
      place.textContent = at >= 0 ? String(at + 1) : "";
      player.tap.replaceChildren(name, place);
      player.tap.setAttribute("aria-pressed", String(at >= 0));
      player.tap.setAttribute("aria-disabled", String(complete && at < 0));
      if (at >= 0) {
        const hint = document.createElement("span");
        hint.className = "tap__hint";
        hint.textContent = `${words.wordThrough} · ${words.wordUndo}`;
        player.tap.append(hint);
      }
    }
    this.dispatchEvent(new CustomEvent("entry:shown", { bubbles: true }));
  }
}

customElements.define("heat-order", HeatOrder);
