// Announcements (#said: templates/components/_said.html): shows what stands now, and hides each at its end, also without
// a network. What somebody types beside them is never touched.
//
//   <div id="said" data-said="/en/t/cup/said/" data-of="scope">   fetched by itself when that event changes; without
//                                                                 data-said it comes with the page (js/watch/live.js)
//     <div data-announcement="uid" data-until="1700000000">       Unix seconds

import { askServer, serverNow } from "../server_time.js";
import { whenChanged } from "./event_stream.js";

const place = document.getElementById("said");
const { said: path, of: scope } = place?.dataset ?? {};

const shown = () => [...place.querySelectorAll("[data-announcement]")];
const keys = (region) => [...region.querySelectorAll("[data-announcement]")].map((each) => each.dataset.announcement).join();

/** Hide what is over. */
function hide() {
  const now = serverNow() / 1000;
  for (const each of shown()) each.hidden = now >= Number(each.dataset.until ?? Infinity);
}

/** Set this computer's clock by the server's where that matters. */
async function setClock() {
  if (shown().some((each) => each.dataset.until)) await askServer(path ?? location.pathname);
  hide();
}

/** Take over what another page says; what stands already is not read out again. */
function take(region) {
  if (!region || keys(region) === keys(place)) return hide();
  place.replaceChildren(...document.adoptNode(region).childNodes);
  hide();
  setClock();
}

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(path, { cache: "no-cache" });
    if (!answer.ok) return;
    take(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("said"));
  } catch {
    // no network: the stream comes back with it
  }
}

function begin() {
  setInterval(hide, 1000);
  document.addEventListener("visibilitychange", hide);
  document.addEventListener("lastcard:swapped", /** @param {any} event */ (event) => take(event.detail?.getElementById("said")));
  hide();
  setClock();
  if (!path) return; // it comes with the page
  if (document.body.dataset.live) return document.addEventListener("lastcard:heard", look);
  whenChanged(scope, look);
}

if (place) begin();
