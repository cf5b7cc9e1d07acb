// The title of an entry of the outbox (words: templates/components/_hand_over.html) and its content, in lines to read: who
// went out, whose hand, in which order, at what time. It keeps ids and numbers; the page knows what they are called
// ([data-names]: templates/desk/outbox.html; a table's own rows), or it is "Player 2".

import { timeText } from "../times.js";

const UID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const HAND = new RegExp(`^hand-(${UID})-(\\w+)$`);
const ABOUT = new RegExp(`^(out|order|time)-(${UID})$`);

const word = (name) => document.getElementById("entry-kinds")?.dataset[`word${name}`] ?? "";

function nameOf(key) {
  const uid = CSS.escape(key);
  /** @type {HTMLTemplateElement | null} */
  const listed = document.querySelector(`template[data-names="${uid}"]`);
  const row = document.querySelector(`[data-player="${uid}"] > legend, [data-who="${uid}"] [data-name], label[for="out-${uid}"]`);
  const facts = JSON.parse(document.getElementById("game-facts")?.textContent ?? "{}");
  return listed?.content.textContent ?? row?.textContent.trim() ?? facts.names?.[key];
}

/** Give what calls people by their names, and in their order those whom the page does not know. */
function naming() {
  const unknown = [];
  return (uid) => {
    const name = nameOf(uid);
    if (!name && !unknown.includes(uid)) unknown.push(uid);
    return name || word("Player").replace("{n}", unknown.indexOf(uid) + 1);
  };
}

/** Words of the server, which says ids, with names in their places. */
export const withNames = (text) => text.replace(new RegExp(UID, "g"), naming());

/** Give its title: "Round 3". */
export function whatOf(entry) {
  return word(entry.kind.replace(/(^|_)([a-z])/g, (_all, _line, letter) => letter.toUpperCase())).replace("{n}", entry.number);
}

/** The lines; `out` is the word for who went out, `ruleset` the one of its table, if the page knows it: cards are called by it. */
export function contentOf(entry, out, ruleset) {
  const who = naming();
  const nameOfCard = (card) => nameOf(`${ruleset} ${card}`) ?? nameOf(card) ?? card;
  const field = Object.fromEntries(entry.fields);
  const lines = [];
  if (field.winner === "time") lines.push(nameOf("time") ?? field.winner);
  else if (field.winner) lines.push(`${who(field.winner)}: ${out}`);
  if (field.entry) lines.push([field.name || who(field.entry), field.elapsed_s && timeText(Number(field.elapsed_s))].filter(Boolean).join(": "));
  const order = [];
  const hands = new Map();
  for (const [name, value] of entry.fields) {
    const [, about, player] = ABOUT.exec(name) ?? [];
    const [, holder, card] = HAND.exec(name) ?? [];
    if (holder) hands.set(holder, [...(hands.get(holder) ?? []), `${value} × ${nameOfCard(card)}`]);
    else if (about === "order") order[Number(value)] = `${value}. ${who(player)}`;
    else if (about) lines.push(`${who(player)}: ${about === "out" ? (nameOf(value) ?? value) : value}`);
  }
  for (const [holder, cards] of hands) lines.push(`${who(holder)}: ${cards.join(", ")}`);
  return [...lines, ...order.filter(Boolean)];
}
