// <hall-clock>: the room's clock, which counts down to a moment of the server's time (templates/components/_hall_clock.html).
//
//   [data-clock]   which clock it is; [data-ends] (Unix seconds) to when it counts, without it nothing moves
//   [data-last]    so many minutes before the end the last hand is called; a break has none
//   [data-bell]    there is none at the end either: what is under way ends
//   [data-face]    the time left; [data-says][hidden] "Last hand" and what else there is to say
//   [data-time-from="/path/"]   what is asked for the server's time
//
// Once its page is here it needs no network. `beeps` and the "clock:tick" are for alarm.js.

import { askServer, serverNow } from "./server_time.js";
import { hallText } from "./times.js";

const BEAT = 250; // ms
const BREAK_OVER = 600_000; // ms after which a break that nobody ended is not shown any more

export class HallClock extends HTMLElement {
  connectedCallback() {
    const { ends, last, clock } = this.dataset;
    if (!ends) return;
    this.ends = Number(ends) * 1000;
    this.last = last === undefined ? null : Number(last);
    this.dataset.game = `${clock} ${ends}`;
    this.limit = 0;
    this.beeps = { ...(this.last ? { [this.last * 60]: 2 } : {}), 0: 4 }; // by seconds before the end
    this.timer = setInterval(() => this.tick(), BEAT);
    this.ask().finally(() => this.tick());
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  async ask() {
    await askServer(this.dataset.timeFrom);
    this.known = true;
  }

  /** Milliseconds until its end, by the server's clock. */
  get left() {
    return this.ends - serverNow();
  }

  tick() {
    if (!this.known || !this.isConnected) return;
    const { left } = this;
    const { face, says } = hallText(left, this.last, "bell" in this.dataset);
    const place = this.querySelector("[data-face]");
    if (place.textContent !== face) place.textContent = face;
    const line = this.querySelector("[data-says]");
    if (line.dataset.says !== says) {
      if (line.dataset.says !== undefined) this.dispatchEvent(new CustomEvent("hall:says", { bubbles: true }));
      line.dataset.says = says;
      line.textContent = says ? this.dataset[{ last: "wordLast", over: "wordOver", on: "wordOn" }[says]] : "";
      line.hidden = !says;
    }
    this.hidden = this.last === null && left < -BREAK_OVER;
    this.dispatchEvent(new CustomEvent("clock:tick", { bubbles: true, detail: { elapsed: Math.floor(-left / 1000) } }));
  }
}

customElements.define("hall-clock", HallClock);

const again = () => document.querySelector("hall-clock")?.ask();
document.addEventListener("visibilitychange", () => document.hidden || again());
setInterval(again, 60_000);
