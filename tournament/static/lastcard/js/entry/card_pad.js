// <card-pad>: the plain form of numbers (templates/components/_card_pad.html) becomes keys to tap.
//
// The number inputs stay the only truth: every tap writes one of them, and they are what the form sends. Sums shown
// here are a convenience while counting; the server counts the points.
//
// Events (they bubble): "card-pad:change" after every change, detail {winner, hands: {key: {card: count}}, sums: {key: n}};
// "card-pad:done" when somebody goes on after the last hand; "entry:shown" when it was drawn. For the page's own module: `absent` (whose hands do not
// count), `decks`, `missing`, `lack`, `gets`, `line()`, `clear()`, `leave()`, `blame()`, `ask()`, `show()`, `reach()`.

import { drawChips, drawKeys, drawTray, handLine, make } from "./card_pad_drawing.js";
import { typed, walk } from "./card_pad_keyboard.js";
import { LastCard } from "./card_pad_last.js";
import { hearSwipes, makeKeys } from "./card_pad_touch.js";
import { after, cardsOf, columnsOf, countIn, isFull, lastIn, pointsOf, shortNames } from "./hands.js";
import { counted, listed } from "../words.js";

export class CardPad extends HTMLElement {
  connectedCallback() {
    // A fragment swapped in may be connected before its children are parsed.
    if (this.table) return;
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.build(), { once: true });
    } else this.build();
  }

  build() {
    if (this.table || !this.querySelector("[data-player]")) return;
    this.word = (name) => this.dataset[`word${name[0].toUpperCase()}${name.slice(1)}`] ?? "";
    this.players = [...this.querySelectorAll("fieldset[data-player]")].map((fieldset) => ({
      key: fieldset.dataset.player,
      name: fieldset.dataset.name,
      fieldset,
      error: fieldset.querySelector(".field__error"),
      absent: false,
      inputs: new Map([...fieldset.querySelectorAll("input[data-card]")].map((input) => [input.dataset.card, input])),
    }));
    shortNames(this.players.map((player) => player.name)).forEach((short, index) => (this.players[index].short = short));
    this.kinds = [...this.players[0].inputs.values()].map((input) => ({
      id: input.dataset.card,
      label: input.dataset.label,
      points: Number(input.dataset.points),
      copies: Number(input.max),
      each: Number(input.max), // in what the page was made for: one deck, where `decks` is set
      drawing: input.closest("label").querySelector("svg.card"),
    }));
    this.names = new Map(this.players.map((player) => [player.key, player.name]));
    this.choice = this.querySelector(".pad__winner");
    this.taken = new Map(this.players.map((player) => [player.key, []])); // the order of taps, for the minus key
    this.current = this.underWay;

    this.table = make("div", { className: "felt pad__table", tabIndex: -1 });
    this.chips = make("div", { className: "pad__chips", "data-redrawn": "", role: "group", "aria-label": this.word("cards") });
    this.tray = make("div", { className: "pad__tray", "data-redrawn": "" });
    this.keys = make("div", { className: "pad__keys", role: "group", "aria-label": this.word("hint") });
    this.said = make("p", { className: "visually-hidden", role: "status" });
    if (this.choice) this.table.append(this.choice);
    this.table.append(this.chips, this.tray, this.keys, this.said);
    const asks = this.closest("form")?.querySelector("[data-last-card]");
    this.last = asks ? new LastCard(this, asks) : null;
    if (asks) this.said.before(asks);
    for (const player of this.players) player.fieldset.hidden = true;
    makeKeys(this);
    this.prepend(this.table);

    this.table.addEventListener("keydown", (event) => typed(this, event));
    this.choice?.addEventListener("keydown", (event) => walk(this, event));
    this.choice?.addEventListener("click", (event) => event.target.matches("input") && this.chosen());
    hearSwipes(this);
    this.unfocused = (event) => [document.body, document.getElementById("main")].includes(event.target) && typed(this, event);
    document.addEventListener("keydown", this.unfocused);
    // Links of the error summary and answers of the browser's back button point at hidden fields: show that hand.
    this.toHash = () => this.showFromHash();
    window.addEventListener("hashchange", this.toHash);
    const wrong = this.players.find((player) => player.error);
    if (wrong) this.current = wrong;
    this.choosing = Boolean(this.choice) && !this.winner;
    this.render();
    if (this.closest("form")?.querySelector("[name=reason], [data-restored]")) this.open(); // a correction, or begun before
  }

  disconnectedCallback() {
    window.removeEventListener("hashchange", this.toHash);
    document.removeEventListener("keydown", this.unfocused);
  }

  // ---- what is known ----

  get winner() {
    return this.choice?.querySelector("input:checked")?.value ?? "";
  }

  /** The choice that the bell ended the game before anybody was out, where it is made; else null. */
  get byTime() {
    return this.choice?.querySelector("input[value='time']:checked") ?? null;
  }

  /** The question for the last card, where one was played. */
  get asksLast() {
    return this.byTime ? null : this.last;
  }

  /** Those whose hands are counted, in the order in which they play, after whoever went out. */
  get inPlay() {
    const winner = this.players.find((player) => player.key === this.winner);
    return after(this.players, winner).filter((player) => !player.absent);
  }

  /** Who holds no card yet; all but the winner must. */
  get missing() {
    return this.inPlay.filter((player) => this.cards(player) === 0);
  }

  /** Count the points of whoever went out: the sum of the others' hands. */
  get gets() {
    return this.inPlay.reduce((sum, player) => sum + this.sum(player), 0);
  }

  /** What keeps the hands from being saved (save.js); null when nothing does. */
  get lack() {
    if (!this.table || this.closest("[hidden]")) return null;
    const { missing } = this;
    const at = (player) => () => {
      this.show(player);
      this.reach();
    };
    if (this.choice && !this.winner) return { text: this.word("who"), show: () => this.ask() };
    if (!missing.length) return this.asksLast?.lack ?? null;
    const names = listed(missing.map((player) => player.name));
    return { text: this.word("empty").replace("{names}", names), brief: counted(this.dataset, "wordLeft", missing.length), show: at(missing[0]) };
  }

  /** The unit of a hand's sum: points, or cards where no card has points. */
  unit(sum) {
    return counted(this.dataset, "wordPoints", sum);
  }

  count(player, kind) {
    return countIn(player.inputs.get(kind).value);
  }

  hand(player) {
    return new Map(this.kinds.map(({ id }) => [id, this.count(player, id)]));
  }

  sum(player) {
    return pointsOf(this.kinds, this.hand(player));
  }

  cards(player) {
    return cardsOf(this.hand(player));
  }

  firstToAsk() {
    const players = this.inPlay;
    return players.find((player) => this.cards(player) === 0) ?? players[0] ?? this.players[0];
  }

  /** The hand that was being counted before the page was loaded again: the last with cards before one without. */
  get underWay() {
    const players = this.inPlay;
    const empty = players.findIndex((player) => this.cards(player) === 0);
    return players[empty - 1] ?? this.firstToAsk();
  }

  /** Why one more of this kind cannot be: who holds them all; "" while there are some. */
  fullBecause(kind) {
    const players = this.inPlay;
    if (!isFull(kind, players.map((player) => this.hand(player)))) return "";
    const holders = players.filter((player) => this.count(player, kind.id) > 0);
    const where = listed(holders.map((player) => `${player.name} ${this.count(player, kind.id)}`));
    return this.word("full").replace("{copies}", kind.copies).replace("{card}", kind.label).replace("{where}", where);
  }

  // ---- what may be done ----

  add(kind) {
    if (this.choosing || !kind) return;
    const reason = this.fullBecause(kind);
    if (reason) return this.note(reason);
    this.set(this.current, kind, this.count(this.current, kind.id) + 1);
    this.taken.get(this.current.key).push(kind.id);
    this.said.textContent = `${this.word("added")}: ${kind.label}. ${this.sum(this.current)} ${this.unit(this.sum(this.current))}`;
    this.render(kind.id);
  }

  takeOff(kind) {
    if (!kind || this.count(this.current, kind.id) === 0) return this.note(this.word("nothing"));
    this.set(this.current, kind, this.count(this.current, kind.id) - 1);
    const order = this.taken.get(this.current.key);
    const last = order.lastIndexOf(kind.id);
    if (last >= 0) order.splice(last, 1);
    this.said.textContent = `${this.word("taken")}: ${kind.label}. ${this.sum(this.current)} ${this.unit(this.sum(this.current))}`;
    this.render();
  }

  /** Find what the minus key takes off: the card tapped last that is still there, else the last kind held. */
  get lastTapped() {
    const id = lastIn(this.taken.get(this.current.key), this.kinds, this.hand(this.current));
    return this.kinds.find((kind) => kind.id === id);
  }

  /** Whose hands do not count: players who left, or whose hand a card's text emptied. */
  set absent(keys) {
    for (const player of this.players) player.absent = keys.includes(player.key);
    if (this.current.absent) this.current = this.firstToAsk();
    this.render();
    this.changed();
  }

  /** So many decks are in play, where the page gave the cards of one. */
  set decks(decks) {
    for (const kind of this.kinds) {
      kind.copies = kind.each * decks;
      for (const player of this.players) player.inputs.get(kind.id).max = kind.copies;
    }
    this.render();
  }

  /** A fresh round: nobody went out, every hand is empty. */
  clear() {
    for (const player of this.players) {
      for (const input of player.inputs.values()) input.value = "";
      player.error = null;
      player.absent = false;
      this.taken.set(player.key, []);
    }
    for (const radio of this.choice?.querySelectorAll("input") ?? []) radio.checked = false;
    this.choosing = Boolean(this.choice);
    this.last?.clear();
    this.current = this.firstToAsk();
    this.render();
    this.changed();
    this.reach();
  }

  /** A player left before this round: no hand, and nobody who could have gone out. */
  leave(key) {
    const player = this.players.find((each) => each.key === key);
    if (!player || this.players.length < 3) return;
    player.fieldset.remove();
    this.choice?.querySelector(`input[value="${key}"]`)?.closest("label").remove();
    this.players = this.players.filter((each) => each !== player);
    this.reread();
  }

  /** The fields were filled in by somebody else: show what they say. */
  reread() {
    if (!this.table) return;
    this.choosing = Boolean(this.choice) && !this.winner;
    this.current = this.underWay;
    this.render();
    this.changed();
  }

  /** A hand as a line to read back: the name, its cards, their sum. */
  line(player) {
    return handLine(this, player);
  }

  /** Show the server's faults, each at its hand: {key: text}. */
  blame(wrong) {
    for (const player of this.players) {
      const text = wrong[player.key];
      player.error = text ? make("p", { className: "field__error" }, make("span", {}, text)) : null;
      if (text && this.last?.drewBy === player.key) player.error.append(this.last.link);
    }
    this.render();
  }

  set(player, kind, count) {
    const input = player.inputs.get(kind.id);
    input.value = count || "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    player.error?.remove();
    player.error = null;
    this.changed();
  }

  changed() {
    const players = this.inPlay;
    const hand = (player) => Object.fromEntries([...this.hand(player)].filter(([, count]) => count));
    this.dispatchEvent(
      new CustomEvent("card-pad:change", {
        bubbles: true,
        detail: {
          winner: this.winner,
          hands: Object.fromEntries(players.map((player) => [player.key, hand(player)])),
          sums: Object.fromEntries(players.map((player) => [player.key, this.sum(player)])),
        },
      }),
    );
  }

  /** A name was tapped, the one that was chosen before too, or an arrow key passed it. */
  chosen() {
    if (this.walking) this.changed();
    else this.chooseWinner();
    this.walking = false;
  }

  chooseWinner() {
    this.choosing = false;
    this.hideLast();
    this.choice.querySelector(".field__error")?.remove();
    this.current = this.firstToAsk();
    this.changed();
    this.render();
    this.table.focus({ preventScroll: true });
    this.reach();
  }

  /** Open the page at the keys, where they lie below the bar and nothing has to be read first. */
  open() {
    history.scrollRestoration = "manual"; // else the browser scrolls back after this
    if (!document.querySelector(".errors")) requestAnimationFrame(() => this.reach({ least: true })); // Save has its words by then
  }

  /** On a phone what is to be tapped comes right above the bar: there the thumb is. With `least`, only what is hidden,
   * by no more than `most` pixels: further below, it was not in sight before. */
  reach({ least = false, most = Infinity } = {}) {
    if (innerWidth >= 960) return;
    const bar = this.closest("form")?.querySelector(".action-bar");
    const covered = bar ? bar.offsetHeight + (parseFloat(getComputedStyle(bar).bottom) || 0) : 0; // and the tiles under it
    const by = this.table.getBoundingClientRect().bottom - (innerHeight - covered - 8);
    if ((by > 0 && by <= most) || !least) scrollBy(0, by);
  }

  /** Ask again who went out. */
  ask() {
    this.choosing = true;
    this.render();
    this.changed();
    this.reach();
  }

  show(player) {
    const back = this.hideLast();
    this.choosing = false;
    this.current = player;
    this.render();
    if (back) this.reach();
  }

  /** Every hand is in: ask which card was played last. */
  askLast() {
    Object.assign(this.last, { asked: true, shown: true });
    this.choosing = false;
    this.render();
    this.dispatchEvent(new CustomEvent("card-pad:done", { bubbles: true }));
  }

  /** Leave that question for the hands; gives whether it was shown. */
  hideLast() {
    const shown = Boolean(this.last?.shown);
    if (shown) this.last.shown = false;
    return shown;
  }

  step(by) {
    const players = this.inPlay;
    const at = players.indexOf(this.current);
    const to = players[at + by];
    if (to) this.show(to);
  }

  showFromHash() {
    const player = this.players.find((each) => `#hand-${each.key}` === location.hash);
    if (location.hash === "#winner" && this.choice) {
      this.choosing = true;
      this.render();
    } else if (player && player.key !== this.winner) this.show(player);
    else return;
    this.scrollIntoView({ block: "start" });
    this.table.focus({ preventScroll: true });
  }

  // ---- from hand to hand ----

  get following() {
    return after(this.inPlay, this.current).find((player) => this.cards(player) === 0) ?? null;
  }

  goOn() {
    const following = this.following;
    if (following) return this.show(following);
    this.closest("form")?.querySelector(".action-bar .button--primary")?.focus({ preventScroll: true });
    if (this.asksLast) this.askLast();
    else this.dispatchEvent(new CustomEvent("card-pad:done", { bubbles: true }));
  }

  // ---- drawing ----

  note(text) {
    this.noted = text;
    this.said.textContent = text;
    this.render();
  }

  render(fresh = "") {
    const { choosing } = this;
    if (this.choice) this.choice.hidden = !choosing;
    for (const [name, most] of Object.entries({ columns: 3, wide: 5 })) {
      this.table.style.setProperty(`--${name}`, String(columnsOf(this.players.length, most)));
    }
    this.last?.render();
    this.chips.hidden = choosing;
    for (const part of [this.tray, this.keys]) part.hidden = choosing || Boolean(this.last?.shown);
    for (const player of this.players) player.fieldset.disabled = player.key === this.winner || player.absent;
    this.toggleAttribute("data-choosing", choosing);
    if (!choosing) {
      drawChips(this);
      drawTray(this, fresh);
      drawKeys(this);
    }
    this.noted = "";
    this.dispatchEvent(new CustomEvent("entry:shown", { bubbles: true }));
  }
}

customElements.define("card-pad", CardPad);
