// <desk-outbox>: the line that says what of this phone's entries is where (templates/components/_outbox.html has its words).

import { newestOf } from "./queue.js";
import { counted, dayTime } from "../words.js";

const line = document.querySelector("desk-outbox");

const word = (name, n = 0) => counted(line.dataset, `word${name}`, n);

const HAND_OVER = "#hand-over";
const handOver = () => import("./hand_over.js").then(({ open }) => open());

const signInUrl = () => `${line.dataset.signIn}?next=${encodeURIComponent(location.pathname)}`;

/** The time of day in a moment's own zone, which is its event's, on the page of any event and of none. */
const clockTime = (at) => dayTime(`${at.slice(0, 19)}Z`, "UTC", true);

const isLost = ({ connected, failing, trouble }) => !connected && !trouble && (failing || !navigator.onLine);

function connection(now) {
  if (now.trouble) return ["lost", now.trouble];
  if (isLost(now)) return ["lost", word("Offline")];
  return now.connected ? ["on", word("Connected")] : ["off", word("Connecting")];
}

/** When the server had something last: of what was kept here, or by the receipt of a form that went straight to it, also
 * where that stood on a page before this one. */
function latest(last) {
  const receipts = [...document.querySelectorAll(".page-head .receipt time")].map((time) => time.dateTime);
  const key = `lastcard:receipt:${line.dataset.user}`;
  try {
    receipts.push(sessionStorage.getItem(key));
    const newest = newestOf(receipts);
    if (newest) sessionStorage.setItem(key, newest);
  } catch {
    // storage switched off: this page's own
  }
  return newestOf([last, ...receipts]);
}

/** [state, words, address] of each part; HAND_OVER is no page, since without network none opens. */
function parts({ waiting, kept, problems, connected, failing, trouble, others, names, last, keeps, sending, signIn }) {
  const said = [];
  if (!keeps) said.push(["problem", word("CannotKeep")]);
  if (signIn) said.push(["problem", waiting ? word("SignIn", waiting) : word("SignInAgain"), signInUrl()]);
  else if (waiting && sending) said.push(["waiting", word("Sending", waiting)]);
  else if (waiting) said.push(["waiting", word("Waiting", waiting), line.dataset.list]);
  if (kept && !connected && failing && !trouble && line.dataset.handOver) said.push(["waiting", word("HandOver"), HAND_OVER]);
  if (problems) said.push(["problem", word(problems === 1 ? "Problem" : "Problems", problems), line.dataset.list]);
  for (const user of new Set(others.map((entry) => entry.user))) {
    const n = others.filter((entry) => entry.user === user).length;
    const text = names[user] ? word("OthersOf", n).replace("{name}", names[user]) : word("Others", n);
    said.push(["problem", text, line.dataset.list]);
  }
  const at = latest(last);
  if (!waiting && !signIn && at && !("quiet" in line.dataset)) said.push(["saved", word("Saved").replace("{time}", clockTime(at))]);
  return said;
}

/** Say what is true `now` (counts in outbox.js); what does not change is not read out again. */
export function sayAll(now) {
  const said = parts(now);
  document.body.toggleAttribute("data-no-network", isLost(now) && now.keeps); // templates/desk/_no_network.html
  document.body.toggleAttribute("data-signed-out", now.signIn);
  if (!("quiet" in line.dataset)) said.unshift(connection(now));
  const text = JSON.stringify(said);
  if (line.dataset.said === text) return;
  line.dataset.said = text;
  const row = line.querySelector("[data-outbox-line]");
  row.hidden = !said.length;
  row.replaceChildren(
    ...said.map(([state, words, href]) => {
      const part = document.createElement(href === HAND_OVER ? "button" : href ? "a" : "span");
      if (href === HAND_OVER) Object.assign(part, { type: "button", onclick: handOver });
      else if (href) part.setAttribute("href", href);
      part.className = `outbox__part outbox__part--${state}`;
      part.textContent = words;
      return part;
    }),
  );
}
