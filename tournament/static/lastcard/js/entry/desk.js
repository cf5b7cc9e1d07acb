// The referee's desk: nothing typed is lost, and what could not be sent says so.
//
// form[data-keep=KEY]           what is typed stays in this tab (sessionStorage) until it is sent, also through a lost
//                               session or a reload; a form that comes from the server with [data-typed] is left alone
// form[data-send-when-chosen]   sends itself when every group of radio buttons has a different choice
// input[data-advance-of]        how many go through, for the <heat-order> of its form
// [data-seconds]                goes away by itself
// Words come from #desk-words (templates/desk/base.html).

const words = () => document.getElementById("desk-words").dataset;
const PREFIX = "lastcard:kept:";

function stored(key) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key));
  } catch {
    return null; // storage switched off, or not ours
  }
}

function store(key, value) {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // storage switched off or full: the form itself still holds everything
  }
}

const isTyped = (field) => field.name && !["hidden", "submit", "button"].includes(field.type);

function keep(form) {
  const fields = [...form.elements].filter(isTyped);
  const chosen = fields.filter((field) => !["radio", "checkbox"].includes(field.type) || field.checked);
  store(form.dataset.keep, chosen.filter((field) => field.value).map((field) => [field.name, field.value]));
}

/** Put what was typed back; gives whether there was anything. */
function restore(form) {
  const kept = new Map(stored(form.dataset.keep) ?? []);
  const fields = [...form.elements].filter((field) => isTyped(field) && kept.has(field.name));
  let changed = false;
  for (const field of fields) {
    const value = kept.get(field.name);
    if (["radio", "checkbox"].includes(field.type)) {
      changed ||= !field.checked && field.value === value;
      if (field.type === "checkbox" || field.value === value) field.checked = field.value === value;
    } else {
      changed ||= field.value !== value;
      field.value = value;
    }
    if (value) field.closest("details")?.setAttribute("open", "");
  }
  return changed;
}

function advance({ form, value }) {
  if (value) form.querySelector("heat-order")?.setAttribute("data-advance", value);
}

function sayRestored(form) {
  const note = document.createElement("p");
  note.className = "notice";
  note.dataset.restored = "";
  form.querySelector(":scope > [data-restored]")?.remove();
  const text = document.createElement("span");
  text.textContent = words().wordKept;
  const again = document.createElement("button");
  again.type = "button";
  again.className = "button";
  again.textContent = words().wordAgain;
  again.addEventListener("click", () => {
    sessionStorage.removeItem(PREFIX + form.dataset.keep);
    location.reload();
  });
  note.append(text, again);
  form.prepend(note);
}

function prepare(root) {
  const all = (selector) => [...(root.matches?.(selector) ? [root] : []), ...root.querySelectorAll(selector)];
  for (const form of all("form[data-keep]")) {
    if (form.hasAttribute("data-typed")) keep(form);
    else if (restore(form)) {
      for (const field of form.querySelectorAll("[data-advance-of]")) advance(field);
      for (const part of form.querySelectorAll("card-pad, heat-order")) part.reread?.(); // those built before
      sayRestored(form);
      form.querySelector("card-pad")?.open?.(); // below the notice
    }
  }
  for (const element of all("[data-seconds]")) {
    setTimeout(() => element.remove(), Number(element.dataset.seconds) * 1000);
  }
}

prepare(document);
document.addEventListener("htmx:load", (event) => prepare(event.detail.elt));

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.matches("[data-keep]")) keep(form);
  if (event.target.matches("[data-advance-of]")) advance(event.target);
});

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (!form?.matches("[data-send-when-chosen]")) return;
  const groups = new Set([...form.elements].filter((field) => field.type === "radio").map((field) => field.name));
  const chosen = [...groups].map((name) => form.elements[name].value);
  if (chosen.every(Boolean) && new Set(chosen).size === groups.size) form.requestSubmit();
});

/** A line above the page: what could not be sent, and that it is still here. */
export function say(text, { reload = false } = {}) {
  const toast = document.createElement("div");
  toast.className = "toast toast--error";
  const line = document.createElement("span");
  line.textContent = text;
  toast.append(line);
  if (reload) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = words().wordReload;
    button.addEventListener("click", () => location.reload());
    toast.append(button);
  }
  document.getElementById("messages").replaceChildren(toast);
}

document.addEventListener("htmx:sendError", () => say(words().wordOffline));
document.addEventListener("htmx:timeout", () => say(words().wordOffline));
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  if (status === 403) say(words().wordOld, { reload: true });
  else say(words().wordRefused.replace("{status}", status));
});
// A hotel's sign-in page answers in the server's place: it has nothing to put here, and what was typed stays.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, serverResponse } = event.detail;
  if (target.id !== "main" || new DOMParser().parseFromString(serverResponse, "text/html").getElementById("main")) return;
  event.detail.shouldSwap = false;
  say(words().wordOffline);
});
document.addEventListener("htmx:beforeRequest", () => document.getElementById("messages").replaceChildren());
