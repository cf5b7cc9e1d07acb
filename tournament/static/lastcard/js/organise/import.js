// A file that is too large is said to be so when it is chosen, before any of it is sent.
//
// Everything works without this: the server says the same, after the upload.

for (const input of document.querySelectorAll("input[type=file][data-most]")) {
  input.addEventListener("change", () => {
    const size = input.files[0]?.size ?? 0;
    input.setCustomValidity(size > Number(input.dataset.most) ? input.dataset.tooLarge : "");
    input.reportValidity();
  });
}
