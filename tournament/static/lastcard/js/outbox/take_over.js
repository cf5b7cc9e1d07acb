// The page that a code of another phone opens (hand_over.js, templates/desk/hand_over.html): it shows what the code holds,
// and with one tap that goes into this phone's outbox, under the same command, so that it is stored once.
//
// The entry comes after the # of the address, which is never sent; it stays in this tab while somebody signs in. A phone
// that comes from another address, where Lastcard was before, brings all that it kept there, with dots in between.

import { whatOf } from "./entry_content.js";
import { TooOld, unpacked } from "./payload.js";
import { counted } from "../words.js";

const HANDED = "lastcard:handed-over";
const PATIENCE = 12_000; // ms for an answer

const line = document.querySelector("desk-outbox");
const place = document.querySelector("[data-take-over]");
const part = (name) => place.querySelector(`[data-${name}]`);
const word = (name) => place.dataset[`word${name}`];

let entry = null; // that is shown
let entries = []; // that one tap takes over
let several = false; // whether they were more than one

function say(text, state = "") {
  part("said").textContent = text;
  part("said").className = state ? `notice notice--${state}` : "notice";
  part("said").hidden = !text;
}

/** Read what the address holds, also after a sign-in in between. */
function handed() {
  const text = location.hash.slice(1);
  try {
    if (text) sessionStorage.setItem(HANDED, text);
    return text || sessionStorage.getItem(HANDED) || "";
  } catch {
    return text; // storage switched off
  }
}

async function begin() {
  entry = null;
  entries = [];
  part("take").hidden = true;
  part("what").hidden = true;
  part("shown").replaceChildren();
  const text = handed();
  part("without").hidden = Boolean(text);
  if (!line || !text) return say("");
  try {
    entries = await Promise.all(text.split(".").map((each) => unpacked(each, document.documentElement.lang)));
  } catch (error) {
    return say(word(error instanceof TooOld ? "TooOld" : "Malformed"), "warn");
  }
  say("");
  part("what").hidden = false;
  several = entries.length > 1;
  if (several) {
    part("what").textContent = counted(place.dataset, "wordSeveral", entries.length);
    part("heading").textContent = word("Moved");
    part("take").hidden = false;
    return say(word("FromBefore"));
  }
  [entry] = entries;
  part("what").textContent = whatOf(entry);
  await describe(entry);
}

/** The server says what it would be, for whom, and whether this referee may enter it. */
async function describe({ command, kind, url, fields, queued, table }) {
  const asked = { user: line.dataset.user, now: Date.now(), entries: [{ command, kind, url, fields, queued }] };
  let answer;
  try {
    const response = await fetch(`${location.pathname}?table=${table}`, {
      method: "POST",
      body: JSON.stringify(asked),
      headers: { "Content-Type": "application/json", "X-CSRFToken": document.querySelector("input[name='csrfmiddlewaretoken']").value },
      redirect: "error",
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    answer = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-handed]");
  } catch {
    answer = null; // no network here either
  }
  if (entry?.command !== command) return;
  if (answer) part("shown").replaceChildren(document.adoptNode(answer));
  else say(word("Unknown"), "warn");
  part("take").hidden = answer ? !("may" in answer.dataset) : false;
}

function take() {
  for (const each of entries) {
    const taking = new CustomEvent("outbox:take-over", { cancelable: true, detail: each });
    if (!document.dispatchEvent(taking)) return say(word("NotKept"), "warn");
  }
  part("take").hidden = true;
  part("shown").replaceChildren(); // the standings have it now, or soon
  try {
    sessionStorage.removeItem(HANDED);
  } catch {
    // storage switched off
  }
  say(word("Taken"));
}

part("take").addEventListener("click", take);
document.addEventListener("outbox:confirmed", ({ detail }) => {
  const left = entries.filter((each) => each.command !== detail.command);
  if (entries.length && !left.length) say(word(several ? "SavedAll" : "Saved"));
  entries = left;
});
window.addEventListener("hashchange", begin);
begin();
