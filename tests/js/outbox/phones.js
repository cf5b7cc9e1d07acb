// Phones for tests/views/entry/outbox/test_clocks.py: the outbox's own scripts, and a game's clock, with a time of day and
// a steady clock that the test sets. One line of JSON comes in for each thing that happens to a phone, and one goes out when
// it is done; in between a request goes out ({ send }) and its answer comes in. Pages are stubs: nothing is shown.

import { register } from "node:module";
import { env, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";

const HERE = new URL("../../../tournament/static/lastcard/js/", import.meta.url);

// Each page of each phone has scripts of its own: what a script with ?page=... imports has that too.
const hooks = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const [page] = /[?]page=.*/.exec(context.parentURL ?? "") ?? [];
  return page ? { ...found, url: found.url + page } : found;
}
export const load = (url, context, next) => next(url, url.includes("?page=") ? { ...context, format: "module" } : context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const lines = createInterface({ input: stdin })[Symbol.asyncIterator]();
const hear = async () => JSON.parse((await lines.next()).value ?? "null");
const say = (what) => stdout.write(`${JSON.stringify(what)}\n`);

// ---- what a browser gives to scripts, of the phone that something happens to

const phones = new Map();
let phone = null;
let page = null;
let time = { day: 0, steady: 0 };
let asking = 0; // requests under way

const nothing = new Proxy(function element() {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing),
  set: () => true,
  apply: () => nothing,
});

class Storage {
  values = new Map();
  get length() {
    return this.values.size;
  }
  key = (index) => [...this.values.keys()][index] ?? null;
  getItem = (key) => this.values.get(key) ?? null;
  setItem = (key, value) => void this.values.set(key, String(value));
  removeItem = (key) => void this.values.delete(key);
}

class Listening {
  listeners = [];
  addEventListener = (type, listener) => void this.listeners.push([type, listener]);
  removeEventListener = () => {};
  dispatchEvent = (event) => {
    for (const [type, listener] of this.listeners) if (type === event.type) listener(event);
    return true;
  };
}

class Page {
  window = new Listening();
  document = new Listening();
  ticking = [];
  clock = null;

  constructor({ user, tournament }) {
    const line = { dataset: { user, tournament, send: "/send" }, querySelector: () => nothing };
    Object.assign(this.document, {
      hidden: false,
      visibilityState: "visible",
      readyState: "complete",
      cookie: "",
      body: nothing,
      documentElement: { lang: "en" },
      querySelector: (selector) => (selector === "desk-outbox" ? line : null),
      querySelectorAll: () => [],
      getElementById: () => null,
      createElement: () => nothing,
    });
  }
}

class FormStub {
  constructor({ fields }) {
    this.fields = fields.map((field) => [...field]);
  }
  get = (name) => this.fields.find(([each]) => each === name)?.[1] ?? null;
  delete = () => {};
  set = (name, value) => void this.fields.push([name, value]);
  [Symbol.iterator] = () => this.fields[Symbol.iterator]();
}

class ElementStub {
  dataset = {};
  isConnected = true;
  querySelector = () => null;
  dispatchEvent = () => true;
  setAttribute = (name, value) => void (this.dataset[name.replace("data-", "")] = value);
}

async function fetchStub(_url, { body } = {}) {
  if (!phone.online) throw new TypeError("no network");
  asking += 1;
  try {
    say({ send: body });
    const answer = await hear();
    time = answer;
    if (answer.lost) throw new TypeError("the answer was lost");
    return { status: answer.status, headers: { has: () => false }, json: async () => JSON.parse(answer.text) };
  } finally {
    asking -= 1;
  }
}

const given = {
  document: { get: () => page.document },
  localStorage: { get: () => phone.storage },
  sessionStorage: { get: () => phone.session },
  window: { get: () => page.window },
  addEventListener: { get: () => page.window.addEventListener },
  navigator: { get: () => ({ onLine: phone.online }) },
  location: { get: () => new URL("http://lastcard.test/en/desk/") },
  performance: { value: { now: () => time.steady, getEntriesByType: () => [] } },
  indexedDB: { value: undefined },
  fetch: { value: fetchStub },
  FormData: { value: FormStub },
  HTMLElement: { value: ElementStub },
  customElements: { value: { define: () => {} } },
  CustomEvent: { value: class extends Event { constructor(type, { detail = null } = {}) { super(type); this.detail = detail; } } },
  setInterval: { value: (call) => page.ticking.push(call) },
  clearInterval: { value: (number) => page && void (page.ticking[number - 1] = null) },
  setTimeout: { value: () => 0 }, // the test says when something is sent again
  clearTimeout: { value: () => {} },
};
for (const [name, property] of Object.entries(given)) Object.defineProperty(globalThis, name, { configurable: true, ...property });
Date.now = () => time.day;

// ---- what happens to a phone

const script = (name) => import(new URL(`${name}?page=${page.name}`, HERE).href);
const turn = () => new Promise((done) => setImmediate(done));

/** Wait until the scripts have nothing to do, an answer that is on its way included. */
async function quiet() {
  for (let turns = 0; turns < 4 || asking; turns += 1) await turn();
}

function showClock(data) {
  if (page.clock?.dataset.game !== data.game) page.clock = new page.GameClock();
  Object.assign(page.clock.dataset, { state: "running", limit: "3600", elapsed: "0" }, data);
  page.clock.start();
}

const does = {
  /** A page is loaded: the first, or again after the browser was closed. */
  async open({ user, tournament }) {
    phone.page = page = new Page({ user, tournament });
    page.name = `${phone.name}.${(phone.pages += 1)}`;
    page.GameClock = (await script("entry/clock.js")).GameClock;
    await script("outbox/outbox.js");
    if (phone.game) showClock(phone.game);
  },
  async tick() {
    for (const call of page.ticking) call?.();
  },
  /** What a page does every few seconds and when it is looked at again: ask the server, and send what waits. */
  async pulse() {
    await (await script("outbox/sender.js")).send();
  },
  async tap({ kind, table, url, fields }) {
    const typed = fields.map(([name, value]) => [name, name === "elapsed_s" ? String(page.clock.elapsedNow) : value]);
    const form = Object.assign(new ElementStub(), { fields: typed, getAttribute: () => url, matches: (what) => what === "form[data-entry]" });
    form.dataset = { entry: kind, table };
    page.document.dispatchEvent({ type: "submit", target: form, submitter: null, preventDefault() {}, stopImmediatePropagation() {} });
  },
  /** The page shows a game's clock, as the server says or, where it began here without network, by the entry. */
  async clock({ game, data }) {
    const { stored, playOf } = await script("outbox/entries.js");
    const start = stored().find(([, entry]) => entry.kind === "start" && playOf(entry) === game);
    phone.game = { game, ...(data ?? { at: "0", began: String(start[1].queued) }) };
    showClock(phone.game);
  },
  async zone({ zone }) {
    env.TZ = zone;
  },
  async states() {
    return (await script("outbox/entries.js")).stored().map(([, { state, said = [] }]) => [state, ...said]);
  },
};

for (let asked = await hear(); asked; asked = await hear()) {
  if (!phones.has(asked.phone)) phones.set(asked.phone, { name: asked.phone, pages: 0, storage: new Storage(), session: new Storage() });
  phone = phones.get(asked.phone);
  phone.online = asked.online;
  page = phone.page;
  time = asked;
  const done = await does[asked.does](asked);
  await quiet();
  say({ done: done ?? null });
}
