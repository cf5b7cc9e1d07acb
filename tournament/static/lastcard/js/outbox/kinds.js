// What an entry of the outbox is called: "Round 3" (words: templates/components/_hand_over.html).

export function whatOf(entry) {
  const kind = entry.kind.replace(/(^|_)([a-z])/g, (_all, _line, letter) => letter.toUpperCase());
  return (document.getElementById("entry-kinds")?.dataset[`word${kind}`] ?? "").replace("{n}", entry.number);
}
