// Keeps a table's page current ([data-room]: templates/desk/table_base.html): when something was saved in the event, the
// part that everybody gets is fetched (templates/public/clock.html). The clock of this table is taken from it, and where
// another mark stands for this table than on this page, or none since results are frozen, another phone may have entered
// something here ("table:changed"). A page without a mark has no play. Without network the page goes on as it is.

import { whenChanged } from "../watch/event_stream.js";

const place = () => document.getElementById("room"); // another one once the stage has begun
const EVERY = 20_000; // ms between looks without a stream

async function look() {
  const { room, table, stage, mark: known } = place().dataset;
  if (document.hidden || !known) return;
  try {
    const answer = await fetch(room, { cache: "no-cache" });
    if (!answer.ok) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const ours = [...part.querySelectorAll("hall-clock")].filter((each) => [stage, undefined].includes(each.dataset.stage));
    show(ours.find((each) => each.dataset.table === table) ?? ours.find((each) => !each.dataset.table));
    const marks = part.querySelector(`data[value="${stage}"]`)?.dataset.marks.split(" ") ?? [];
    const mark = marks.find((each) => each.startsWith(`${table}:`));
    if (!mark || mark !== place().dataset.mark) document.dispatchEvent(new CustomEvent("table:changed"));
  } catch {
    // no network: the next word of the server tells
  }
}

/** What tells two clocks apart: a tick changes no more than its words. */
const facts = (clock) => clock && JSON.stringify([clock.dataset.clock, clock.dataset.ends, clock.dataset.last]);

function show(clock) {
  const now = place().querySelector("hall-clock");
  if (facts(now) === facts(clock) && (!clock || clock.dataset.ends)) return;
  place().replaceChildren(...(clock ? [document.adoptNode(clock)] : []));
  document.dispatchEvent(new CustomEvent("lastcard:swapped")); // its switch for a sound is set
}

whenChanged(place().dataset.scope, look, place().dataset.version);
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
