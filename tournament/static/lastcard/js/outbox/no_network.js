// The page that is shown where none came and none was kept (service_worker.js): says what waits on this phone, and opens
// what was asked for as soon as it can be.

import { stored, UNSENT } from "./entries.js";

const PULSE = 5_000; // ms between two tries

const main = document.querySelector("[data-no-page]");
const here = main.dataset.noPage; // this page's own address, which nobody asks for

const waiting = main.querySelector("[data-waiting]");
const n = stored().filter(([, entry]) => UNSENT.has(entry.state)).length;
waiting.querySelector(".notice__title").textContent = waiting.dataset.wordWaiting.replace("{n}", n);
waiting.hidden = n === 0;

/** Whether Lastcard itself answers, and not a hotel's sign-in page. */
async function answers() {
  const response = await fetch(here, { method: "HEAD", cache: "no-store" }).catch(() => null);
  return response?.headers.get("Content-Security-Policy")?.includes("frame-ancestors");
}

async function open() {
  if (location.pathname !== here && (await answers())) location.reload();
}

window.addEventListener("online", open);
document.addEventListener("visibilitychange", open);
setInterval(open, PULSE);
