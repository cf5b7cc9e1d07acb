// Finds the rules that answer a question as people put it, without a page: the words of a question lead to concepts
// (asked/en.js and its neighbours), each rule is about some (asked/about.js), and it has words of its own.
//
//   const search = searchIn([{ id: "draw2", words: "Draw 2: the next player ...", heading: "What the cards do" }], language);
//   search("can you stack a draw 2") -> { sure: true, ids: ["draw2", ...] }
//
// Rules are ranked by how much of the question they answer, and a rare word counts more than a common one; those under a
// heading that is asked for come before all others, with or without the number that it begins with, and so does one by its
// number in a list. Where nothing of the question is known, what is spelled nearest is offered: `sure` is false then.

import { ABOUT } from "./asked/about.js";

/**
 * What asked/en.js and the others hold.
 * @typedef {{ stemmer: (word: string) => string, NUMBERS: Record<string, string>, FILLER: string, FAINT: string,
 *   PARAGRAPH: string, MEANS: Record<string, string> }} Language
 * @typedef {{ id: string, words: string, heading: string, number?: number }} Rule `number`: in a numbered list, from 1
 * @typedef {{ plain: string, stem: string }} Word
 * @typedef {{ concepts: string[], apart: string[], words: Word[] }} Term a phrase or word of a question; `apart`: its words' own concepts
 */

const LETTERS = /** @type {Record<string, string>} */ ({ ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ß: "ss" });
const BEGINS = 4; // letters of an entry that also stands for the words that begin with it
const SHOWN = 8;
const NEAREST = 3;
const FAR = 0.3; // of the best rule's weight: less is not shown
// How much the concepts of a rule count, the chief one first; then those that its own words and its heading lead to; its very words.
const ABOUT_IT = [1.4, 1, 1, 0.75];
const [SAID, HEADED, WORD] = [0.35, 0.2, 0.45];
const APART = 0.3; // what a phrase's words mean each by itself

/** A text in small letters without accents. @param {string} text */
const plainly = (text) =>
  text
    .replace(/[øæœłđðþıß]/g, (letter) => LETTERS[letter])
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");

/** @param {Language} language @returns {(text: string) => Word[]} */
function reader({ stemmer, NUMBERS }) {
  const numbers = Object.entries(NUMBERS).map(([word, digit]) => /** @type {const} */ ([plainly(word), digit]));
  /** @param {string} plain */
  const numberOf = (plain) =>
    numbers.find(([word]) => word === plain || (word.endsWith("*") && plain.startsWith(word.slice(0, -1))))?.[1];
  return (text) =>
    (
      text
        .toLowerCase()
        .replace(/['’´`]/g, "")
        .replace(/\+\s*(?=\p{N})/gu, " plus ")
        .replace(/§\s*/g, " § ")
        .replace(/(\p{N})\.\p{N}/gu, "$1") // §3.1 is of §3
        .match(/§|\p{N}+|[\p{L}\p{M}]+/gu) ?? []
    ).map((word) => {
      const plain = plainly(word);
      const number = numberOf(plain);
      return number ? { plain: number, stem: number } : { plain, stem: plainly(stemmer(word)) };
    });
}

/** Whether a word of the question is the one of an entry. @param {Word} word @param {Word} entry */
function fits(word, entry) {
  if (word.plain === entry.plain) return true;
  return (entry.plain.length >= BEGINS && word.plain.startsWith(entry.plain)) || (entry.stem.length > 2 && word.stem === entry.stem);
}

/** How many letters must change to make one word of the other, from 0; more than `most` is `most` + 1.
 * @param {string} one @param {string} other @param {number} most */
function changes(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = [...other, ""].map((_, index) => index);
  let before = row;
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1), swapped ? before[j - 2] + 1 : Infinity));
    }
    before = row;
    row = next;
  }
  return row[other.length];
}

/** The concepts that words lead to. @param {Language} language */
function meanings(language) {
  const read = reader(language);
  const faint = new Set(language.FAINT.split(/\s+/).map(plainly));
  const filler = new Set(language.FILLER.split(/\s+/).map(plainly));
  /** @param {string} text */
  const wordsOf = (text) => read(text).filter((word) => !filler.has(word.plain));
  /** @type {Map<string, { words: Word[], concepts: string[] }>} */
  const phrases = new Map();
  /** @param {string} concept @param {string} entries */
  const add = (concept, entries) => {
    for (const entry of entries.split(",")) {
      const words = wordsOf(entry);
      if (!words.length) continue;
      const key = words.map((word) => word.plain).join(" ");
      const phrase = phrases.get(key) ?? { words, concepts: [] };
      if (!phrase.concepts.includes(concept)) phrase.concepts.push(concept);
      phrases.set(key, phrase);
    }
  };
  for (const [concept, entries] of Object.entries(language.MEANS)) add(concept, entries);
  for (let number = 1; number <= 15; number += 1) {
    for (const word of ["§", ...language.PARAGRAPH.split(", ")]) add(`s${number}`, `${word} ${number}`);
    add(`s${number}`, `${number} §`);
  }
  const entries = [...phrases.values()];
  /** @type {Map<string, typeof entries>} what begins with a letter, then what begins with a word, the longest first */
  const begun = new Map();
  for (const entry of entries.sort((one, other) => other.words.length - one.words.length)) {
    const letter = entry.words[0].plain[0];
    begun.set(letter, [...(begun.get(letter) ?? []), entry]);
  }
  /** @param {Word} word */
  function beginWith(word) {
    const key = `${word.plain} `;
    if (!begun.has(key)) begun.set(key, (begun.get(word.plain[0]) ?? []).filter(({ words }) => fits(word, words[0])));
    return begun.get(key) ?? [];
  }

  /** The terms of a text, phrases before words. @param {Word[]} words @returns {Term[]} */
  function termsOf(words) {
    const terms = [];
    for (let at = 0; at < words.length; ) {
      const here = beginWith(words[at]).filter((entry) => entry.words.every((word, index) => words[at + index] && fits(words[at + index], word)));
      const length = here[0]?.words.length ?? 1;
      const concepts = [...new Set(here.filter((entry) => entry.words.length === length).flatMap((entry) => entry.concepts))];
      const these = words.slice(at, at + length);
      const apart = length > 1 ? these.flatMap((word) => termsOf([word]).flatMap((term) => term.concepts)) : [];
      if (concepts.length || !faint.has(these[0].plain)) terms.push({ concepts, apart, words: these });
      at += length;
    }
    return terms;
  }

  /** Concepts of the words that begin with this one, or are spelled nearly like it. @param {string} word @returns {[string[], number]} */
  function near(word) {
    const most = word.length > 7 ? 2 : 1;
    const longer = entries.filter((entry) => entry.words[0].plain.startsWith(word) && word.length > 2);
    if (longer.length) return [longer.flatMap((entry) => entry.concepts), 0.7];
    const alike = entries.filter(({ words }) => words.length === 1 && word.length > 3 && changes(word, words[0].plain.slice(0, word.length + 1), most) <= most);
    return [alike.flatMap((entry) => entry.concepts), 0.5];
  }

  return { wordsOf, termsOf, near };
}

