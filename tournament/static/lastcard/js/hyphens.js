// A long word of a name or club (<bdi>) breaks with a hyphen: before a consonant that a vowel follows. The text itself stays as
// it is, for search, copies and other scripts; the hyphen is generated (css/base.css).

const LONG = /[\p{L}\p{M}]{6,}/gu;
const VOWELS = "aeiouyœæøıαεηιουωаеёиоуыэюяіїє";
const SYLLABLE = new RegExp(`[^${VOWELS}\\p{M}](?=[${VOWELS}])`, "gu");
const EDGE = 2; // letters that stay together at either end
const UNBROKEN = /[^\s\-–]{9}/; // longer than a narrow column is wide

/** Where a word may break, as indexes. @param {string} word */
function within(word) {
  const bare = Array.from({ length: word.length }, (_, at) => word[at].normalize("NFD")[0]).join("").toLowerCase();
  return [...bare.matchAll(SYLLABLE)].map(({ index }) => index).filter((at) => at >= EDGE && at <= word.length - EDGE);
}

/** Where a text may break, as indexes, the last first. @param {string} text */
const breaksOf = (text) =>
  [...text.matchAll(LONG)].flatMap(({ 0: word, index }) => within(word).map((at) => index + at)).reverse();

/** @param {HTMLElement} name */
function hyphenateName(name) {
  const texts = () => [...name.childNodes].filter((node) => node instanceof Text);
  for (const text of texts()) {
    for (const at of breaksOf(text.data)) {
      text.splitText(at).before(Object.assign(document.createElement("i"), { className: "hyphen" }));
    }
  }
  name.classList.toggle("hyphenated", !texts().some(({ data }) => UNBROKEN.test(data)));
}

/** @param {Element} part */
function hyphenate(part) {
  for (const name of part.matches("bdi") ? [part] : part.querySelectorAll("bdi")) {
    hyphenateName(/** @type {HTMLElement} */ (name));
  }
}

/** Hyphenate the names of the page, and those that come later. */
export function hyphenateNames() {
  hyphenate(document.body);
  new MutationObserver((changes) => {
    for (const part of new Set(changes.map(({ target }) => target))) hyphenate(/** @type {Element} */ (part));
  }).observe(document.body, { childList: true, subtree: true });
}
