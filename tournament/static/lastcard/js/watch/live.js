// Keeps a published page true: the stream at /live/<scope> says which version there is, and what changed in this page's
// text. Where that is not known, or is of another text than ours, the same address is fetched anew. The new <main> takes
// the place of ours.
//
//   <body data-live="scope" data-version="12">
//   <p data-live-state="connecting" data-word-live="Live" data-word-connecting="..." data-word-offline="... {time}">
//   <tr data-key="...">           a row that slides to its new place and shows for a moment, by data-moved="up" or
//                                 "down", that it changed it, by data-come that it was not there before
//   <body data-spread="5">        seconds within which a page that everybody has their own of is fetched after a change
//   <body data-watch>             somebody wants to be told while they do not look (js/watch/notifications.js)
//   data-live-search              somewhere in <main>: the address has a query that belongs to the page
//   <p role="status" data-told data-word-updated="..." data-word-leads="...">   where a change is announced
//   document "lastcard:heard"     told when there is another version, before it is fetched
//   document "lastcard:swapped"   told after the content was replaced, with the new page
//   document "lastcard:refresh"   asks for the page as it is now
//
// A lost event harms nothing: every ping repeats the version, and changes name the text that they apply to. Where no
// stream comes through, the page is polled. A hidden page that nobody watches holds no stream open.

import { dayTime } from "../words.js";

const LIVE = 10_000; // milliseconds that the last sign of the server counts as "live"
const POLL = 9_000; // milliseconds without one, a ping more than late, until the page asks by itself
const STALLED = 25_000; // milliseconds without an event until a stream is given up and opened anew
const GIVE_UP = 8_000; // milliseconds for one fetch
const TELL = 15_000; // milliseconds between two announcements to a screen reader
const TRIES = 6;
const SLIDE = 600; // milliseconds until a row is at its new place

const body = document.body;
const scope = body.dataset.live;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let wanted = Number(body.dataset.version);
let etag = null; // of the text that is shown, as far as it is known
let text = "";
let source = null;
let openedAt = 0;
let heardAt = 0; // the last sign of the server
let trueAt = Date.now(); // when this page's content was last known to be current
let polledAt = Date.now();
let failed = false;
let fetching = false;
let again = false;
let waiting = false; // for this page's turn to ask
let toldAt = -Infinity; // when a change was announced last
let telling = 0;
let sentAt = -Infinity; // when a form was sent whose answer takes the place of this page

const version = () => Number(body.dataset.version);
const unwatched = () => document.hidden && !("watch" in body.dataset);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function heard() {
  heardAt = Date.now();
  failed = false;
  if (version() === wanted) trueAt = heardAt;
  show();
}

// Gives whether this page is of another version.
function hears(there) {
  wanted = there;
  heard();
  if (wanted === version()) return false;
  document.dispatchEvent(new CustomEvent("lastcard:heard"));
  return true;
}

function told(event) {
  if (hears(Number(event.data))) soon();
}

async function toldChanges(event) {
  const [former, tag, there, packed] = event.data.split(" ");
  if (!hears(Number(there))) return;
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  try {
    if (etag === null) await takeFromCache();
    if (etag === former) {
      const { applied, unpacked } = await import("./changes.js");
      const next = applied(text, await unpacked(packed));
      if (shown(next)) [text, etag] = [next, tag];
    }
  } catch {
    etag = null; // the page is fetched
  } finally {
    fetching = false;
  }
  if (etag === tag && !again) heard();
  else refresh();
}

// The text that the browser loaded, without asking for it again.
async function takeFromCache() {
  const response = await fetch(location.pathname, { cache: "only-if-cached", mode: "same-origin" });
  if (!response.ok) return;
  text = await response.text();
  etag = tagOf(response);
}

/** Show a whole page's text; gives whether it is one of ours. */
function shown(next) {
  const page = new DOMParser().parseFromString(next, "text/html");
  if (page.body.dataset.live !== scope || !page.getElementById("main")) return false;
  swap(page);
  return true;
}

// A page of which everybody has another one is rendered for each of them: a big event's do not ask in one moment.
function soon() {
  const spread = Number(body.dataset.spread ?? 0);
  if (!spread) refresh();
  else if (!waiting) {
    waiting = true;
    setTimeout(() => {
      waiting = false;
      refresh();
    }, Math.random() * spread * 1000);
  }
}

function open() {
  if (source || unwatched() || !window.EventSource) return;
  openedAt = Date.now();
  const page = "DecompressionStream" in globalThis && !location.search ? `?page=${encodeURIComponent(location.pathname)}` : "";
  source = new EventSource(`/live/${scope}${page}`);
  source.addEventListener("changes", toldChanges);
  source.addEventListener("version", told);
  source.addEventListener("ping", told);
  source.addEventListener("who", refresh); // who signed in here may something else now
}

