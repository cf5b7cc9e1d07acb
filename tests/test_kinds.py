"""A planted kind of contest: a room that has no object for it refuses it by a sentence that names the file; with an
object it is served."""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulesets import KINDS as OF_RULESETS, SHEETS, ByKind
from scoring import MatchAnswer, why_of
from scoring.kinds import KINDS as SCORED
from tournament.models import Stage
from tournament.pages.pictures.contests import KINDS as DRAWN, contest_pictures
from tournament.results.faults import Fault
from tournament.words.faults import fault_text
from tournament.words.kinds import KINDS as WORDED

ROOT = Path(__file__).parent.parent


class RelayAnswer(MatchAnswer):
    """An answer of a kind that no room knows."""

    kind = "relay"


RELAY = RelayAnswer("mattel-108", (), (), complete=False, winners=())
RELAYED: Any = SimpleNamespace(answer=RELAY)
UNACCEPTED = Fault("play_unaccepted", "/plays/1", {"contest": "relay", "table": 1, "number": 2})


def _rooms() -> dict[str, "ByKind[object]"]:
    """Every dict of objects by kind, by its file and name."""
    return {
        f"{path.relative_to(ROOT)}:{name}": getattr(
            import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)), name
        )
        for top in ("rulesets", "scoring", "tournament")
        for path in sorted((ROOT / top).rglob("*.py"))
        for name in re.findall(r"^(\w+): ByKind\[", path.read_text(), re.MULTILINE)
    }


ROOMS = _rooms()


@pytest.mark.parametrize("name", ROOMS)
def test_each_room_has_an_object_for_every_kind_and_names_its_file_where_one_is_missing(name: str) -> None:
    objects = ROOMS[name]
    assert set(objects) in (set(OF_RULESETS), set(SHEETS), set(Stage.Kind))
    assert name.rpartition(":")[0].removeprefix("tournament/") == objects.file
    with pytest.raises(LookupError, match=rf"^{objects.file} has no object for the kind 'relay'$"):
        objects["relay"]


@pytest.mark.parametrize(
    ("objects", "serve"),
    [
        (SCORED, lambda: why_of({}, RELAY, "somebody")),
        (WORDED, lambda: fault_text(UNACCEPTED)),
        (DRAWN, lambda: contest_pictures(RELAYED, {})),
    ],
    ids=["scoring", "words", "pictures"],
)
def test_a_planted_kind_is_refused_without_an_object_and_served_with_one(
    objects: "ByKind[object]", serve: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LookupError, match=f"{objects.file} has no object for the kind 'relay'"):
        serve()
    monkeypatch.setitem(objects, "relay", objects["match"] if objects is not DRAWN else None)
    serve()
