// "My page": this phone remembers which player of a tournament its owner is. Nothing of it is sent anywhere, and the
// pages are the same bytes for everybody: what makes them mine is put on here, and again after each live update.
//
//   <nav data-me="tournament" data-home="/en/t/slug/" data-word-...>   the way to my page, hidden until I am known
//   <header data-player="entry">, [data-me-set], [data-me-forget], [data-me-said]   a player's page: is this me?
//   <section data-me-own="entry">          a player's own link: whoever has opened it is that player
//   [data-erased="entry ..."]              players whose data were erased: nobody is one of them any more
//   .standings[data-of="stage"]            goes on on other pages; <template data-row-of="stage"> of mine has my row
//   [data-state-of="stage"], [data-news]   how I stand in each stage; what is new since I looked last
//   document "lastcard:me"                 told after that: this page says who I am now
//   a.button[href$="/join/"]               the way in: not the first thing to tap for whom this phone knows
//   #find-me, #found, [data-all-players]   finds me by name in the list of everybody, fetched when it is first needed

import { dayTime, listed } from "../words.js";
import { keep, kept } from "./kept.js";

const LOOK = 120_000; // milliseconds without looking until what is new is counted anew

const bar = document.querySelector("[data-me]");
const words = bar.dataset;
const main = document.getElementById("main");
const ME = `lastcard.me.${words.me}`;
const SEEN = `lastcard.seen.${words.me}`;

/** This phone's player in the tournament; null where none is known. */
export function me() {
  const uid = kept(ME);
  return /^[0-9a-f-]{36}$/.test(uid) ? uid : null;
}

const own = document.querySelector("[data-me-own]"); // nothing keeps its address, so nothing here leads away from it
const pageOf = (uid) => `${words.home}player/${uid}/`;
const say = (text) => document.querySelector("[data-me-said]")?.replaceChildren(text);
const fill = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);

async function fetchPage(path) {
  const response = await fetch(path, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function remember(uid) {
  if (uid !== me()) {
    keep(SEEN, null);
    before = null;
  }
  return keep(ME, uid);
}

/** Keep nothing of whoever had their data erased. */
function forgetErased() {
  const erased = main.querySelector("[data-erased]")?.dataset.erased.split(" ") ?? [];
  if (!erased.includes(me())) return;
  for (const key of [SEEN, `lastcard.tell.${words.me}`, ME]) keep(key, null);
  say(words.wordForgotten);
}

// ---- my row ----

let myRow = null; // as it was when it was fetched last
let wasFocused = false; // whether my row at the top had the focus when the page was swapped

/** Mark where I stand: by the word too, never by colour alone. */
function mark(uid) {
  for (const marked of main.querySelectorAll("[data-mine]")) {
    marked.removeAttribute("data-mine");
    marked.removeAttribute("aria-current");
  }
  for (const added of main.querySelectorAll(".standings__mine, .you")) added.remove();
  if (!uid) return;
  for (const link of main.querySelectorAll(`a[href*="/player/${uid}/"]`)) {
    const row = link.closest("tr, li");
    if (row) tag(row, link);
  }
  pin(uid);
}

function tag(row, link) {
  row.dataset.mine = "";
  row.setAttribute("aria-current", "true");
  const you = document.createElement("span");
  you.className = "you";
  you.textContent = words.wordYou;
  if (!link.querySelector(".you")) link.append(" ", you);
}

function pin(uid) {
  const row = main.querySelector(`.standings tr[data-key="${uid}"]`);
  if (row) return putFirst(row.closest("table"), row);
  const part = main.querySelector(".standings[data-of]");
  if (!part) return;
  const table = part.querySelector("table");
  if (myRow) putFirst(table, myRow);
  fetchPage(pageOf(uid)).then((page) => {
    myRow = page.querySelector(`template[data-row-of="${part.dataset.of}"]`)?.content.querySelector("tr") ?? null;
    if (table.isConnected && uid === me()) putFirst(table, myRow);
  }).catch(() => {}); // no network: as it was, or without it
}

function putFirst(table, row) {
  table.querySelector(".standings__mine")?.remove();
  if (!row) return;
  const first = document.createElement("tbody");
  first.className = "standings__mine";
  const copy = document.importNode(row, true);
  for (const name of ["id", "data-key", "data-moved"]) copy.removeAttribute(name);
  const link = copy.querySelector("a");
  if (link) {
    link.id = "my-row"; // so that live.js takes no other link for it
    tag(copy, link);
  }
  first.append(copy);
  table.tBodies[0].before(first);
  if (wasFocused && document.activeElement === document.body) link?.focus({ preventScroll: true });
}

// ---- what is new ----

let before = null; // what I saw when I looked last: {at, stages}

/** How I stand in each stage, from the page. */
function standing() {
  const stages = [...main.querySelectorAll("[data-state-of]")].map((each) => {
    const { stateOf, place, value, games, table, seat } = each.dataset;
    const status = each.querySelector(".status")?.textContent;
    return [stateOf, { place, value, games, table, seat, status, lang: document.documentElement.lang }];
  });
  return Object.fromEntries(stages);
}

function seen() {
  try {
    const last = JSON.parse(kept(SEEN));
    return last?.stages && last.before?.stages ? last : null;
  } catch {
    return null;
  }
}

/** Say what is new since the last look, and keep what is seen now. Who comes back at once has not looked elsewhere. */
function look() {
  const stages = standing();
  const last = seen();
  before ??= last && (Math.abs(Date.now() - last.at) < LOOK ? last.before : { at: last.at, stages: last.stages });
  before ??= { at: Date.now(), stages };
  keep(SEEN, JSON.stringify({ at: Date.now(), stages, before }));
  tell(stages);
}

function tell(stages) {
  const place = main.querySelector("[data-news]");
  if (!place) return;
  const lines = [];
  for (const [stage, now] of Object.entries(stages)) {
    const own = main.querySelector(`[data-state-of="${stage}"]`).dataset;
    const changes = changed(before.stages[stage] ?? {}, now, own, place.dataset);
    if (changes.length) lines.push(`${own.title}: ${listed(changes)}`);
  }
  place.hidden = lines.length === 0;
  place.querySelector("h2").textContent = since(before.at, place.dataset.zone, place.dataset);
  place.querySelector("ul").replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })),
  );
}

