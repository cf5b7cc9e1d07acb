// Shows which phones ask to join this table ([data-asks]: templates/desk/table_base.html), and sends the answer without
// leaving the page. Nobody is asked while nobody looks.

const EVERY = 5_000; // ms

const place = document.querySelector("[data-asks]");

async function look() {
  if (document.hidden || !navigator.onLine) return;
  try {
    // By this header the service worker knows a part of a page.
    const answer = await fetch(place.dataset.asks, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const asked = [...part.querySelectorAll("form")];
    const uids = (forms) => forms.map((form) => form.elements.namedItem("ask").value).join();
    if (uids(asked) !== uids([...place.querySelectorAll("form")])) place.replaceChildren(...asked);
  } catch {
    // no network: the next look may find one
  }
}

place.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const body = new FormData(form, event.submitter);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    if (answer.type === "opaqueredirect") form.remove();
  } catch {
    look(); // it is still there to be answered
  }
});
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
look();
