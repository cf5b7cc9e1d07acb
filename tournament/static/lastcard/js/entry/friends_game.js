// <own-game> at a table of friends (templates/public/_game.html): a game that is over becomes a row of the page's
// score sheet, which goes to the server for its points when there is a network. Until then the sheet is ahead of what the
// page says (AHEAD), and the next game may begin.

import { PULSE, reached } from "../reached.js";
import { OwnGame, read, write } from "./own_game.js";

const [NEWEST, AHEAD] = ["lastcard.friends", "lastcard.friends.ahead"];

class FriendsGame extends OwnGame {
  storeKey = "lastcard.friends.game";

  rise() {
    this.page = document.querySelector("input[data-friends-sheet]").value; // as the server answered
    const ahead = read(AHEAD);
    this.ahead = ahead?.page === this.page;
    if (!this.ahead) write(AHEAD, null);
    this.carry(this.ahead ? ahead.sheet : this.page);
    super.rise();
    document.addEventListener("input", () => (this.typed = true));
    window.addEventListener("online", () => this.sendOnceReached());
    window.addEventListener("pageshow", ({ persisted }) => persisted && (this.sent = false));
    setInterval(() => this.sendOnceReached(), PULSE);
    this.sendOnceReached();
  }

  /** The sheet that every form of the page sends. */
  carry(text) {
    this.sheet = JSON.parse(text);
    for (const field of document.querySelectorAll("input[name=sheet]")) field.value = text;
    if (this.ahead) write(NEWEST, text);
  }

  /** The game becomes a row of the sheet, which goes to the server if that can be reached. */
  over(row) {
    const text = JSON.stringify({ ...this.sheet, games: [...this.sheet.games, row] });
    this.ahead = true;
    write(AHEAD, { page: this.page, sheet: text });
    this.carry(text);
    this.typed = false;
    this.keep(null);
    this.find("game-send").scrollIntoView({ block: "start" });
    this.sendOnceReached();
  }

  /** Send what is ahead of the page, between two games and while nobody types: the answer is a page in place of this one.
   * Once: sent again, a slow answer would never arrive. */
  async sendOnceReached() {
    const due = () => this.ahead && !this.kept && !this.typed && !this.sent;
    if (!due() || !(await reached(location.pathname)) || !due()) return;
    this.sent = true;
    /** @type {HTMLFormElement} */ (this.find("game-send")).requestSubmit();
  }

  draw() {
    this.find("game-send").hidden = !this.ahead;
    super.draw();
  }
}

customElements.define("own-game", FriendsGame);
