// The end of a contest: who won it, over the whole page, once on each device. Only where the contest was seen before its
// end; who opens an old event finds its winner on the page. A correction that makes somebody else the winner is shown too.
//
//   [data-awaits="key ..."]                       contests on this page that have no winner yet
//   <template data-finale="key" data-winners="uid ...">   the words of one that has; what is to be photographed
//   [data-screen]                                 a wall, which nobody touches: it goes on by itself
//   a[data-share]                                 a picture, for the phone's own way to share, or to save

import { keep, kept } from "./kept.js";

const PHOTOGRAPHED = 45_000; // milliseconds that a wall shows it
const KEY = "lastcard.finale.";

const known = new Map(); // by contest: the winners that were shown, "" while there was none; also where nothing is kept
/** @type {HTMLDialogElement | null} */
let open = null;

const recall = (key) => known.get(key) ?? kept(KEY + key);

function note(key, winners) {
  known.set(key, winners);
  keep(KEY + key, winners);
}

function look() {
  const awaited = document.querySelector("[data-awaits]")?.dataset.awaits.split(/\s+/).filter(Boolean) ?? [];
  for (const key of awaited) if (recall(key) === null) note(key, "");
  /** @type {HTMLTemplateElement | null} */
  const words = document.querySelector("template[data-finale]");
  const { finale, winners } = words?.dataset ?? {};
  if (open && (open.dataset.finale !== finale || open.dataset.winners !== winners)) open.close();
  if (!words) return;
  const before = recall(finale);
  if (before === winners) return;
  note(finale, winners);
  if (before !== null) show(words);
}

function show(words) {
  const dialog = (open = document.createElement("dialog"));
  Object.assign(dialog.dataset, words.dataset);
  dialog.className = "finale felt";
  dialog.setAttribute("aria-labelledby", "finale-label");
  dialog.append(words.content.cloneNode(true));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (open === dialog) open = null;
  });
  document.body.append(dialog);
  dialog.showModal();
  if (document.querySelector("[data-screen]")) setTimeout(() => dialog.close(), PHOTOGRAPHED);
}

/** The drawing as the picture that every phone and message can show. */
async function picture(address) {
  const drawing = new Image();
  drawing.src = address;
  await drawing.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [drawing.naturalWidth, drawing.naturalHeight];
  canvas.getContext("2d").drawImage(drawing, 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return new File([blob], "podium.png", { type: "image/png" });
}

async function share(link) {
  try {
    const file = await picture(link.href);
    if (navigator.canShare?.({ files: [file] })) return await navigator.share({ files: [file], title: document.title });
    const address = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href: address, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  } catch (error) {
    // The drawing itself; who changed their mind stays here.
    if (!(error instanceof DOMException && error.name === "AbortError")) location.assign(link.href);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-share]");
  if (!link) return open?.contains(event.target) && open.close();
  event.preventDefault();
  share(link);
});
document.addEventListener("lastcard:swapped", look);
look();
