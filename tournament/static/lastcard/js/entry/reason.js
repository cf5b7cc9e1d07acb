// A tap on a usual reason writes it into the field ([data-reason] names it), where it can be changed before it is sent.

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-reason]");
  if (!button) return;
  /** @type {any} */ // an input or a textarea
  const field = document.getElementById(button.dataset.reason);
  field.value = button.textContent.trim();
  field.dispatchEvent(new Event("input", { bubbles: true }));
});
