// <outbox-list>: what this phone keeps and the server has not taken (templates/desk/outbox.html), from the storage that
// outbox.js writes. Discarding one asks first.

import { contentOf, whatOf, withNames } from "./entry_content.js";
import { PROBLEMS, stored, UNSENT } from "./entries.js";
import { openEntry } from "./open_entry.js";
import { dayTime } from "../words.js";

const make = (tag, className, text = "") => Object.assign(document.createElement(tag), { className, textContent: text });

function button(text, pressed, className = "button") {
  const made = make("button", className, text);
  made.type = "button";
  made.addEventListener("click", pressed);
  return made;
}

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

class OutboxList extends HTMLElement {
  connectedCallback() {
    this.names = {};
    document.addEventListener("outbox:change", (event) => {
      this.names = event.detail.names;
      this.render();
    });
    this.render();
  }

  get entries() {
    return stored().map(([, entry]) => entry).filter((entry) => entry.state !== "confirmed");
  }

  word(name, values = {}) {
    const words = this.dataset[`word${name}`] ?? "";
    return Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value ?? ""), words);
  }

  render() {
    const me = document.querySelector("desk-outbox")?.dataset.user;
    const groups = Map.groupBy?.(this.entries, (entry) => entry.user) ?? grouped(this.entries);
    const shown = JSON.stringify([...groups].map(([user, entries]) => [this.names[user], user, entries]));
    if (shown === this.shown) return; // what may be under a finger stays
    this.shown = shown;
    const parts = [];
    for (const [user, entries] of groups) {
      if (user !== me) parts.push(this.whose(user));
      else if (entries.some((entry) => UNSENT.has(entry.state))) parts.push(this.handing());
      const list = make("ul", "list panel");
      list.append(...entries.map((entry) => this.row(entry, user === me)));
      parts.push(list);
    }
    if (!parts.length) parts.push(make("p", "empty", this.word("Nothing")), ...this.tables());
    this.replaceChildren(...parts);
  }

  /** The way back to the tables that this phone has sent something of. */
  tables() {
    const sent = new Set(stored().flatMap(([, entry]) => (entry.state === "confirmed" ? [entry.table] : [])));
    const tables = [...document.querySelectorAll("template[data-table-name]")].filter((each) => sent.has(each.dataset.tableName));
    return tables.map((each) => Object.assign(make("a", "button", each.content.textContent.trim()), { href: each.dataset.url }));
  }

  /** Entries of somebody else who used this phone go under their own name, or by a tap under mine. */
  whose(user) {
    const name = this.names[user];
    const note = make("div", "notice notice--warn");
    note.append(
      make("p", "", name ? this.word("Of", { name }) : this.word("OfSomebody")),
      button(this.word("Adopt"), () => tell("outbox:adopt", user)),
    );
    return note;
  }

  /** Without network another phone may send them. */
  handing() {
    const note = make("div", "outbox__hand-over");
    const open = () => import("./hand_over.js").then((module) => module.open());
    note.append(button(this.word("HandOver"), open), make("p", "small muted", this.word("HandOverHelp")));
    return note;
  }

  row(entry, own) {
    const row = make("li", "outbox__row");
    const what = make("strong", "", whatOf(entry));
    const named = document.querySelector(`template[data-table-name="${CSS.escape(entry.table ?? "")}"]`);
    const table = named?.content.textContent;
    const time = dayTime(entry.queued, named?.dataset.zone);
    const state = this.word(entry.state[0].toUpperCase() + entry.state.slice(1));
    const text = make("div", "outbox__about");
    text.append(what, ...(table ? [" ", make("bdi", "", table)] : []));
    text.append(make("span", "muted", `${this.word("Entered", { time })}: ${state}`));
    if (entry.handed) text.append(make("span", "muted", this.word("Handed")));
    const said = entry.state === "refused" ? (entry.said ?? []).map(withNames) : [];
    for (const words of entry.over ? [this.word("Over"), ...said] : said) text.append(make("span", "field__error", words));
    const content = make("ul", "outbox__content small");
    content.append(...contentOf(entry, this.word("Out"), named?.dataset.ruleset).map((words) => make("li", "", words)));
    if (content.children.length) text.append(content);
    const tools = make("div", "row");
    const decide = PROBLEMS.has(entry.state) ? "button button--primary" : "button";
    if (own) tools.append(button(this.word("Open"), () => openEntry(entry), decide));
    tools.append(button(this.word("Discard"), (event) => this.discard(event.target, entry), "button button--quiet"));
    row.append(text, tools);
    return row;
  }

  discard(pressed, entry) {
    if (pressed.dataset.sure !== undefined || entry.over) return tell("outbox:drop", entry.command);
    pressed.dataset.sure = "";
    pressed.className = "button button--danger";
    pressed.textContent = this.word("Sure");
  }
}

function grouped(entries) {
  const groups = new Map();
  for (const entry of entries) groups.set(entry.user, [...(groups.get(entry.user) ?? []), entry]);
  return groups;
}

customElements.define("outbox-list", OutboxList);
