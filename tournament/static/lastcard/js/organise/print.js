// The button of a page to be printed; without it the browser's own menu prints.

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// A choice above the page is shown at once.
for (const form of document.querySelectorAll("form[data-print-choice]")) {
  form.querySelector("[data-show]").hidden = true;
  form.addEventListener("change", () => {
    if (form.reportValidity()) form.submit();
  });
}
