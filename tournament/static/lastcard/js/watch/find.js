// A list that is filtered while one types.
//
//   <input type="search" data-find="players" data-find-none="none" data-find-count="count">
//   <ul id="players"><li>...</li></ul>   each word typed must begin a word in its <bdi>s, or be its .num
//   <p id="none" hidden>                 shown when nothing fits
//   <p id="count" role="status" data-word-found="Found:">
//
// On a long page the list's children are sections, and what of them is found by itself is named:
//
//   <input type="search" data-find="sections" data-find-parts="li" data-find-hides="contents">
//
// A part is found by its own words and those of its section's heading; what is hidden meanwhile is of no use then. A field
// that does nothing without this stands in [data-with-find], hidden.
//
// Without this the form around the field asks the server, which looks in the same way (pages/organiser/attendance.py).

const LETTERS = { ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ß: "ss" };

/** The words of a text in small letters without accents. */
function wordsOf(text) {
  const plain = text
    .toLowerCase()
    .replace(/[øæœłđðþıß]/g, (letter) => LETTERS[letter])
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
  return plain.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

const known = new WeakMap(); // a row's words and number, for as long as the row is the same

function wordsIn(row) {
  if (!known.has(row)) {
    const words = [...row.querySelectorAll("bdi")].flatMap((part) => wordsOf(part.textContent));
    known.set(row, { words, number: row.querySelector(".num")?.textContent.trim() });
  }
  return known.get(row);
}

/** Hide the parts of a section that do not fit; gives how many are found. */
function narrow(section, wanted, parts) {
  let found = 0;
  for (const part of section.querySelectorAll(parts)) {
    if (!known.has(part)) {
      const heading = section.querySelector("h2");
      known.set(part, [...wordsOf(heading?.textContent ?? ""), ...wordsOf(part.textContent)]);
    }
    part.hidden = !wanted.every((word) => known.get(part).some((one) => one.startsWith(word)));
    if (!part.hidden) found += 1;
  }
  return found;
}

function find(field) {
  const list = document.getElementById(field.dataset.find);
  if (!list) return;
  const wanted = wordsOf(field.value);
  let found = 0;
  for (const row of /** @type {Iterable<HTMLElement>} */ (list.children)) {
    if (field.dataset.findParts) {
      const fitting = narrow(row, wanted, field.dataset.findParts);
      row.hidden = fitting === 0;
      found += fitting;
      continue;
    }
    const { words, number } = wordsIn(row);
    const fits = wanted.every((word) => word === number || words.some((one) => one.startsWith(word)));
    row.hidden = !fits;
    if (fits) found += 1;
  }
  const none = document.getElementById(field.dataset.findNone);
  if (none) none.hidden = found > 0;
  const useless = document.getElementById(field.dataset.findHides);
  if (useless) useless.hidden = wanted.length > 0;
  const count = document.getElementById(field.dataset.findCount);
  if (count) count.textContent = wanted.length ? `${count.dataset.wordFound} ${found}` : "";
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-find]")) find(event.target);
});
// A row that was swapped is looked at anew.
document.addEventListener("htmx:load", () => {
  for (const field of document.querySelectorAll("input[data-find]")) if (field.value) find(field);
});
// Enter, or the key for it on a phone, opens the only one that is found, where no form asks the server.
document.addEventListener("keydown", ({ key, target }) => {
  if (key !== "Enter" || !target.matches("[data-find]:not([data-find-parts])") || target.form || !target.value) return;
  const found = document.querySelectorAll(`#${target.dataset.find} > :not([hidden])`);
  if (found.length === 1) found[0].querySelector("a")?.click();
});
// The list holds everybody unless the address itself asks for some: then the server must look.
document.addEventListener("search", (event) => {
  if (event.target.matches("[data-find]") && !event.target.value && new URLSearchParams(location.search).get("q")) {
    event.target.form.requestSubmit();
  }
});

function ready() {
  for (const place of document.querySelectorAll("[data-with-find]")) place.hidden = false;
  for (const field of document.querySelectorAll("input[data-find]")) if (field.value) find(field);
}

ready();
document.addEventListener("lastcard:swapped", ready);
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("input[data-find-parts]")) if (field.value) find(field);
});
// A link within the page leads to something that may be hidden: then everything is shown again.
document.addEventListener("click", (event) => {
  const field = document.querySelector("input[data-find-parts]");
  if (!field?.value || !event.target.closest('a[href^="#"]')) return;
  field.value = "";
  find(field);
});
