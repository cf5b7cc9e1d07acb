// Shows who else is entering something at this table, while somebody here does ([data-typing]: templates/desk/_typing.html).
//
// The first thing typed in a form that enters a play tells the server, then every 15 seconds while it is not sent; each
// answer names the others, in the reader's language. Without a network nobody is named: nothing is known then.

const EVERY = 15_000; // ms
const SETTLES = 1_000; // ms after sending in which the form's own changes are no typing
const ENTERS = "form[data-entry], form[data-keep]";

let form = null;
let timer = 0;
let ended = 0;

const place = () => document.querySelector("[data-typing]");

function show(others) {
  const lines = others.map(({ text }) => {
    const line = document.createElement("p");
    line.className = "typing__line";
    line.textContent = text;
    return line;
  });
  const said = lines.map((line) => line.textContent).join("\n");
  const here = place();
  if (here && here.dataset.said !== said) {
    here.dataset.said = said;
    here.replaceChildren(...lines); // a status is read out when it changes, so not each time
  }
}

async function tell(on) {
  const token = document.querySelector("input[name='csrfmiddlewaretoken']")?.value;
  if (!place() || !token) return;
  try {
    const answer = await fetch(place().dataset.typing, {
      method: "POST",
      headers: { "X-CSRFToken": token },
      body: new URLSearchParams({ on: on ? "1" : "" }),
      keepalive: !on,
    });
    const said = answer.ok ? await answer.json() : null;
    if (said?.lastcard === 1) show(said.others);
  } catch {
    show([]);
  }
}

function tick() {
  if (form?.isConnected) tell(true);
  else end();
}

function end() {
  if (!timer) return;
  clearInterval(timer);
  [timer, form, ended] = [0, null, Date.now()];
  tell(false);
}

document.addEventListener("input", (event) => {
  const typed = (event.target.form ?? event.target.closest?.("form"))?.closest(ENTERS);
  if (!typed || Date.now() - ended < SETTLES) return;
  form = typed;
  if (timer) return;
  timer = setInterval(tick, EVERY);
  tell(true);
});
document.addEventListener("outbox:kept", end);
window.addEventListener("pagehide", end);

// The note that came with the page is not true for long.
if (place()?.children.length) setTimeout(() => !timer && show([]), 2 * EVERY);
