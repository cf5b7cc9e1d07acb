// The page of a match's or a heat's table, and what this phone entered there (used by entry.js and entry_notes.js).

import { enteredAt, PROBLEMS } from "../outbox/entries.js";

const USUAL = ["last_count", "advance"]; // filled in before anybody types

export const page = () => document.querySelector("[data-table-page]");
export const template = () => document.querySelector("template[data-entry-words]");
export const words = () => template().dataset;
export const region = (root, name) => root.querySelector(`[data-region="${name}"]`);
export const form = () => page()?.querySelector('form[data-entry="round"], form[data-entry="heat"]');

/** The rounds and heats of this table that this phone entered, the oldest first. */
export const entered = () => enteredAt(page()?.dataset.table).filter((entry) => ["round", "heat"].includes(entry.kind));

/** Those of them that a person must decide about, and those that the server has not answered. */
export const problems = () => entered().filter((entry) => PROBLEMS.has(entry.state));
export const unsent = () => entered().filter((entry) => entry.state !== "confirmed" && !PROBLEMS.has(entry.state));

export const titleOf = (entry) =>
  entry.kind === "round" ? words().wordTitle.replace("{n}", entry.number) : (page()?.dataset.title ?? "");

/** This page now shows what that page of its table shows: room.js tells of what comes after it. */
export function shows(page) {
  const [here, there] = [document, page].map((each) => each.querySelector("[data-room]"));
  if (here && there) here.dataset.mark = there.dataset.mark;
}

/** Scroll to the next task when the page opens, unless it is scrolled already or shows a message. */
export function openAt(part, block = "start") {
  if (!scrollY && !location.hash && !document.querySelector("#messages > *, .errors")) bring(part, block);
}

/** Scroll to this part, on a low screen to its top. */
export function bring(part, block = "start") {
  part.scrollIntoView({ block: matchMedia("(height < 30rem)").matches ? "start" : block });
}

const isTyped = (field) => field.name && !["hidden", "submit", "button"].includes(field.type);
const typedIn = (form) => [...form.elements].filter(isTyped);

/** Whether somebody has begun to fill this form in. One that was sent holds what is on its way, and takes nothing more. */
export function begun(form) {
  if (form.inert) return false;
  return typedIn(form).some((field) => {
    if (USUAL.includes(field.name)) return false;
    return ["radio", "checkbox"].includes(field.type) ? field.checked && field.value : field.value;
  });
}

export function empty(form) {
  for (const field of typedIn(form)) {
    if (field.type === "radio") field.checked = USUAL.includes(field.name) ? field.defaultChecked : field.value === "";
    else if (field.type === "checkbox") field.checked = false;
    else if (USUAL.includes(field.name)) field.value = field.defaultValue;
    else field.value = "";
  }
  for (const part of form.querySelectorAll("details[open]")) part.open = false;
  for (const part of form.querySelectorAll(".errors, .field__error, :scope > .notice")) part.remove();
}

/** Put what an entry holds back into its form. */
export function refill(form, entry) {
  const held = new Map(entry.fields);
  for (const field of typedIn(form).filter((each) => held.has(each.name))) {
    if (["radio", "checkbox"].includes(field.type)) field.checked = field.value === held.get(field.name);
    else field.value = held.get(field.name);
    if (field.value !== field.defaultValue) field.closest("details")?.setAttribute("open", "");
    field.dispatchEvent(new Event("input", { bubbles: true })); // how many go through
  }
  form.querySelector("heat-order")?.reread();
}
