// <card-pad>: the plain form of numbers (templates/components/_card_pad.html) becomes keys to tap.
//
// The number inputs stay the only truth: every tap writes one of them, and they are what the form sends. Sums shown
// here are a convenience while counting; the server counts the points.
//
// Events (they bubble): "card-pad:change" after every change, detail {winner, hands: {key: {card: count}}, sums: {key: n}};
// "card-pad:done" when somebody goes on after the last hand. For the page's own module: `absent` (whose hands do not
// count), `decks`, `missing`, `gets`, `line()`, `clear()`, `leave()`, `blame()`, `ask()`, `show()`, `reach()`.
//
// Keyboard (templates/components/_keyboard.html says so to people): 1 to 9 or arrows and Enter for who went out; then
// 7 7 +2 S W, minus or Backspace, Enter for the next hand.

const LONG_PRESS = 450; // ms
const SWIPE = 48; // px
const LETTERS = { d: "draw2", r: "reverse", s: "skip", w: "wild", f: "wild4", h: "shuffle", c: "custom" };
const SVG = "http://www.w3.org/2000/svg";

/** An element with properties and children; properties with a dash or "role" become attributes. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

class CardPad extends HTMLElement {
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
    // A chip is narrow: the first word of a name will do where nobody else at the table has it, or with an initial.
    const first = ({ name }) => name.split(/\s/u)[0];
    const initialled = ({ name }) => name.replace(/^(\S+).*\s(\S)\S*$/u, "$1 $2.");
    for (const player of this.players) {
      const alone = (short) => this.players.filter((other) => short(other) === short(player)).length === 1;
      player.short = ([first, initialled].find(alone) ?? (({ name }) => name))(player);
    }
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
    this.current = this.firstToAsk();

    this.table = make("div", { className: "felt pad__table", tabIndex: -1 });
    this.chips = make("div", { className: "pad__chips", role: "group", "aria-label": this.word("cards") });
    this.tray = make("div", { className: "pad__tray" });
    this.keys = make("div", { className: "pad__keys", role: "group", "aria-label": this.word("hint") });
    this.said = make("p", { className: "visually-hidden", role: "status" });
    if (this.choice) this.table.append(this.choice);
    this.table.append(this.chips, this.tray, this.keys, this.said);
    for (const player of this.players) player.fieldset.hidden = true;
    this.buildKeys();
    this.prepend(this.table);

    this.table.addEventListener("keydown", (event) => this.typed(event));
    this.choice?.addEventListener("keydown", (event) => this.walk(event));
    this.choice?.addEventListener("click", (event) => event.target.matches("input") && this.chosen());
    this.swipes();
    this.unfocused = (event) => [document.body, document.getElementById("main")].includes(event.target) && this.typed(event);
    document.addEventListener("keydown", this.unfocused);
    // Links of the error summary and answers of the browser's back button point at hidden fields: show that hand.
    this.toHash = () => this.showFromHash();
    window.addEventListener("hashchange", this.toHash);
    const wrong = this.players.find((player) => player.error);
    if (wrong) this.current = wrong;
    this.choosing = Boolean(this.choice) && !this.winner;
    this.render();
  }

  disconnectedCallback() {
    window.removeEventListener("hashchange", this.toHash);
    document.removeEventListener("keydown", this.unfocused);
  }

  // ---- what is known ----

  get winner() {
    return this.choice?.querySelector("input:checked")?.value ?? "";
  }

  /** Those whose hands are counted, in the order in which they play, after whoever went out. */
  get inPlay() {
    const start = this.players.findIndex((player) => player.key === this.winner);
    const others = [...this.players.slice(start + 1), ...this.players.slice(0, Math.max(start, 0))];
    return others.filter((player) => !player.absent);
  }

  /** Those who hold no card yet: whoever did not go out holds at least one. */
  get missing() {
    return this.inPlay.filter((player) => this.cards(player) === 0);
  }

  /** What whoever went out gets for the others' hands. */
  get gets() {
    return this.inPlay.reduce((sum, player) => sum + this.sum(player), 0);
  }

  count(player, kind) {
    return Math.max(0, Number.parseInt(player.inputs.get(kind).value, 10) || 0);
  }

  sum(player) {
    return this.kinds.reduce((sum, kind) => sum + kind.points * this.count(player, kind.id), 0);
  }

  cards(player) {
    return this.kinds.reduce((sum, kind) => sum + this.count(player, kind.id), 0);
  }

  firstToAsk() {
    const players = this.inPlay;
    return players.find((player) => this.cards(player) === 0) ?? players[0] ?? this.players[0];
  }

  /** Why one more of this kind cannot be: who holds them all; "" while there are some. */
  fullBecause(kind) {
    const holders = this.inPlay.filter((player) => this.count(player, kind.id) > 0);
    const held = holders.reduce((sum, player) => sum + this.count(player, kind.id), 0);
    if (held < kind.copies) return "";
    const where = holders.map((player) => `${player.name} ${this.count(player, kind.id)}`).join(", ");
    return this.word("full").replace("{copies}", kind.copies).replace("{card}", kind.label).replace("{where}", where);
  }

  // ---- what may be done ----

  add(kind) {
    if (this.choosing || !kind) return;
    const reason = this.fullBecause(kind);
    if (reason) return this.note(reason);
    this.set(this.current, kind, this.count(this.current, kind.id) + 1);
    this.taken.get(this.current.key).push(kind.id);
    this.said.textContent = `${this.word("added")}: ${kind.label}. ${this.sum(this.current)} ${this.word("points")}`;
    this.render(kind.id);
  }

  takeOff(kind) {
    if (!kind || this.count(this.current, kind.id) === 0) return this.note(this.word("nothing"));
    this.set(this.current, kind, this.count(this.current, kind.id) - 1);
    const order = this.taken.get(this.current.key);
    const last = order.lastIndexOf(kind.id);
    if (last >= 0) order.splice(last, 1);
    this.said.textContent = `${this.word("taken")}: ${kind.label}. ${this.sum(this.current)} ${this.word("points")}`;
    this.render();
  }

  /** What the minus key takes off: the card tapped last that is still there, else the last kind held. */
  get lastTapped() {
    const held = (id) => this.count(this.current, id) > 0;
    const id = this.taken.get(this.current.key).findLast?.(held) ?? this.kinds.findLast?.((kind) => held(kind.id))?.id;
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
    this.current = this.firstToAsk();
    this.render();
    this.changed();
  }

  /** A hand as a line to read back: the name, its cards, their sum. */
  line(player) {
    const cards = this.kinds.filter((kind) => this.count(player, kind.id)).map((kind) => {
      const count = this.count(player, kind.id);
      const card = make("li", { className: "hand__card" }, kind.drawing.cloneNode(true));
      card.append(make("span", { className: "visually-hidden" }, `${count} × ${kind.label}`));
      if (count > 1) card.append(make("span", { className: "hand__count", "aria-hidden": "true" }, String(count)));
      return card;
    });
    const sum = make("span", { className: "num play-line__points" }, cards.length ? String(this.sum(player)) : "–");
    const name = make("strong", {}, make("bdi", {}, player.name));
    return make("li", { className: "play-line" }, name, sum, make("ul", { className: "hand" }, ...cards));
  }

  /** What the server says is wrong with hands, each at its hand: {key: text}. */
  blame(wrong) {
    for (const player of this.players) {
      const text = wrong[player.key];
      player.error = text ? make("p", { className: "field__error" }, make("span", {}, text)) : null;
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
    const hand = (player) =>
      Object.fromEntries(this.kinds.map((kind) => [kind.id, this.count(player, kind.id)]).filter((pair) => pair[1]));
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

  /** The arrow keys check each name that they pass; Enter or Space says that it is the one. */
  walk(event) {
    this.walking = event.key.startsWith("Arrow");
    if (!this.winner || (event.key !== "Enter" && event.key !== " ") || !event.target.checked) return;
    event.preventDefault();
    this.chooseWinner();
  }

  /** A name was tapped, the one that was chosen before too, or an arrow key passed it. */
  chosen() {
    if (this.walking) this.changed();
    else this.chooseWinner();
    this.walking = false;
  }

  chooseWinner() {
    this.choosing = false;
    this.choice.querySelector(".field__error")?.remove();
    this.current = this.firstToAsk();
    this.changed();
    this.render();
    this.table.focus({ preventScroll: true });
    this.reach();
  }

  /** On a phone what is to be tapped comes right above the bar: there the thumb is. */
  reach() {
    if (innerWidth >= 960) return;
    const bar = this.closest("form")?.querySelector(".action-bar")?.offsetHeight ?? 0;
    scrollBy(0, this.table.getBoundingClientRect().bottom - (innerHeight - bar - 8));
  }

  /** Ask again who went out. */
  ask() {
    this.choosing = true;
    this.render();
    this.changed();
    this.reach();
  }

  show(player) {
    this.choosing = false;
    this.current = player;
    this.render();
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

  // ---- keyboard: 7 7 +2 S W, minus or Backspace, arrows, Enter for the next hand ----

  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.choosing) return this.pick(event);
    if (event.target.matches("input")) return;
    const kind = (id) => this.kinds.find((each) => each.id === id);
    const key = event.key.toLowerCase();
    const plus = this.plus;
    this.plus = key === "+";
    if (this.plus) return event.preventDefault();
    if (plus && (key === "2" || key === "4")) this.add(kind(key === "2" ? "draw2" : "wild4"));
    else if (/^[0-9]$/.test(key)) this.add(kind(key));
    else if (LETTERS[key]) this.add(kind(LETTERS[key]));
    else if (key === "backspace" || key === "-") this.takeOff(this.lastTapped);
    else if (key === "arrowright") this.step(1);
    else if (key === "enter" && !event.target.matches("button")) this.goOn();
    else if (key === "arrowleft") this.step(-1);
    else return;
    event.preventDefault();
  }

  /** A digit names who went out by their seat; an arrow leads to the names. */
  pick(event) {
    const radios = [...(this.choice?.querySelectorAll("input") ?? [])];
    const radio = radios[Number(event.key) - 1];
    if (radio) {
      radio.checked = true;
      radio.dispatchEvent(new Event("input", { bubbles: true }));
      this.chooseWinner();
    } else if (event.key.startsWith("Arrow") && !event.target.matches("input")) radios[0]?.focus();
    else return;
    event.preventDefault();
  }

  swipes() {
    let start = null;
    this.tray.addEventListener("pointerdown", (event) => (start = { x: event.clientX, y: event.clientY }));
    this.tray.addEventListener("pointerup", (event) => {
      if (!start) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      start = null;
      if (Math.abs(x) < SWIPE || Math.abs(y) > Math.abs(x) / 2) return;
      this.swiped = true; // the tap that ends a swipe takes no card off
      setTimeout(() => (this.swiped = false), 0);
      this.step(x < 0 ? 1 : -1);
    });
    this.tray.addEventListener("pointercancel", () => (start = null));
  }

  // ---- keys ----

  buildKeys() {
    this.keyOf = new Map();
    for (const kind of this.kinds) {
      const key = make("button", { type: "button", className: "pad__key", "data-add": kind.id });
      const drawing = kind.drawing.cloneNode(true);
      if (drawing.classList.contains("card--black")) key.dataset.black = "";
      key.append(drawing);
      this.press(key, kind);
      this.keys.append(key);
      this.keyOf.set(kind.id, key);
    }
    this.minus = make("button", { type: "button", className: "pad__key pad__key--minus" }, icon("M5 12h14"));
    this.minus.addEventListener("click", () => this.takeOff(this.lastTapped));
    this.next = make("button", { type: "button", className: "pad__key pad__key--next" });
    this.next.addEventListener("click", () => this.goOn());
    this.keys.append(this.minus, this.next);
    const left = 5 - ((this.kinds.length + 1) % 5);
    this.next.style.gridColumn = `span ${left}`;
  }

  /** A tap adds one, a long press takes one off. */
  press(key, kind) {
    let timer = 0;
    let long = false;
    const stop = () => clearTimeout(timer);
    key.addEventListener("pointerdown", () => {
      long = false;
      timer = setTimeout(() => {
        long = true;
        navigator.vibrate?.(15);
        this.takeOff(kind);
      }, LONG_PRESS);
    });
    for (const type of ["pointerup", "pointerleave", "pointercancel"]) key.addEventListener(type, stop);
    key.addEventListener("contextmenu", (event) => event.preventDefault());
    key.addEventListener("click", () => {
      if (!long) this.add(kind);
      long = false;
    });
  }

  get following() {
    const players = this.inPlay;
    const at = players.indexOf(this.current);
    const rest = [...players.slice(at + 1), ...players.slice(0, at)];
    return rest.find((player) => this.cards(player) === 0) ?? null;
  }

  goOn() {
    const following = this.following;
    if (following) return this.show(following);
    this.closest("form")?.querySelector(".action-bar .button--primary")?.focus({ preventScroll: true });
    this.dispatchEvent(new CustomEvent("card-pad:done", { bubbles: true }));
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
    for (const part of [this.chips, this.tray, this.keys]) part.hidden = choosing;
    for (const player of this.players) player.fieldset.disabled = player.key === this.winner || player.absent;
    this.toggleAttribute("data-choosing", choosing);
    if (choosing) return;
    this.renderChips();
    this.renderTray(fresh);
    this.renderKeys();
    this.noted = "";
  }

  renderChips() {
    const had = this.chips.contains(document.activeElement) ? document.activeElement.dataset.chip : null;
    this.chips.replaceChildren(
      ...this.players.filter((player) => !player.absent || player.key === this.winner).map((player) => {
        const out = player.key === this.winner;
        const chip = make(
          "button",
          { type: "button", className: "pad__chip", title: player.name, "data-chip": player.key },
          make("bdi", { className: "pad__chip-name" }, player.short),
          make("span", { className: "pad__chip-sum" }, out ? this.word("out") : this.cards(player) ? `${this.sum(player)}` : "–"),
        );
        if (out) {
          chip.dataset.out = "";
          chip.title = `${player.name}. ${this.word("change")}`;
        } else chip.setAttribute("aria-pressed", String(player === this.current));
        if (player.error) chip.dataset.wrong = "";
        chip.addEventListener("click", () => {
          if (out) {
            this.ask();
            this.choice.querySelector("input:checked")?.focus();
          } else this.show(player);
        });
        return chip;
      }),
    );
    const shown = [...this.chips.children].find((chip) => chip.dataset.chip === this.current.key);
    if (!shown) return;
    const middle = shown.offsetLeft - this.chips.offsetLeft - (this.chips.clientWidth - shown.offsetWidth) / 2;
    this.chips.scrollLeft = middle;
    if (had) [...this.chips.children].find((chip) => chip.dataset.chip === had)?.focus();
  }

  renderTray(fresh) {
    const player = this.current;
    const had = this.tray.contains(document.activeElement);
    const who = make("bdi", { className: "pad__who" }, player.name);
    const sum = make("p", { className: "pad__sum" }, String(this.sum(player)), make("small", {}, this.word("points")));
    const cards = this.cards(player);
    const note = make("p", { className: "pad__note" }, this.noted || (cards ? `${this.word("cards")}: ${cards}` : this.word("hint")));
    const held = this.kinds
      .filter((kind) => this.count(player, kind.id))
      .map((kind) => {
        const count = this.count(player, kind.id);
        const button = make(
          "button",
          { type: "button", className: "pad__held", "aria-label": `${count} × ${kind.label}. ${this.word("take")}` },
          kind.drawing.cloneNode(true),
        );
        if (count > 1) button.append(make("span", { className: "hand__count" }, String(count)));
        if (kind.id === fresh) button.dataset.new = "";
        button.addEventListener("click", () => this.swiped || this.takeOff(kind));
        return button;
      });
    this.tray.replaceChildren(who, sum, note, make("div", { className: "pad__hand" }, ...held));
    if (player.error) this.tray.prepend(player.error);
    if (had) this.table.focus({ preventScroll: true });
  }

  renderKeys() {
    for (const kind of this.kinds) {
      const key = this.keyOf.get(kind.id);
      const count = this.count(this.current, kind.id);
      const reason = this.fullBecause(kind);
      key.setAttribute("aria-disabled", String(Boolean(reason)));
      key.setAttribute("aria-label", [kind.label, count && `× ${count}`, reason].filter(Boolean).join(". "));
      key.title = reason;
      key.querySelector(".hand__count")?.remove();
      if (count) key.append(make("span", { className: "hand__count", "aria-hidden": "true" }, String(count)));
    }
    const last = this.lastTapped;
    this.minus.setAttribute("aria-disabled", String(!last));
    this.minus.setAttribute("aria-label", last ? `${this.word("take")}: ${last.label}` : this.word("nothing"));
    const following = this.following;
    const words = following ? `${this.word("next")}: ${following.short}` : this.word("done");
    this.next.replaceChildren(make("span", {}, words));
    if (following) this.next.append(icon("M9 5l7 7-7 7"));
  }
}

customElements.define("card-pad", CardPad);
