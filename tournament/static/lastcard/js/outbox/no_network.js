// The page that is shown where none came and none was kept (service_worker.js): says what waits on this phone, and opens
// what was asked for as soon as it can be.

import { PULSE, reached } from "../reached.js";
import { stored, UNSENT } from "./entries.js";

const main = document.querySelector("[data-no-page]");
const here = main.dataset.noPage; // this page's own address, which nobody asks for

const waiting = main.querySelector("[data-waiting]");
const n = stored().filter(([, entry]) => UNSENT.has(entry.state)).length;
waiting.querySelector(".notice__title").textContent = waiting.dataset.wordWaiting.replace("{n}", n);
waiting.hidden = n === 0;

async function open() {
  if (location.pathname !== here && (await reached(here))) location.reload();
}

window.addEventListener("online", open);
document.addEventListener("visibilitychange", open);
setInterval(open, PULSE);
