// A list that is filtered while one types.
//
//   <input type="search" data-find="players" data-find-none="none" data-find-count="count">
//   <ul id="players"><li>...</li></ul>   each word typed must begin a word in its <bdi>s, or be its .num
//   <p id="none" hidden>                 shown when nothing fits
//   <p id="count" role="status" data-word-found="Found:">
//
// Without this the form around the field asks the server, which looks in the same way (views/organiser/_arrival.py).

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

function find(field) {
  const list = document.getElementById(field.dataset.find);
  if (!list) return;
  const wanted = wordsOf(field.value);
  let found = 0;
  for (const row of list.children) {
    const { words, number } = wordsIn(row);
    const fits = wanted.every((word) => word === number || words.some((one) => one.startsWith(word)));
    row.hidden = !fits;
    if (fits) found += 1;
  }
  const none = document.getElementById(field.dataset.findNone);
  if (none) none.hidden = found > 0;
  const count = document.getElementById(field.dataset.findCount);
  if (count) count.textContent = wanted.length ? `${count.dataset.wordFound} ${found}` : "";
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-find]")) find(event.target);
});
// A row that was swapped is looked at anew.
document.addEventListener("htmx:load", () => {
  for (const field of document.querySelectorAll("[data-find]")) if (field.value) find(field);
});
// The list holds everybody unless the address itself asks for some: then the server must look.
document.addEventListener("search", (event) => {
  if (event.target.matches("[data-find]") && !event.target.value && new URLSearchParams(location.search).get("q")) {
    event.target.form.requestSubmit();
  }
});
