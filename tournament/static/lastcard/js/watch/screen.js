// A big screen (templates/screen/screen.html): its scenes by turns, each split into as many pages as its rows need at
// this height, each page for so many seconds. Without this the scenes stand one below the other, to be read.
//
//   <div data-screen="seats clock" data-seconds="12" data-program="..." data-word-page="Page {n} of {m}">
//     <section data-scene="seats"> ... <ol data-rows>   its children are shown as many at a time as fit
//     <span data-range>                                 from which letter to which (the rows' data-letter) this page goes
//     <div data-fit>                                    is made smaller until it fits; where it could not be read any
//                                                       more, each [data-part] has its own pages, of its [data-piece]s
//   [data-page]                  which page of the scene this is
//   [data-since][data-limit]     Unix seconds at which a game began, and how long it lasts; [data-until]: a countdown
//   [data-way], [data-way-copy]  where the address and the code go, from the address that data-way names
//   [data-gone]                  this screen was taken away: look again until it is there
//
// js/watch/live.js keeps the content true; what it puts in is staged anew here, on the page that was shown. A new version of
// the program is loaded whole. Keys: arrows or space to page, F for the full screen; a touch shows the controls.

import { askServer, serverNow } from "../server_time.js";
import { faceText, two } from "../times.js";

const ROWS = 24; // tried at a time, until a page is full
const [LARGEST, SMALLEST] = [1.2, 0.96]; // of its size, for what is made to fit and can still be read
const SMALLER = [0.95, 0.9, 0.85]; // sizes that rows may have where one page then shows them all
const BEAT = 250; // milliseconds between two looks at the clocks
const MINUTE = 60_000;
const STILL = 3_000; // milliseconds without a movement until the pointer goes
const SHOWN = 8_000; // milliseconds that the controls stay
const AGAIN = 5_000; // milliseconds until a screen that is gone is looked for again

const root = document.documentElement;
const stage = () => document.querySelector("[data-screen]");
const hide = (rows, yes) => rows.forEach((row) => row.hidden !== yes && (row.hidden = yes));

let turns = []; // every page: {scene, name, page, pages, rows}
let at = 0;
let rowsOn = []; // those that are shown
let due = 0; // when the next one comes (performance.now())
let paused = false;
let way = null; // the piece that says how phones get here

// ---- pages ----

function inside(element, frame) {
  const { right, bottom } = element.getBoundingClientRect();
  return right <= frame.right + 1 && bottom <= frame.bottom + 1;
}

const lengths = new Map(); // by scene: of what rows, in what room, and how many of them each page took

/** The rows of a scene, page by page: as many on each as fit. A row too high for any page has one of its own. */
function pagesOf(scene) {
  if (scene.querySelector("[data-fit]")) return pagesOfWhole(scene);
  const list = scene.querySelector("[data-rows]");
  if (!list?.children.length) return [[]];
  const rows = [...list.children];
  const body = scene.querySelector(".scene__body");
  const frame = body.getBoundingClientRect();
  const of = `${sizeOf(body)} ${list.className} ${list.textContent}`;
  const { scene: name } = scene.dataset;
  if (lengths.get(name)?.of !== of) lengths.set(name, { of, ...split(list, rows, frame) });
  const { each, zoom } = lengths.get(name);
  list.style.zoom = zoom;
  hide(rows, true);
  let from = 0;
  return each.map((length) => rows.slice(from, (from += length)));
}

/** How many rows each page takes, and how large they are: a little smaller where that saves the second page. */
function split(list, rows, frame) {
  const pagesAt = (zoom) => {
    list.style.zoom = zoom;
    return byColumns(list, rows) ?? byTrying(rows, frame);
  };
  const each = pagesAt(1);
  const zoom = each.length === 2 && SMALLER.find((size) => pagesAt(size).length === 1);
  return zoom ? { each: [rows.length], zoom } : { each, zoom: 1 };
}

/** How many rows each page takes, of a list in columns: what fills the columns beyond the list's edge goes on the next
 * pages. Nothing where it has none, or where a row goes on from one page to the next. */
