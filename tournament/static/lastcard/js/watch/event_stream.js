// One stream of an event's version for all that a page without js/watch/live.js wants to hear of: it is open while
// somebody looks, and opened again when it ended.

const AGAIN = 15_000; // milliseconds until a stream that ended is opened again

const streams = new Map(); // by scope

function listen(scope, one) {
  const wanted = !document.hidden;
  if (wanted && one.stream && one.stream.readyState !== EventSource.CLOSED) return;
  one.stream?.close();
  one.stream = wanted ? new EventSource(`/live/${scope}`) : null;
  const hear = ({ data }) => {
    if (data !== one.known) one.looks.forEach((look) => look());
    one.known = data;
  };
  for (const told of ["version", "ping"]) one.stream?.addEventListener(told, hear);
}

function opened(scope, known) {
  const one = { stream: null, known, looks: [] };
  const again = () => listen(scope, one);
  for (const when of ["online", "pageshow"]) window.addEventListener(when, again);
  document.addEventListener("visibilitychange", again);
  window.addEventListener("pagehide", () => one.stream?.close());
  setInterval(again, AGAIN);
  again();
  return one;
}

/** Call `look` whenever the scope has another version than this page; `known` is the page's own.
 * @param {string} scope @param {() => void} look @param {string} [known] */
export function whenChanged(scope, look, known = "") {
  if (!streams.has(scope)) streams.set(scope, opened(scope, known));
  streams.get(scope).looks.push(look);
}
