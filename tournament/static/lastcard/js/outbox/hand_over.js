// Entries that wait on a phone without network, as QR codes that another referee's phone opens as links (take_over.js): one for
// each entry, in the order of entering. Loaded when somebody asks for it, from what the page fetched before.
//
// Nothing changes here by it: an entry stays until the server has it or somebody discards it, and is sent as well when the
// network is back. Its command is the same on both phones, so it is stored once. That it was handed over is a mark which
// only a person sets.
//
// Where Lastcard goes on at another address, on another computer, a link there carries all that this phone entered, also
// what the first computer had: the copy that the other one began from may be older. Markup and words:
// templates/components/_hand_over.html.

import { encode } from "../../vendor/uqr-0.1.3/uqr.js";
import { stored, UNSENT } from "./entries.js";
import { whatOf } from "./entry_content.js";
import { packed } from "./payload.js";
import { mineToCarry } from "./queue.js";

const QUIET = 4; // modules of white around a code
const FRESH = 15_000; // ms after which a code is made anew, since it says how old the entry is
const SVG = "http://www.w3.org/2000/svg";

const line = document.querySelector("desk-outbox");
const dialog = document.querySelector("dialog#hand-over");
const part = (name) => dialog.querySelector(`[data-${name}]`);
const [before, after] = [dialog.querySelector("button[data-before]"), dialog.querySelector("button[data-after]")];
const handed = dialog.querySelector("input[data-handed]");

let shown = ""; // the command of the entry whose code is shown
let timer = 0;

const waiting = () =>
  stored().map(([, entry]) => entry).filter((entry) => entry.user === line.dataset.user && UNSENT.has(entry.state));

/** The code as a drawing, black on white whatever the page's colours are. */
function drawn(text) {
  const { data, size } = encode(text, { ecc: "L", border: QUIET });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("shape-rendering", "crispEdges");
  const ground = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ width: size, height: size, fill: "#fff" })) ground.setAttribute(name, value);
  const modules = document.createElementNS(SVG, "path");
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  modules.setAttribute("d", dark.join(""));
  modules.setAttribute("fill", "#000");
  svg.append(ground, modules);
  return svg;
}

async function show() {
  clearTimeout(timer);
  const entries = waiting();
  for (const each of dialog.querySelectorAll("[data-codes]")) each.hidden = !entries.length;
  if (!entries.length) return;
  const at = Math.max(0, entries.findIndex((entry) => entry.command === shown));
  const entry = entries[at];
  shown = entry.command;
  const link = new URL(line.dataset.handOver, location.href);
  link.hash = await packed(entry);
  if (shown !== entry.command) return;
  part("what").textContent = whatOf(entry);
  part("count").textContent = dialog.dataset.wordCount.replace("{n}", at + 1).replace("{all}", entries.length);
  part("code").replaceChildren(drawn(link.href));
  part("code").setAttribute("aria-label", `${part("what").textContent}. ${part("count").textContent}`);
  dialog.querySelector("a[data-link]").href = link.href;
  handed.checked = Boolean(entry.handed);
  before.disabled = at === 0;
  after.disabled = at === entries.length - 1;
  timer = setTimeout(show, FRESH);
}

function step(by) {
  const entries = waiting();
  const at = entries.findIndex((entry) => entry.command === shown);
  shown = entries[at + by]?.command ?? shown;
  show();
}

before.addEventListener("click", () => step(-1));
after.addEventListener("click", () => step(1));
part("close").addEventListener("click", () => dialog.close());
handed.addEventListener("change", () => {
  document.dispatchEvent(new CustomEvent("outbox:mark", { detail: { command: shown, handed: handed.checked } }));
});
dialog.addEventListener("close", () => clearTimeout(timer));
document.addEventListener("outbox:change", ({ detail: { connected, waiting: n } }) => {
  if (dialog.open && connected && !n) dialog.close();
  else if (dialog.open) show();
});

const moved = dialog.querySelector("form[data-moved]");
const typed = moved.querySelector("input");

/** The page that takes over, at an address as somebody types it: "192.168.1.20:8000"; null for what is none. */
function pageAt(address) {
  try {
    const { origin } = new URL(/^https?:\/\//i.test(address) ? address : `http://${address}`);
    return new URL(line.dataset.handOver, origin);
  } catch {
    return null;
  }
}

moved.addEventListener("submit", async (event) => {
  event.preventDefault();
  const link = pageAt(typed.value.trim());
  part("wrong").hidden = Boolean(link);
  typed.setAttribute("aria-invalid", String(!link));
  if (!link) return typed.focus();
  const entries = mineToCarry(stored(), line.dataset.user);
  link.hash = (await Promise.all(entries.map((entry) => packed(entry)))).join(".");
  location.assign(link);
});

/** Show the code of the oldest entry that nobody marked as handed over, and the way to another address. */
export function open() {
  shown = (waiting().find((entry) => !entry.handed) ?? waiting()[0])?.command ?? "";
  show();
  dialog.showModal();
}
