// The list of players: a tap that did not arrive says so in its row, and can be tapped again.
//
//   <ul data-check-in data-word-offline="..." data-word-refused="...">   htmx swaps its rows

const list = document.querySelector("[data-check-in]");

function say(row, text) {
  row.querySelector("[data-not-sent]")?.remove();
  const line = document.createElement("span");
  line.className = "field__error";
  line.dataset.notSent = "";
  line.setAttribute("role", "alert");
  const words = document.createElement("span");
  words.textContent = text;
  line.append(words);
  row.firstElementChild.append(line);
}

/** The row that a tap was in, if it was in this list. */
const rowOf = (event) => (list?.contains(event.detail.elt) ? event.detail.elt.closest("li") : null);

for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, (event) => {
    const row = rowOf(event);
    if (!row) return;
    say(row, failure === "htmx:responseError" ? list.dataset.wordRefused : list.dataset.wordOffline);
  });
}

// The answer to somebody signed out meanwhile is the sign-in page, which is no row of the list.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (!rowOf(event) || new URL(xhr.responseURL).pathname === requestConfig.path) return;
  event.preventDefault();
  location.reload();
});
