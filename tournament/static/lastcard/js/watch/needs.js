// <out-now>: what going out of the running game now would make of the player's average (templates/public/_needs.html).
//
// In: data-began (when the game began), data-averages and data-places (one for each whole minute, "-" for no place),
// data-word-place, data-word-no-place. Rows whose time is over become data-past, and so does the first line that names
// one. It goes by the server's clock, since a phone's may be wrong, and after a sleep by more or by less.

const HOUR = 3_600_000; // milliseconds
const LEAP = 5_000; // milliseconds that the phone's clock moves on between two looks before it is asked about again

let ahead = 0; // milliseconds that the server's clock is ahead of this phone's
let asked = null;

/** Ask the server for its time: an answer's date, which is cut to the second. Once, until it is asked `anew`. */
function ask() {
  asked ??= (async () => {
    const sent = Date.now();
    const date = Date.parse((await fetch("/healthz", { method: "HEAD", cache: "no-store" })).headers.get("Date"));
    if (date) ahead = date + 500 - (sent + Date.now()) / 2;
  })().catch(() => (asked = null)); // no network: by this phone's clock until there is one
  return asked;
}

function anew() {
  if (document.hidden) return;
  asked = null;
  ask();
}

document.addEventListener("visibilitychange", anew);
window.addEventListener("online", anew);
window.addEventListener("pageshow", (event) => event.persisted && anew());

class OutNow extends HTMLElement {
  connectedCallback() {
    this.averages = this.dataset.averages.split(" ");
    this.places = this.dataset.places.split(" ");
    this.looked = Date.now();
    this.timer = setInterval(() => this.show(), 1000);
    ask().then(() => this.show());
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  show() {
    const now = Date.now();
    if (Math.abs(now - this.looked) > LEAP) anew();
    this.looked = now;
    const elapsed = now + ahead - Date.parse(this.dataset.began);
    const minute = Math.max(0, Math.floor(elapsed / 60_000));
    this.hidden = elapsed > HOUR;
    this.markPast(elapsed);
    const place = this.places[minute];
    const word = place === "-" ? this.dataset.wordNoPlace : this.dataset.wordPlace;
    const values = { minute, average: this.averages[minute], place };
    const text = word.replace(/{(\w+)}/g, (_, name) => values[name]);
    if (!this.hidden && text !== this.textContent) this.textContent = text;
  }

  /** Rows say until when one must be out ("9:59"; nobody is later than the hour), and the first line may say the time
   * of one of them. */
  markPast(elapsed) {
    const needs = this.closest(".needs");
    const first = needs.querySelector(".needs__first");
    for (const row of needs.querySelectorAll("tbody tr")) {
      const until = row.cells[0].textContent;
      const [minutes, seconds] = until.split(":").map(Number);
      const over = (minutes * 60 + seconds + 1) * 1000;
      const past = over <= HOUR && elapsed >= over;
      row.toggleAttribute("data-past", past);
      if (first.textContent.includes(` ${until} `)) first.toggleAttribute("data-past", past);
    }
  }
}

customElements.define("out-now", OutNow);
