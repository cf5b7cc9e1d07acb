// Opening an entry of the outbox posts its form to its own address, so that the server's page for it comes: both versions
// side by side, or the form with what is wrong at its fields.

export function openEntry(entry) {
  sessionStorage.setItem("lastcard:settling", entry.command);
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: entry.url, hidden: true });
  const token = document.querySelector("input[name='csrfmiddlewaretoken']").value;
  for (const [name, value] of [...entry.fields, ["csrfmiddlewaretoken", token]]) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}