function byColumns(list, rows) {
  const { columnCount, columnGap } = getComputedStyle(list);
  if (columnCount === "auto") return null;
  list.classList.add("is-measured");
  hide(rows, false);
  const boxes = rows.map((row) => row.getClientRects());
  const { left, width } = list.getBoundingClientRect();
  list.classList.remove("is-measured");
  const [column, gap] = [boxes[0][0].width, parseFloat(columnGap)];
  const columns = Math.max(1, Math.round((width + gap) / (column + gap)));
  const pageAt = (box) => Math.floor((box.left - left + 1) / (column + gap) / columns);
  const each = [];
  for (const parts of boxes) {
    const page = pageAt(parts[0]);
    if (pageAt(parts[parts.length - 1]) !== page) return null;
    each[page] = (each[page] ?? 0) + 1;
  }
  return each.filter(Boolean);
}

/** The same for any other list, page after page. */
function byTrying(rows, frame) {
  const each = [];
  hide(rows, true);
  for (let from = 0, length = ROWS; from < rows.length; from += each.at(-1)) {
    let tried = rows.slice(from, from + length);
    for (let shown = 0; shown < tried.length; ) {
      hide(tried.slice(shown), false);
      shown = tried.length;
      if (inside(tried.at(-1), frame)) tried = rows.slice(from, from + shown + ROWS);
    }
    const beyond = tried.findIndex((row) => !inside(row, frame));
    each.push(beyond < 0 ? tried.length : Math.max(1, beyond));
    length = each.at(-1) + 2;
    hide(tried, true);
  }
  return each;
}

/** The pages of what is one whole where it can be read so, else of its parts, as many pieces on each as fit. */
function pagesOfWhole(scene) {
  const whole = scene.querySelector("[data-fit]");
  const frame = scene.querySelector(".scene__body").getBoundingClientRect();
  const parts = [...whole.querySelectorAll("[data-part]")];
  hide([...whole.querySelectorAll("[data-part], [data-piece]")], false);
  whole.classList.remove("is-parted");
  for (let zoom = LARGEST; zoom >= SMALLEST; zoom -= 0.04) {
    whole.style.zoom = zoom;
    if (inside(whole, frame) && whole.scrollWidth <= whole.clientWidth + 1) return [[]];
  }
  whole.style.zoom = 1;
  whole.classList.add("is-parted");
  hide(parts, true);
  return parts.flatMap((part) => {
    const pieces = [...part.querySelectorAll("[data-piece]")];
    let from = 0;
    part.hidden = false;
    const pages = byTrying(pieces, frame).map((length) => [part, ...pieces.slice(from, (from += length))]);
    part.hidden = true;
    return pages.length ? pages : [[part]];
  });
}

/** The room for the scenes changes with the window, and with what the foot has to say. */
const room = new ResizeObserver(() => requestAnimationFrame(() => sizeOf(stage()) !== measured && splitAnew()));
const sizeOf = (element) => `${element.clientWidth} ${element.clientHeight}`;
let measured = "";

/** Split everything anew, and stay where we were. A scene with nothing to show has no turn beside others. */
function splitAnew() {
  measured = sizeOf(stage());
  room.disconnect();
  room.observe(stage());
  const before = turns[at];
  turns = [];
  rowsOn = [];
  const scenes = stage().querySelectorAll("[data-scene]");
  for (const scene of scenes) scene.classList.remove("is-on"); // each is measured with the whole room
  for (const scene of scenes) {
    scene.classList.add("is-on");
    tell();
    const pages = pagesOf(scene);
    scene.classList.remove("is-on");
    pages.forEach((rows, page) => turns.push({ scene, name: scene.dataset.scene, page, pages: pages.length, rows }));
  }
  const telling = turns.filter(({ scene }) => !scene.querySelector(".scene__none"));
  if (telling.length) turns = telling;
  const same = turns.filter((turn) => turn.name === before?.name && turn.page <= before.page);
  at = Math.max(0, turns.indexOf(same.at(-1)));
  if (!same.length) rest();
  draw();
}

function rest() {
  due = performance.now() + Number(stage().dataset.seconds) * 1000;
}

function draw() {
  const turn = turns[at];
  if (!turn) return;
  for (const { scene } of turns) scene.classList.toggle("is-on", scene === turn.scene);
  hide(rowsOn, true);
  hide(turn.rows, false);
  rowsOn = turn.rows;
  rowsOn.forEach((row, index) => row.classList.toggle("is-top", index === 0));
  const words = stage().dataset.wordPage.replace("{n}", turn.page + 1).replace("{m}", turn.pages);
  for (const place of document.querySelectorAll("[data-page]")) place.textContent = turn.pages > 1 ? words : "";
  const letters = [turn.rows[0], turn.rows.at(-1)].map((row) => row?.dataset.letter);
  const range = turn.scene.querySelector("[data-range]");
  if (range && turn.pages > 1) range.textContent = [...new Set(letters)].filter(Boolean).join("–");
  tell();
}

