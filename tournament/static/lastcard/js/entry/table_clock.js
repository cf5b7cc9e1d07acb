// <own-game> at a table without a referee (templates/public/at_table_clock.html): the oldest player's phone times the next
// game, and proposes its result. The game stays on the phone until the server has the next one.
//
// While it runs the page says so each 15 s; a second phone of the table that enters something is told, and asked.

import { valueOf } from "../outbox/entries.js";
import { PULSE, reached } from "../reached.js";
import { fieldsOf } from "./friends_facts.js";
import { OwnGame } from "./own_game.js";

const BEAT = 15_000; // ms; others are warned for 30 s after (tournament/actions/table/at_table.py)

class TableClock extends OwnGame {
  storeKey = "lastcard.table.game";

  rise() {
    this.sheet = JSON.parse(document.getElementById("table-facts").textContent);
    super.rise();
    this.find("agreed").addEventListener("click", () => this.agree());
    setInterval(() => this.tell(), BEAT);
    setInterval(() => this.sendOnceReached(), PULSE);
    window.addEventListener("online", () => this.sendOnceReached());
    this.tell();
  }

  /** What sends the game. @returns {any} */
  get form() {
    return this.find("game-send");
  }

  keep(kept) {
    const begins = kept && !this.kept;
    super.keep(kept);
    if (begins) this.tell({ begins });
  }

  agree() {
    this.agreed = true;
    this.find("second").hidden = true;
  }

  /** Say that a game runs here, and hear whether another phone enters something too. */
  async tell({ begins = false } = {}) {
    if (!this.kept) return;
    const { value: csrfmiddlewaretoken } = this.form.querySelector("[name=csrfmiddlewaretoken]");
    const body = new URLSearchParams({ on: "1", csrfmiddlewaretoken });
    const answer = await fetch(location.pathname, { method: "POST", body, redirect: "error" }).catch(() => null);
    const said = answer?.ok ? await answer.json().catch(() => null) : null;
    const second = this.find("second");
    second.hidden = !said?.others || this.agreed;
    if (begins && !second.hidden) second.scrollIntoView({ block: "start" }); // later the names stay where they are
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