function close() {
  source?.close();
  source = null;
}

// Fetch this page until it is at least of the wanted version, and show it.
async function refresh() {
  if (fetching) {
    again = true;
    return;
  }
  fetching = true;
  polledAt = Date.now();
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      again = false;
      const asked = wanted;
      const page = await fetchPage();
      // An older one is of another server, or of a cache, that has not heard yet; it is shown only if it stays so.
      const older = page && Number(page.body.dataset.version) < Math.min(asked, version());
      if (page && (!older || attempt === TRIES - 1)) swap(page);
      if (older) etag = null;
      if (version() < asked) await pause(150 * 2 ** attempt);
      else if (!again) break;
    }
    if (version() > wanted) wanted = version();
    heard();
  } catch {
    failed = true;
    etag = null; // what came last may not be shown
    show();
  } finally {
    fetching = false;
  }
}

// The page as the server has it now; null when it is the one that is shown.
async function fetchPage() {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), GIVE_UP);
  try {
    const search = document.querySelector("[data-live-search]") ? location.search : "";
    const response = await fetch(location.pathname + search, { cache: "no-cache", signal: controller.signal });
    if (response.status === 404 || response.status === 410) return leave();
    if (!response.ok) throw new Error(`${response.status}`);
    const tag = tagOf(response);
    if (tag && tag === etag) return null;
    const next = await response.text();
    const page = new DOMParser().parseFromString(next, "text/html");
    if (page.body.dataset.live !== scope || !page.getElementById("main")) return leave();
    [text, etag] = [next, tag];
    return page;
  } finally {
    clearTimeout(timer);
  }
}

