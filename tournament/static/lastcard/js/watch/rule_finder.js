// The rules of a page, or of the sheet over a table's pad (entry/rules_sheet.js), found by a question or a ready one.
//
//   <div class="rules">
//     <input type="search" data-asked="asked/en.js">     the words of the page's language
//     <a href="#draw2" data-answers="draw2 wild4">       a ready question, and the rules that answer it
//     <p role="status" data-rules-said data-word-found="...">
//     <ol data-rules-found hidden>                             what is found stands here
//     <nav data-unless-found> <div data-unless-found>   all of it, unless something is found
//
// A rule is what has an id in a section: a list's item, a row of a table, a term with what is said of it. Without this a
// ready question is a link to its first rule, and the field is hidden.

import { searchIn } from "./rule_search.js";

const RULES = "section :is(li, tr, div)[id]";

/** @param {string} text */
const flat = (text) => text.replace(/\s+/g, " ").trim();

/** The heading of the section or part that a rule stands in. @param {HTMLElement} rule */
const heading = (rule) => flat(rule.closest("section").querySelector("h2, h3").textContent);

/** The number of a rule in a numbered list, from 1; 0 in any other. @param {HTMLElement} rule */
const numbered = (rule) => (rule.parentElement.matches("ol") ? [...rule.parentElement.children].indexOf(rule) + 1 : 0);

/** A rule as it stands among those found: under the heading that leads to its place. @param {HTMLElement} rule */
function shown(rule) {
  const item = document.createElement("li");
  item.dataset.rule = rule.id;
  item.classList.toggle("ruling", rule.classList.contains("ruling"));
  const place = document.createElement("a");
  place.href = `#${rule.id}`;
  place.textContent = heading(rule);
  const words = document.createElement("div");
  const heads = [...(rule.closest("table")?.querySelectorAll("thead th") ?? [])].map((cell) => cell.textContent);
  if (rule.matches("tr")) words.textContent = [...rule.children].map((cell, index) => `${index ? `${heads[index]}: ` : ""}${flat(cell.textContent)}`).join(" · ");
  else words.append(...[...rule.children].length ? rule.cloneNode(true).childNodes : [flat(rule.textContent)]);
  item.append(place, words);
  return item;
}

/** Let the rules in here be asked; `learned`: once the words of the search came, or did not. @param {HTMLElement} root */
export function findRules(root) {
  const field = /** @type {HTMLInputElement} */ (root.querySelector("[data-asked]"));
  const said = /** @type {HTMLElement} */ (root.querySelector("[data-rules-said]"));
  const found = /** @type {HTMLElement} */ (root.querySelector("[data-rules-found]"));
  const rules = new Map([.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(RULES))].map((rule) => [rule.id, rule]));
  /** @type {ReturnType<typeof searchIn> | undefined} */
  let search;
  /** @type {Promise<any> | undefined} */
  let language;
  const learn = () => (language ??= import(field.dataset.asked).catch(() => (language = undefined)));
  const learned = learn();
  field.closest("[hidden]")?.removeAttribute("hidden");

  /** @param {string[]} ids @param {string} words */
  function show(ids, words) {
    const items = ids.filter((id) => rules.has(id)).map((id) => shown(rules.get(id)));
    found.replaceChildren(...items);
    found.hidden = !items.length;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-unless-found]"))) part.hidden = items.length > 0;
    said.textContent = words.replace("{n}", String(items.length));
  }

  async function ask() {
    const asked = await learn();
    if (!asked) return; // no network: all of it stands there, and the next letter asks for the words again
    search ??= searchIn(
      [...rules.values()].map((rule) => ({ id: rule.id, words: rule.textContent, heading: heading(rule), number: numbered(rule) })),
      asked,
    );
    const { sure, ids } = search(field.value);
    const { wordFound, wordNearest, wordNothing } = said.dataset;
    if (!field.value.trim()) show([], "");
    else show(ids, !ids.length ? wordNothing : sure ? wordFound : wordNearest);
    said.dataset.answered = field.value;
  }

  field.addEventListener("input", ask);
  root.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    if (!link) return;
    const ids = link.getAttribute("data-answers")?.split(" ");
    event.preventDefault();
    field.value = "";
    if (ids) return show(ids, said.dataset.wordFound);
    show([], "");
    root.querySelector(`[id="${CSS.escape(link.getAttribute("href").slice(1))}"]`)?.scrollIntoView();
  });
  if (field.value) ask(); // what a browser kept of a page that one comes back to
  return { field, ask, learned };
}
