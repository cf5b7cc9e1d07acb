// <own-game> at a table without a referee (templates/public/at_table_clock.html): the oldest player's phone times the next
// game, and proposes its result. The game stays on the phone until the server has the next one.
//
// The page sends it to the server at each tap and each 15 s. Another phone of the table can take it over; one that runs a
// clock too is asked.

import { valueOf } from "../outbox/entries.js";
import { PULSE, reached } from "../reached.js";
import { fieldsOf, isSame, received, sent } from "./friends_facts.js";
import { OwnGame } from "./own_game.js";
import { openAt } from "./table_page.js";

const BEAT = 15_000; // ms; others are warned for 30 s after (tournament/actions/table/at_table.py)

class TableClock extends OwnGame {
  storeKey = "lastcard.table.game";

  rise() {
    this.sheet = JSON.parse(document.getElementById("table-facts").textContent);
    this.theirs = received(this.sheet.elsewhere, this.sheet);
    super.rise();
    if (matchMedia("(height < 45rem)").matches) openAt(this);
    this.find("agreed").addEventListener("click", () => this.goOn(this.kept));
    this.find("take-over")?.addEventListener("click", () => this.takeOver());
    setInterval(() => this.kept && this.tell(), BEAT);
    setInterval(() => this.sendOnceReached(), PULSE);
    window.addEventListener("online", () => this.sendOnceReached());
    if (this.kept) this.tell();
  }

  /** What sends the game. @returns {any} */
  get form() {
    return this.find("game-send");
  }

  keep(kept) {
    const begins = kept && !this.kept;
    super.keep(kept);
    this.tell({ begins });
  }

  /** Go on with this game, whatever another phone does. */
  goOn(game) {
    this.keep({ ...game, agreed: true });
    this.refillHands();
  }

  /** Take over the other phone's game, as the server has it now. */
  async takeOver() {
    const answer = await fetch(location.pathname).then((page) => page.text()).catch(() => "");
    const facts = new DOMParser().parseFromString(answer, "text/html").getElementById("table-facts");
    this.goOn((facts && received(JSON.parse(facts.textContent).elsewhere, this.sheet)) ?? this.theirs);
  }

  /** Say what game runs here, and hear which other phones enter something. */
  async tell({ begins = false } = {}) {
    const { value: csrfmiddlewaretoken } = this.form.querySelector("[name=csrfmiddlewaretoken]");
    const body = new URLSearchParams({ csrfmiddlewaretoken, ...(this.kept ? { on: "1", game: sent(this.kept) } : {}) });
    const answer = await fetch(location.pathname, { method: "POST", body, redirect: "error" }).catch(() => null);
    const { games = [] } = (answer?.ok && (await answer.json().catch(() => null))) || {};
    const second = this.find("second");
    const opens = second.hidden;
    second.hidden = !this.kept || this.kept.agreed || !games.length;
    const taken = games.some((text) => isSame(received(text, this.sheet), this.kept));
    for (const part of second.querySelectorAll("[data-taken]")) part.hidden = part.dataset.taken !== String(taken);
    // Otherwise the names stay where they are.
    if ((begins || (opens && taken)) && !second.hidden) second.scrollIntoView({ block: "start" });
  }

  /** The row as the fields of the form for a whole game, which goes to the server once that can be reached. */
  over(row) {
    this.form.querySelector("[name=play]").value = valueOf(this.kept.taps[0], "play");
    const inputs = fieldsOf(row).map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    this.form.querySelector("[data-fields]").replaceChildren(...inputs);
    this.due = true;
    this.sendOnceReached();
  }

  draw() {
    super.draw();
    this.find("game-else").hidden = !this.kept; // a game that is over can be dropped too
    if (this.find("elsewhere")) this.find("elsewhere").hidden = Boolean(this.kept) || !this.theirs;
  }

  async sendOnceReached() {
    if (!this.due) return;
    if (await reached(location.pathname)) {
      this.due = false;
      return this.form.requestSubmit();
    }
    if (!this.form.hidden) return;
    this.form.hidden = false;
    this.form.scrollIntoView({ block: "start" });
  }
}

customElements.define("own-game", TableClock);
