"""What the server holds after a rehearsal: what was acknowledged, each once, and the standings that follow."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import score
from tournament.practice.rehearse.phones import Sent


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong, as commands: `lost` was acknowledged and is not in the row of the ledger that was named,
    `doubled` is in more than one, acknowledged or not. `gaps`: sequences that are missing."""

    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    gaps: tuple[int, ...]


def compare(sent: Sequence[Sent], ledger: Iterable[Mapping[str, Any]]) -> Found:
    """Hold every acknowledged entry against the ledger's rows (`sequence`, `command`), and every one that was sent."""
    rows = [(int(row["sequence"]), str(row["command"])) for row in ledger]
    at = dict(rows)
    times = Counter(command for _, command in rows)
    saved = [each for each in sent if each.state == "saved"]
    lost = [each.command for each in saved if at.get(each.sequence) != each.command]
    ours = {each.command for each in sent}
    sequences = [sequence for sequence, _ in rows]
    return Found(
        lost=tuple(lost),
        doubled=tuple(command for command, count in times.items() if count > 1 and command in ours),
        gaps=tuple(sorted(set(range(1, max(sequences, default=0) + 1)) - set(sequences))),
    )


def differing(sheets: Mapping[str, Any], standings: Mapping[str, Any]) -> list[str]:
    """The contests whose shown standings are not what follows from their score sheets, worked out anew."""
    wrong = []
    for sheet, shown in zip(sheets["sheets"], standings["contests"], strict=True):
        anew = score(sheet["sheet"]).as_json()
        if any(shown["answer"].get(part) != anew.get(part) for part in anew):
            wrong.append(str(sheet["table"] or "all"))
    return wrong
