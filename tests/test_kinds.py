"""A kind of contest that a room has no object for is refused there by a sentence that names the file; with an object it
is served."""

from importlib import import_module
from pathlib import Path

import pytest

from rulesets import ByKind
from rulesets.ruleset import KINDS as OF_SHEETS
from tests.support.figures.kinds import OBJECTS
from tournament.models import Stage


def rooms() -> list[tuple[str, "ByKind[object]"]]:
    return [
        (path, found)
        for path in OBJECTS
        for found in vars(import_module(path.removesuffix(".py").replace("/", "."))).values()
        if isinstance(found, ByKind)
    ]


@pytest.mark.parametrize(("path", "objects"), rooms(), ids=[path for path, _objects in rooms()])
def test_a_planted_kind_is_refused_by_the_file_that_lacks_it_and_served_with_an_object(path, objects):
    with pytest.raises(LookupError, match=rf"^{objects.file} has no object for the kind 'relay'$"):
        objects["relay"]
    assert path.removeprefix("tournament/") == objects.file
    assert Path(path).is_file()
    planted = ByKind(objects.file, {**objects, "relay": "runs"})
    assert planted["relay"] == "runs"


@pytest.mark.parametrize(("path", "objects"), rooms(), ids=[path for path, _objects in rooms()])
def test_each_room_has_an_object_for_every_kind_of_stage_or_of_sheet(path, objects):
    assert set(objects) in (set(OF_SHEETS), set(Stage.Kind)), path