/** In words, what changed in one stage. What was read in another language is no news for being written otherwise. */
function changed(was, now, own, news) {
  const found = [];
  const alike = !was.lang || was.lang === now.lang;
  if (was.place && now.place && was.place !== now.place) found.push(fill(news.wordPlace, { was: was.place, now: now.place }));
  else if (!was.place && now.place) found.push(fill(news.wordPlaced, { now: now.place }));
  else if (was.place && !now.place) found.push(news.wordUnplaced);
  if (alike && was.value && now.value && was.value !== now.value) found.push(fill(own.wordValue, { was: was.value, now: now.value }));
  const more = now.games - (was.games ?? 0);
  if (more > 0) found.push(more === 1 ? own.wordSingle : fill(own.wordMore, { n: more }));
  if (more < 0) found.push(more === -1 ? news.wordLessOne : fill(news.wordLess, { n: -more }));
  if (now.table && (was.table !== now.table || was.seat !== now.seat)) found.push(fill(news.wordSeat, now));
  if (alike && now.status && was.status !== now.status) found.push(now.status);
  return found;
}

/** Since when there is news, in the event's own zone, with the day where it is not today's. */
function since(at, timeZone, news) {
  const say = (when, options) => new Date(when).toLocaleDateString(document.documentElement.lang, { timeZone, ...options });
  const values = { time: dayTime(at, timeZone), day: say(at, { weekday: "short" }) };
  return fill(say(at) === say(Date.now()) ? news.wordSince : news.wordSinceDay, values);
}

// ---- finding myself ----

let everybody = null; // the rows of the page that lists them

async function list() {
  const field = document.getElementById("find-me");
  if (!field) return;
  everybody ??= fetchPage(document.querySelector("a[data-all-players]").pathname).then((page) => [
    ...page.querySelectorAll("#players li"),
  ]);
  const rows = await everybody.catch(() => (everybody = null));
  const found = document.getElementById("found");
  if (!rows || found.children.length) return;
  found.append(...rows.map((row) => document.importNode(row, true)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// ---- the page ----

let unfolded = "";

function show() {
  forgetErased();
  const uid = me();
  bar.hidden = !uid;
  if (uid) {
    bar.querySelector("a[data-me-page]").href = own ? location.pathname : pageOf(uid);
    for (const link of bar.querySelectorAll("a")) {
      if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
  const player = document.querySelector("[data-player]")?.dataset.player;
  for (const button of main.querySelectorAll("[data-me-set]")) {
    button.hidden = player === uid;
    button.classList.toggle("button--primary", !uid);
  }
  for (const button of main.querySelectorAll("[data-me-forget]")) button.hidden = player !== uid;
  if (uid) main.querySelector('a.button[href$="/join/"]')?.classList.remove("button--primary");
  for (const part of main.querySelectorAll(".find-me")) part.classList.toggle("find-me--known", Boolean(uid));
  mark(uid);
  if (player && player === uid) look();
  else main.querySelector("[data-news]")?.setAttribute("hidden", "");
  unfold();
  if (document.querySelector("input#find-me")?.value) list();
  document.dispatchEvent(new CustomEvent("lastcard:me"));
}

/** A link to why somebody has their place leads into what is folded; once, so that it can be folded again. */
function unfold() {
  const details = location.hash && document.getElementById(location.hash.slice(1))?.closest("details");
  if (!details || unfolded === location.hash) return;
  unfolded = location.hash;
  if (details.open) return;
  details.open = true;
  details.scrollIntoView();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-me-set]")) {
    const done = remember(document.querySelector("[data-player]").dataset.player);
    show();
    say(done ? words.wordKept : words.wordRefused);
  } else if (event.target.closest("[data-me-forget]")) {
    remember(null);
    show();
    say(words.wordForgotten);
  }
});
document.addEventListener("focusin", (event) => {
  wasFocused = Boolean(event.target.closest(".standings__mine"));
  if (event.target.id === "find-me") list();
});
document.addEventListener("pointerdown", () => {
  wasFocused = false; // a tap elsewhere takes the focus away
});
document.addEventListener("lastcard:swapped", show);
window.addEventListener("storage", (event) => {
  if (event.key === ME || event.key === null) show(); // what another tab has seen is its own: both would answer for ever
});
window.addEventListener("hashchange", unfold);
// Away and back is another look; so is a page that the browser had put aside.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) before = null;
  show();
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) before = null;
  if (event.persisted) show();
});

if (own) say(remember(own.dataset.meOwn) ? words.wordKept : words.wordRefused);
show();