// The tag of a page's text, which is one for all encodings.
const tagOf = (response) => (response.headers.get("ETag") ?? "").replace(/^W\/|"|-gzip/g, "");

// Something else lives at this address now: show that, as any link would. Where a form of ours did that (a rehearsal is
// put away), its answer is on the way, and a reload would come before it.
function leave() {
  if (Date.now() - sentAt < GIVE_UP) throw new Error("a form was sent");
  close();
  location.reload();
  return new Promise(() => {});
}

function swap(page) {
  const main = document.getElementById("main");
  const next = document.adoptNode(page.getElementById("main"));
  const before = places(main);
  const stood = calm.matches ? null : spots(main);
  const focus = whereIs(document.activeElement, main);
  const scroll = [window.scrollX, window.scrollY];
  const read = listBeingRead(main);
  for (const held of main.querySelectorAll("details[id], input[id], select[id], textarea[id]")) {
    keep(held, next.querySelector(`#${CSS.escape(held.id)}`));
  }
  main.className = next.className;
  main.replaceChildren(...next.childNodes);
  body.dataset.version = page.body.dataset.version;
  document.title = page.title;
  find(focus, main)?.focus({ preventScroll: true });
  window.scrollTo({ left: scroll[0], top: scroll[1], behavior: "instant" });
  if (stood) markMoved(main, before);
  document.dispatchEvent(new CustomEvent("lastcard:swapped", { detail: page }));
  if (read) stayAt(main, read);
  if (stood) slide(main, stood);
  show();
  tell();
}

// For who does not see it: that something is new, and who leads where that is one; of many changes the last alone.
function tell() {
  const place = document.querySelector("[data-told]");
  if (!place || telling) return;
  telling = setTimeout(() => {
    const first = document.querySelectorAll("#main .standings__row--first .standings__name bdi");
    const live = document.querySelector("[data-live-state]"); // none where all is over
    const name = live && first.length === 1 ? first[0].textContent : "";
    const words = place.getAttribute(`data-word-${name ? "leads" : "updated"}`) ?? "";
    const time = dayTime(Date.now(), live?.dataset.zone, true);
    place.textContent = words.replace("{time}", time).replace("{name}", () => name);
    toldAt = Date.now();
    telling = 0;
  }, Math.max(0, toldAt + TELL - Date.now()));
}

// Keep what somebody opened, typed or chose.
function keep(from, to) {
  if (!to || to.tagName !== from.tagName) return;
  if (from.tagName === "DETAILS") to.open = from.open;
  else if (from.type === "checkbox" || from.type === "radio") to.checked = from.checked;
  else if (from.type !== "hidden") to.value = from.value;
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

// A place that can be found again in new content: an id, or a row's key and which of its controls it is.
function whereIs(element, main) {
  if (!element || element === main || !main.contains(element)) return null;
  if (element.id) return { id: element.id };
  const row = element.closest("[data-key]") ?? main;
  return { key: row.dataset.key, index: [row, ...row.querySelectorAll(FOCUSABLE)].indexOf(element) };
}

function find(place, main) {
  if (!place) return null;
  if (place.id) return main.querySelector(`#${CSS.escape(place.id)}`);
  const row = place.key === undefined ? main : main.querySelector(`[data-key="${CSS.escape(place.key)}"]`);
  return row ? [row, ...row.querySelectorAll(FOCUSABLE)][place.index] : null;
}

// The list whose rows fill the window, above which its reader sees nothing: by one of its rows, and where it stands.
function listBeingRead(main) {
  const row = [...main.querySelectorAll("[data-key]")].find((each) => each.getBoundingClientRect().bottom > 0);
  const top = row?.parentElement.getBoundingClientRect().top;
  return top < 0 ? { key: row.dataset.key, top } : null;
}

// Keep a row in its place when something above it came or went.
function stayAt(main, { key, top }) {
  const list = main.querySelector(`[data-key="${CSS.escape(key)}"]`)?.parentElement;
  if (list) window.scrollBy({ top: list.getBoundingClientRect().top - top, behavior: "instant" });
}

// Where each keyed row stands among the keyed rows beside it.
function places(main) {
  const found = new Map();
  const counts = new Map();
  for (const row of main.querySelectorAll("[data-key]")) {
    const place = counts.get(row.parentElement) ?? 0;
    counts.set(row.parentElement, place + 1);
    found.set(row.dataset.key, place);
  }
  return found;
}

function markMoved(main, before) {
  const after = places(main);
  for (const row of main.querySelectorAll("[data-key]")) {
    const [from, to] = [before.get(row.dataset.key), after.get(row.dataset.key)];
    if (from === to) continue;
    if (from === undefined) row.dataset.come = "";
    else row.dataset.moved = to < from ? "up" : "down";
    row.addEventListener("animationend", () => ["come", "moved"].forEach((mark) => delete row.dataset[mark]), { once: true });
  }
}

// Where each keyed row is drawn, as seen from what it stands in; one that is not drawn has no spot.
function spots(main) {
  const found = new Map();
  for (const row of main.querySelectorAll("[data-key]")) {
    if (!row.getClientRects().length) continue;
    const [at, around] = [row.getBoundingClientRect(), row.parentElement.getBoundingClientRect()];
    found.set(row.dataset.key, [at.x - around.x, at.y - around.y]);
  }
  return found;
}

// Once the page is as it stays (others listen to "lastcard:swapped"), who changed place comes from where they stood.
function slide(main, stood) {
  const spot = spots(main);
  for (const row of main.querySelectorAll("[data-moved]")) {
    const [from, to] = [stood.get(row.dataset.key), spot.get(row.dataset.key)];
    if (!from || !to) continue;
    const [x, y] = [from[0] - to[0], Math.max(-innerHeight, Math.min(innerHeight, from[1] - to[1]))];
    row.animate({ transform: [`translate(${x}px, ${y}px)`, "none"] }, { duration: SLIDE, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
  }
}

// Say what is true: "live" only when the server was heard within the last ten seconds.
function show() {
  const now = Date.now();
  const live = heardAt > 0 && now - heardAt < LIVE && !failed;
  const state = live ? "live" : failed || !navigator.onLine ? "offline" : "connecting";
  for (const place of document.querySelectorAll("[data-live-state]")) {
    const word = place.getAttribute(`data-word-${state}`) ?? "";
    const words = word.replace("{time}", () => dayTime(trueAt, place.dataset.zone, true));
    if (place.dataset.liveState !== state || place.firstChild?.textContent !== words) {
      place.dataset.liveState = state;
      place.replaceChildren(words);
    }
  }
}

function tick() {
  if (unwatched()) return;
  const now = Date.now();
  const silent = now - Math.max(heardAt, openedAt) >= STALLED;
  if (source && (silent || source.readyState === EventSource.CLOSED) && now - openedAt >= POLL) close();
  open();
  if (now - Math.max(heardAt, polledAt) >= POLL) refresh();
  show();
}

function comeBack() {
  if (unwatched()) return;
  open();
  refresh();
}

if (scope) {
  document.addEventListener("visibilitychange", () => (unwatched() ? close() : comeBack()));
  document.addEventListener("lastcard:refresh", refresh);
  window.addEventListener("pageshow", (event) => event.persisted && comeBack());
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) sentAt = Date.now();
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("online", comeBack);
  window.addEventListener("offline", show);
  setInterval(tick, 1000);
  open();
  show();
}
