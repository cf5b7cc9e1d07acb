// The event board: minutes that go on between two updates. js/watch/live.js fetches the page when anything was entered; here
// it is asked to do so each minute as well, since a table can need somebody because time has passed.
//
//   <running-minutes data-elapsed="754">12 min</running-minutes>   whole seconds as of when the page was made

const EVERY = 60_000; // milliseconds

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

setInterval(() => {
  if (!document.hidden) document.dispatchEvent(new CustomEvent("lastcard:refresh"));
}, EVERY);
