// A tap on what is often said ([data-says]: the words by the ids of their fields) fills in every language, where it can be
// changed before it is said. What somebody typed stays before it.

let before = {}; // what the last tap filled in

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-says]");
  if (!button) return;
  const words = JSON.parse(button.dataset.says);
  for (const [id, text] of Object.entries(words)) {
    const field = /** @type {HTMLTextAreaElement} */ (document.getElementById(id));
    const typed = field.value === before[id] ? "" : field.value.trim();
    field.value = typed ? `${typed} ${text}` : text;
    field.closest("details")?.setAttribute("open", "");
  }
  before = words;
});
