// The rules, to be asked; opened once, they open again without a network.

import { keepOffline } from "../outbox/offline.js";
import { findRules } from "./rule_finder.js";

const root = /** @type {HTMLElement | null} */ (document.querySelector(".rules"));
if (root) {
  const { field, ask, learned } = findRules(root);
  window.addEventListener("pageshow", () => field.value && ask());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
  });
  learned.then(() => keepOffline()); // the words are parts of the page, and come last
} else keepOffline();
