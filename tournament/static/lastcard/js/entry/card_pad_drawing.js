// The card pad's display (card_pad.js): the chips with everybody's sum, the tray with one hand, the keys.

import { turned } from "./hands.js";
import { counted } from "../words.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties and children; properties with a dash or "role" become attributes. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Draw the players at the table, each with the sum of their hand. */
export function drawChips(pad) {
  const had = pad.chips.contains(document.activeElement) ? document.activeElement.getAttribute("data-chip") : null;
  pad.chips.replaceChildren(
    ...pad.players.filter((player) => !player.absent || player.key === pad.winner).map((player) => {
      const out = player.key === pad.winner;
      const chip = make(
        "button",
        { type: "button", className: "pad__chip", title: player.name, "data-chip": player.key },
        make("bdi", { className: "pad__chip-name" }, player.short),
        make("span", { className: "pad__chip-sum" }, out ? pad.word("out") : pad.cards(player) ? `${pad.sum(player)}` : "–"),
      );
      if (out) {
        chip.dataset.out = "";
        chip.title = `${player.name}. ${pad.word("change")}`;
      } else chip.setAttribute("aria-pressed", String(player === pad.current && !pad.last?.shown));
      if (player.error) chip.dataset.wrong = "";
      chip.addEventListener("click", () => {
        if (out) {
          pad.ask();
          pad.choice.querySelector("input:checked")?.focus();
        } else pad.show(player);
      });
      return chip;
    }),
  );
  if (pad.byTime) {
    const name = make("span", { className: "pad__chip-name" }, pad.word("bell"));
    const chip = make("button", { type: "button", className: "pad__chip", title: pad.word("change") }, name);
    chip.dataset.out = "";
    chip.addEventListener("click", () => pad.ask());
    pad.chips.prepend(chip);
  }
  const shown = [...pad.chips.children].find((chip) => chip.dataset.chip === pad.current.key);
  if (!shown) return;
  const middle = shown.offsetLeft - pad.chips.offsetLeft - (pad.chips.clientWidth - shown.offsetWidth) / 2;
  pad.chips.scrollLeft = middle;
  if (had) [...pad.chips.children].find((chip) => chip.dataset.chip === had)?.focus();
}

/** The hand that is counted; `fresh` is the card that has just come. */
export function drawTray(pad, fresh) {
  const player = pad.current;
  const had = pad.tray.contains(document.activeElement);
  const sum = make("p", { className: "pad__sum" }, `${pad.sum(player)} `, make("small", {}, pad.unit(pad.sum(player))));
  const cards = pad.cards(player);
  const came = pad.kinds.find((kind) => kind.id === fresh)?.label ?? "";
  const named = /\D/.test(came) ? `${came} · ` : ""; // its key has a sign only
  const said = cards ? `${named}${counted(pad.dataset, "wordSome", cards)}` : pad.word("hint");
  const note = (!pad.noted && player.error) || make("p", {}, pad.noted || said);
  note.classList.add("pad__note");
  const held = pad.kinds
    .filter((kind) => pad.count(player, kind.id))
    .map((kind) => {
      const count = pad.count(player, kind.id);
      const button = make(
        "button",
        { type: "button", className: "pad__held", "aria-label": `${count} × ${kind.label}. ${pad.word("take")}` },
        kind.drawing.cloneNode(true),
      );
      if (count > 1) button.append(make("span", { className: "hand__count" }, String(count)));
      if (kind.id === fresh) button.dataset.new = "";
      button.addEventListener("click", () => pad.swiped || pad.takeOff(kind));
      return button;
    });
  pad.tray.replaceChildren(
    make("bdi", { className: "pad__who" }, turned(player.name)), sum, note, make("div", { className: "pad__hand" }, ...held),
  );
  if (had) pad.table.focus({ preventScroll: true });
}

/** Label each key: how many of its card the hand holds, and why there can be no more. */
export function drawKeys(pad) {
  for (const kind of pad.kinds) {
    const key = pad.keyOf.get(kind.id);
    const count = pad.count(pad.current, kind.id);
    const reason = pad.fullBecause(kind);
    key.setAttribute("aria-disabled", String(Boolean(reason)));
    key.setAttribute("aria-label", [kind.label, count && `× ${count}`, reason].filter(Boolean).join(". "));
    key.title = reason;
    key.querySelector(".hand__count")?.remove();
    if (count) key.append(make("span", { className: "hand__count", "aria-hidden": "true" }, String(count)));
  }
  const last = pad.lastTapped;
  pad.minus.setAttribute("aria-disabled", String(!last));
  pad.minus.setAttribute("aria-label", last ? `${pad.word("take")}: ${last.label}` : pad.word("nothing"));
  const following = pad.following;
  const words = following ? `${pad.word("next")}: ${following.short}` : pad.word(pad.asksLast ? "last" : "done");
  pad.next.replaceChildren(make("span", {}, words));
  if (following || pad.asksLast) pad.next.append(icon("M9 5l7 7-7 7"));
}

/** A hand as a line to read back: the name, its cards, their sum. */
export function handLine(pad, player) {
  const cards = pad.kinds.filter((kind) => pad.count(player, kind.id)).map((kind) => {
    const count = pad.count(player, kind.id);
    const card = make("li", { className: "hand__card" }, kind.drawing.cloneNode(true));
    card.append(make("span", { className: "visually-hidden" }, `${count} × ${kind.label}`));
    if (count > 1) card.append(make("span", { className: "hand__count", "aria-hidden": "true" }, String(count)));
    return card;
  });
  const sum = make("span", { className: "num play-line__points" }, cards.length ? String(pad.sum(player)) : "–");
  const name = make("strong", {}, make("bdi", {}, player.name));
  return make("li", { className: "play-line" }, name, sum, make("ul", { className: "hand" }, ...cards));
}
