// The reveal on the organiser's phone: a tap shows the next place without leaving the page, or the page taps by itself.
//
//   <form data-reveal data-word-sending data-word-again data-word-next>   command and left make a tap that is sent twice
//     <button> ... <strong data-reveal-says>                             harmless
//   <fieldset data-by-itself hidden><select id="every"> <button data-start> <button data-stop>
//
// js/watch/live.js shows the page anew after each step, also after one that another phone made. A tap that does not arrive is
// sent again, the same one, until it does.

const RETRY = 3_000; // milliseconds
const GIVE_UP = 8_000; // milliseconds for one request
const KEPT_OUT = new Set([401, 403, 404]); // answers to somebody who may not, or not any more

let dueAt = 0; // when the page taps by itself; 0 while it does not
let sending = false;
let failed = false;

const form = () => document.querySelector("[data-reveal]");
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const wait = () => Number(document.querySelector("select#every").value) * 1000;

async function arrives(tap) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), GIVE_UP);
  try {
    const response = await fetch(tap.action, {
      method: "POST",
      body: new FormData(tap),
      redirect: "manual", // where it leads is this page
      signal: controller.signal,
    });
    if (KEPT_OUT.has(response.status)) location.reload(); // which says why, or asks for the sign-in
    return response.type === "opaqueredirect" || response.status < 500;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function reveal() {
  const tap = form();
  if (!tap || sending) return;
  sending = true;
  show();
  while (!(await arrives(tap))) {
    failed = true;
    show();
    await pause(RETRY);
  }
  sending = failed = false;
  if (dueAt) dueAt = Date.now() + wait();
  document.dispatchEvent(new CustomEvent("lastcard:refresh"));
  show();
}

function show() {
  const tap = form();
  if (!tap) {
    dueAt = 0;
    return;
  }
  const { wordSending, wordAgain, wordNext } = tap.dataset;
  const seconds = Math.max(0, Math.ceil((dueAt - Date.now()) / 1000));
  const says = failed ? wordAgain : sending ? wordSending : dueAt ? wordNext.replace("{n}", seconds) : "";
  const place = tap.querySelector("[data-reveal-says]");
  if (place.textContent !== says) place.textContent = says;
  tap.querySelector("button").disabled = sending;
  const controls = document.querySelector("[data-by-itself]");
  controls.hidden = false;
  controls.querySelector("[data-start]").hidden = Boolean(dueAt);
  controls.querySelector("[data-stop]").hidden = !dueAt;
}

// Before app.js hears it, which would wait for an answer to the browser.
document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    reveal();
  },
  { capture: true },
);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-start]")) dueAt = Date.now() + wait();
  else if (event.target.closest("[data-stop]")) dueAt = 0;
  else return;
  show();
});
document.addEventListener("lastcard:swapped", show);
setInterval(() => {
  if (dueAt && Date.now() >= dueAt) reveal();
  show();
}, 250);
show();
