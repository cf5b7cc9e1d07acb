// <seat-plan>: the seats of a stage as names to move, on the organiser's page (templates/organiser/seats.html).
//
// Tap a name, then another one: they swap. Tap a name, then "Move here" at a table: it moves there. Or drag a name onto
// a name or a table, with a mouse anywhere, with a finger by its handle. Everything stays in the page until the form is
// sent: the two numbers of each player (table and seat) are the only truth, and without script they are typed.

const FAR_ENOUGH = 6; // px until a press is a drag
const EDGE = 72; // px from the top and bottom where the page scrolls along
const SPEED = 14; // px a frame

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

class SeatPlan extends HTMLElement {
  connectedCallback() {
    if (this.form) return;
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.build(), { once: true });
    } else this.build();
  }

  build() {
    if (this.form || !this.querySelector("[data-table]")) return;
    this.form = this.closest("form");
    this.status = this.form.querySelector("[data-seat-status]");
    this.undoButton = this.form.querySelector("[data-undo]");
    this.addButton = this.querySelector("[data-add-table]");
    this.lines = [...this.querySelectorAll("[data-lines] > li")].map((line) => line.textContent);
    this.undos = [];
    this.picked = null;
    this.classList.add("is-live");
    this.cards = [...this.querySelectorAll("[data-table]")];
    for (const card of this.cards) this.prepareCard(card);
    for (const row of this.querySelectorAll("[data-entry]")) this.prepareRow(row);
    this.undoButton.addEventListener("click", () => this.undo());
    this.addButton.hidden = false;
    this.addButton.addEventListener("click", () => this.addTable());
    this.addEventListener("pointerdown", (event) => this.press(event));
    this.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.picked) {
        const button = this.picked.querySelector(".sitting__tap");
        this.pick(null);
        button.focus();
      }
    });
    this.bar = this.form.querySelector("[data-seat-bar]");
    this.querySelector("[data-seat-hint]").hidden = false;
    this.showBar();
  }

  /** The bar stands over the tables only while there is something to save or to say. */
  showBar() {
    const { dirty, proposed } = this.form.dataset;
    this.bar.hidden = dirty === undefined && proposed === undefined && !this.status.textContent;
  }

  prepareCard(card) {
    if ("begun" in card.dataset) return;
    const here = make("button", {
      type: "button",
      className: "button seat-card__here",
      hidden: true,
      textContent: this.dataset.wordHere,
    });
    here.addEventListener("click", () => this.moveTo(this.picked, card));
    card.querySelector(".seat-card__head").append(here);
  }

  prepareRow(row) {
    row.querySelector(".seat").hidden = true;
    if (this.fixed(row)) return;
    const name = row.querySelector(".sitting__name");
    const tap = make("button", { type: "button", className: "sitting__tap" }, ...name.childNodes);
    tap.setAttribute("aria-pressed", "false");
    tap.addEventListener("click", () => this.tap(row));
    name.replaceChildren(tap);
    const grip = make("span", { className: "sitting__grip" });
    grip.setAttribute("aria-hidden", "true");
    row.append(grip);
  }

  fixed = (row) => "begun" in row.closest("[data-table]").dataset;
  nameOf = (row) => row.querySelector("[data-name]").textContent;
  listOf = (card) => card.querySelector(".seat-card__rows");
  say(text) {
    this.status.textContent = text;
    this.showBar();
  }

  // ---- two taps ----

  tap(row) {
    if (this.dragged) return;
    if (!this.picked) this.pick(row);
    else if (this.picked === row) this.pick(null);
    else this.swap(this.picked, row);
  }

  pick(row) {
    this.picked?.querySelector(".sitting__tap").setAttribute("aria-pressed", "false");
    this.picked = row;
    row?.querySelector(".sitting__tap").setAttribute("aria-pressed", "true");
    this.classList.toggle("has-picked", Boolean(row));
    const own = row?.closest("[data-table]");
    for (const card of this.cards) {
      if (card.dataset.table === "") card.hidden = !row && !this.listOf(card).children.length;
      const here = card.querySelector(".seat-card__here");
      if (here) here.hidden = !row || card === own;
    }
    this.say(row ? this.dataset.wordPicked.replace("{name}", this.nameOf(row)) : "");
  }

  // ---- moves ----

  swap(one, other) {
    if (one === other || this.fixed(other)) return this.pick(null);
    this.remember(one, other);
    const marker = document.createComment("");
    one.replaceWith(marker);
    other.replaceWith(one);
    marker.replaceWith(other);
    const words = this.dataset.wordSwapped;
    this.moved(one, words.replace("{name}", this.nameOf(one)).replace("{other}", this.nameOf(other)));
  }

  moveTo(row, card) {
    if (!row || "begun" in card.dataset) return this.pick(null);
    this.remember(row, this.listOf(card));
    this.listOf(card).append(row);
    const words = card.dataset.table ? this.dataset.wordMoved : this.dataset.wordUnseated;
    this.moved(row, words.replace("{name}", this.nameOf(row)).replace("{table}", card.dataset.table));
  }

  /** Keep the order of the tables that a move is about to change. */
  remember(...places) {
    const lists = new Set(places.map((place) => place.closest(".seat-card__rows")));
    this.undos.push([...lists].map((list) => [list, [...list.children]]));
    this.undoButton.hidden = false;
  }

  undo() {
    const before = this.undos.pop();
    for (const [list, rows] of before ?? []) list.append(...rows);
    this.undoButton.hidden = !this.undos.length;
    this.moved(null, this.dataset.wordUndone);
  }

  moved(row, words) {
    this.pick(null);
    for (const card of this.cards) this.number(card);
    this.form.dataset.dirty = "";
    if (!this.undos.length && !this.form.querySelector(".errors")) delete this.form.dataset.dirty;
    const apart = this.together();
    this.say(apart ? this.dataset.wordApart.replace("{names}", apart) : words);
    row?.querySelector(".sitting__tap").focus({ preventScroll: true });
    if (row) this.show(row);
  }

  /** Write the numbers of the form, and what the table needs now. */
  number(card) {
    const rows = [...this.listOf(card).children];
    let changed = false;
    rows.forEach((row, index) => {
      const [table, seat] = row.querySelectorAll("input");
      const place = card.dataset.table ? String(index + 1) : "";
      changed ||= table.value !== card.dataset.table;
      table.value = card.dataset.table;
      if ("begun" in card.dataset) return;
      seat.value = place;
    });
    card.hidden = card.dataset.table === "" && !rows.length && !this.picked;
    const line = card.querySelector("[data-line]");
    if (line) line.textContent = this.lines[Math.min(rows.length, this.lines.length - 1)];
    const size = String(rows.length);
    const foot = card.querySelector("[data-foot]");
    if (foot && (changed || (card.dataset.size ?? size) !== size)) foot.hidden = true;
    card.dataset.size = size;
  }

  /** The pairs that are kept apart and share a table, in words. */
  together() {
    const found = [];
    for (const row of this.querySelectorAll("[data-apart]")) {
      const card = row.closest("[data-table]");
      row.classList.remove("sitting--together");
      if (!card.dataset.table) continue;
      for (const uid of row.dataset.apart.split(" ")) {
        const other = card.querySelector(`[data-entry="${uid}"]`);
        if (!other) continue;
        row.classList.add("sitting--together");
        if (row.dataset.entry < uid) found.push(`${this.nameOf(row)}, ${this.nameOf(other)}`);
      }
    }
    return found.join("; ");
  }

  show(row) {
    row.classList.add("sitting--moved");
    setTimeout(() => row.classList.remove("sitting--moved"), 1600); // ms
  }

  addTable() {
    const numbers = this.cards.map((card) => Number(card.dataset.table) || 0);
    const number = String(Math.max(0, ...numbers) + 1);
    const title = make("h3", { textContent: this.dataset.wordTable.replace("{n}", number) });
    const line = make("p", { className: "muted small", textContent: this.lines[0] });
    line.dataset.line = "";
    const head = make("header", { className: "seat-card__head row row--apart" }, title, line);
    const card = make("section", { className: "panel seat-card" }, head, make("ol", { className: "seat-card__rows" }));
    card.dataset.table = number;
    const none = this.cards.find((each) => each.dataset.table === "");
    none.before(card);
    this.cards.push(card);
    this.prepareCard(card);
    if (this.picked) card.querySelector(".seat-card__here").hidden = false;
    card.scrollIntoView({ block: "nearest" });
  }

  // ---- dragging ----

  press(event) {
    const row = event.target.closest("[data-entry]");
    if (!row || this.fixed(row) || event.button !== 0 || this.drag) return;
    const grip = event.target.closest(".sitting__grip");
    if (event.pointerType !== "mouse" && !grip) return; // a finger elsewhere scrolls
    const drag = { row, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, over: null };
    this.drag = drag;
    this.dragged = false;
    const move = (next) => next.pointerId === drag.id && this.dragTo(next);
    const drop = (next) => next.pointerId === drag.id && this.drop(next.type === "pointerup");
    const escape = (next) => next.key === "Escape" && this.drop(false);
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", drop);
    window.addEventListener("pointercancel", drop);
    window.addEventListener("keydown", escape);
    drag.done = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", drop);
      window.removeEventListener("pointercancel", drop);
      window.removeEventListener("keydown", escape);
    };
    if (grip) event.preventDefault();
  }

  dragTo(event) {
    const { drag } = this;
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost) {
      if (Math.hypot(right, down) < FAR_ENOUGH) return;
      const box = drag.row.getBoundingClientRect();
      drag.ghost = make("div", { className: "sitting sitting--ghost", textContent: this.nameOf(drag.row) });
      Object.assign(drag.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
      document.body.append(drag.ghost);
      drag.row.classList.add("sitting--dragged");
      this.classList.add("is-dragging");
      this.dragged = true;
      this.pick(null);
      for (const card of this.cards) if (card.dataset.table === "") card.hidden = false;
      drag.frame = requestAnimationFrame(() => this.scrollAlong());
    }
    drag.ghost.style.transform = `translate(${right}px, ${down}px)`;
    drag.at = event.clientY;
    this.aim(event.clientX, event.clientY);
  }

  aim(x, y) {
    const under = document.elementFromPoint(x, y);
    const row = under?.closest("[data-entry]");
    const card = under?.closest("[data-table]");
    let over = null;
    if (card && this.contains(card) && !("begun" in card.dataset)) over = row && row !== this.drag.row ? row : card;
    if (over === this.drag.over) return;
    this.drag.over?.classList.remove("is-over");
    over?.classList.add("is-over");
    this.drag.over = over;
  }

  scrollAlong() {
    const { drag } = this;
    if (!drag) return;
    if (drag.at < EDGE) window.scrollBy(0, -SPEED);
    else if (drag.at > innerHeight - EDGE) window.scrollBy(0, SPEED);
    drag.frame = requestAnimationFrame(() => this.scrollAlong());
  }

  drop(wanted) {
    const { drag } = this;
    drag.done();
    cancelAnimationFrame(drag.frame);
    drag.ghost?.remove();
    drag.row.classList.remove("sitting--dragged");
    drag.over?.classList.remove("is-over");
    this.classList.remove("is-dragging");
    this.drag = null;
    if (!drag.ghost) return;
    setTimeout(() => (this.dragged = false), 0); // the click that follows a drag is no tap
    for (const card of this.cards) if (card.dataset.table === "") card.hidden = !this.listOf(card).children.length;
    if (!wanted || !drag.over) return;
    if (drag.over.matches("[data-entry]")) this.swap(drag.row, drag.over);
    else if (drag.over !== drag.row.closest("[data-table]")) this.moveTo(drag.row, drag.over);
  }
}

customElements.define("seat-plan", SeatPlan);