/** @param {Rule[]} rules @param {Language} language @returns {(question: string) => { sure: boolean, ids: string[] }} */
export function searchIn(rules, language) {
  const { wordsOf, termsOf, near } = meanings(language);
  const read = reader(language);
  /** A heading or a question in its very words, without the number of a paragraph. @param {string} text */
  const veryWords = (text) => read(text).map(({ plain }) => plain).join(" ").replace(/^§ \d+ (?=.)/, "");
  const known = rules.map(({ id, words, heading, number }) => {
    /** @type {Map<string, number>} */
    const weights = new Map();
    /** @param {string} name @param {number} weight */
    const weigh = (name, weight) => weights.set(name, Math.max(weight, weights.get(name) ?? 0));
    for (const [text, weight] of /** @type {[string, number][]} */ ([[words, SAID], [heading, HEADED]])) {
      const said = wordsOf(text);
      for (const term of termsOf(said)) for (const concept of term.concepts) weigh(concept, weight);
      for (const word of said) weigh(`=${word.stem}`, weight === SAID ? WORD : HEADED);
    }
    for (const [index, concept] of (ABOUT[id] ?? "").split(" ").entries()) weigh(concept, ABOUT_IT[Math.min(index, ABOUT_IT.length - 1)]);
    return { id, weights, headings: [veryWords(heading), ...(number ? [veryWords(`${heading} ${number}`)] : [])] };
  });
  /** @type {Map<string, number>} how much the rules have of each concept and word */
  const had = new Map();
  for (const { weights } of known) for (const [name, weight] of weights) had.set(name, (had.get(name) ?? 0) + Math.min(1, weight));
  /** A concept or a word that few rules have says more. @param {string} name */
  const rare = (name) => Math.log(1 + known.length / (0.5 + (had.get(name) ?? 0)));
  const stems = [...had.keys()].filter((name) => name.startsWith("="));

  /** What a term may be in the rules, each with how much it counts. @param {Term} term @returns {[string, number][]} */
  function namesOf({ concepts, apart, words }) {
    if (concepts.length) {
      return [...concepts.map((name) => /** @type {[string, number]} */ ([name, rare(name)])), ...apart.map((name) => /** @type {[string, number]} */ ([name, APART * rare(name)]))];
    }
    const [{ plain, stem }] = words;
    if (stems.includes(`=${stem}`)) return [[`=${stem}`, rare(`=${stem}`)]];
    const [guessed, sure] = near(plain);
    const begun = stems.filter((name) => plain.length > 2 && name.startsWith(`=${plain}`));
    return [
      ...guessed.map((name) => /** @type {[string, number]} */ ([name, sure * rare(name)])),
      ...begun.map((name) => /** @type {[string, number]} */ ([name, 0.7 * rare(name)])),
    ];
  }

  return (question) => {
    const asked = termsOf(wordsOf(question)).map((term) => ({ term, names: namesOf(term) }));
    const words = veryWords(question);
    const sure = known.some(({ headings }) => words && headings.includes(words)) || asked.some(({ term, names }) => term.concepts.length || names.some(([name]) => name.startsWith("=")));
    const ranked = known
      .map(({ id, weights, headings }, index) => {
        let [weight, answered] = [0, 0];
        for (const { term, names } of asked) {
          const best = Math.max(0, ...names.map(([name, rarity]) => rarity * (weights.get(name) ?? 0)));
          const said = term.concepts.length ? term.words.reduce((sum, { stem }) => sum + (weights.has(`=${stem}`) ? 0.1 : 0), 0) : 0;
          weight += best + said;
          if (best) answered += 1;
        }
        return { id, index, weight: weight * (0.5 + answered / (2 * Math.max(1, asked.length))), named: words !== "" && headings.includes(words) };
      })
      .filter(({ weight, named }) => weight || named)
      .sort((one, other) => Number(other.named) - Number(one.named) || other.weight - one.weight || one.index - other.index);
    const least = FAR * Math.max(...ranked.map(({ weight }) => weight));
    const found = ranked.filter(({ weight, named }) => named || weight >= least).slice(0, sure ? SHOWN : NEAREST);
    return { sure, ids: found.map(({ id }) => id) };
  };
}
