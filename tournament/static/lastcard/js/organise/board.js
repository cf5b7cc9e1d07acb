// The event board: minutes that go on between two updates. js/watch/live.js fetches the page when anything was entered; here
// it is asked to do so each minute as well, since a table can need somebody because time has passed, and when the hall's
// clock has something new to say.
//
//   <running-minutes data-elapsed="754">12 min</running-minutes>   whole seconds as of when the page was made

const EVERY = 60_000; // milliseconds
const AFTER_BELL = 500; // milliseconds, by which the server's clock may be behind

class RunningMinutes extends HTMLElement {
  connectedCallback() {
    this.base = Number(this.dataset.elapsed) * 1000;
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  tick() {
    const minutes = String(Math.floor((this.base + performance.now() - this.since) / 60_000));
    const text = this.textContent.replace(/\d+/, minutes);
    if (text !== this.textContent) this.textContent = text;
  }
}

customElements.define("running-minutes", RunningMinutes);

function refresh() {
  if (!document.hidden) document.dispatchEvent(new CustomEvent("lastcard:refresh"));
}

setInterval(refresh, EVERY);
document.addEventListener("hall:says", () => setTimeout(refresh, AFTER_BELL));