function step(by) {
  at = (at + by + turns.length) % turns.length;
  rest();
  draw();
  const { scene } = turns[at];
  scene.classList.add("is-new");
  scene.addEventListener("animationend", () => scene.classList.remove("is-new"), { once: true });
}

// ---- time, by the server's clock: this computer's may be wrong ----

/** Set the clocks of the scene that is shown. */
function tell() {
  const now = serverNow() / 1000;
  for (const face of document.querySelectorAll(".is-on [data-since]")) {
    const [since, limit] = [Number(face.dataset.since), Number(face.dataset.limit)];
    const elapsed = Math.max(0, Math.min(Math.floor(now - since), limit));
    face.querySelector("[data-face]").textContent = faceText(elapsed);
    const [began, over] = ["began", "over"].map((part) => face.parentElement.querySelector(`.clocks__${part}`));
    const run = face.parentElement.querySelector("progress.clocks__run");
    began.hidden = true;
    run.hidden = false;
    run.value = elapsed;
    over.hidden = elapsed < limit;
  }
  for (const count of document.querySelectorAll(".is-on [data-until]")) {
    const left = Math.ceil(Number(count.dataset.until) - now);
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    count.hidden = left <= 0 || hours >= 24;
    const face = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
    count.querySelector("[data-face]").textContent = face;
  }
}

function beat() {
  tell();
  if (!paused && turns.length > 1 && performance.now() >= due) step(1);
}

// ---- the way here, for phones ----

async function findWay() {
  const place = document.querySelector("[data-way]");
  if (!place || way) return;
  const answer = await fetch(place.dataset.way);
  if (!answer.ok) return;
  way = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  showWay();
}

function showWay() {
  if (!way || !document.querySelector("[data-way]")) return;
  for (const place of document.querySelectorAll("[data-way], [data-way-copy]")) {
    place.replaceChildren(...[...way.childNodes].map((node) => document.importNode(node, true)));
  }
}

// ---- who stands at it ----

const controls = document.querySelector("[data-controls]");
let [stillFrom, hideFrom] = [0, 0];

function hold(yes) {
  paused = yes;
  controls.querySelector("[data-do=pause]").setAttribute("aria-pressed", String(yes));
  rest();
}

function fillScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.();
  done?.catch(() => {}); // the browser may refuse: the page stays as it is
}

const DO = { back: () => step(-1), on: () => step(1), pause: () => hold(!paused), full: fillScreen };
const KEYS = { ArrowRight: "on", ArrowDown: "on", PageDown: "on", " ": "on", ArrowLeft: "back", ArrowUp: "back", PageUp: "back", f: "full", F: "full" };

function showControls() {
  controls.hidden = false;
  clearTimeout(hideFrom);
  hideFrom = setTimeout(() => (controls.hidden = !controls.querySelector("[open]")), SHOWN);
}

function moved() {
  root.classList.remove("is-still");
  clearTimeout(stillFrom);
  stillFrom = setTimeout(() => root.classList.add("is-still"), STILL);
}

function listen() {
  document.addEventListener("pointermove", moved);
  document.addEventListener("click", (event) => {
    showControls();
    const button = event.target.closest("[data-do]");
    if (button) DO[button.dataset.do]();
  });
  document.addEventListener("keydown", (event) => {
    const what = KEYS[event.key];
    if (!what || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("[data-controls]")) return;
    event.preventDefault();
    DO[what]();
  });
}

// ---- all of it ----

function swapped(program) {
  if (stage().dataset.program !== program) return location.reload();
  showWay();
  splitAnew();
}

function begin() {
  const { program } = stage().dataset;
  root.classList.add("is-staged");
  splitAnew();
  listen();
  moved();
  const ask = () => Promise.allSettled([askServer(location.pathname), findWay()]);
  ask();
  setInterval(() => {
    ask();
    document.dispatchEvent(new CustomEvent("lastcard:refresh"));
  }, MINUTE);
  setInterval(beat, BEAT);
  document.addEventListener("lastcard:swapped", () => swapped(program));
}

async function lookAgain() {
  try {
    if ((await fetch(location.pathname, { method: "HEAD", cache: "no-store" })).ok) location.reload();
  } catch {
    // no network: look again later
  }
}

if (stage()) begin();
else if (document.querySelector("[data-gone]")) setInterval(lookAgain, AGAIN);
