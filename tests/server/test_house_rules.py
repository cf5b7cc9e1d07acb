"""A house’s own rulesets: which files can be played, and what is reported for those that cannot."""

from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from rulesets import RULESETS, put_away
from tests.support.archives import archived, brought, forget
from tests.support.factories import event
from tests.support.house_rules import HOUSE, place, said_by
from tournament.extras.archive.files.schema import NotImported
from tournament.models import Tournament
from tournament.server import house_rules


@pytest.mark.django_db
def test_an_event_comes_back_only_where_its_rules_are_as_they_were(folder: Path) -> None:
    place(folder)
    made = event(HOUSE)
    archive = archived(made.tournament)
    forget(made.tournament)
    place(folder, **{'"draw2": 25': '"draw2": 30'})
    with pytest.raises(NotImported, match="unknown_ruleset"):
        brought(archive)
    place(folder)
    brought(archive)
    assert Tournament.objects.get().ruleset == HOUSE


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("RULESET = replace(", "RULESET = replace((", "SyntaxError: "),
        ("from dataclasses import replace", "", "NameError: name 'replace' is not defined"),
        ("RULESET = ", "RULES = ", "it must define RULESET as a Ruleset."),
        ('id="house-2026"', 'id="mattel-108"', "another ruleset already has the id mattel-108."),
        ('id="house-2026"', 'id="House/2026"', "id must be of small letters"),
        ("frozen({**CARD_POINTS, ", "frozen({", "points is to say of each card"),
        ('"draw2": 25', '"draw2": 2.5', "points is to say of each card"),
        ("=(OWN_HAND,)", "=OWN_HAND", "scorings is to name one or both"),
        ("=300", '="300"', "default_target must be None or a whole number"),
        ("names=", "kinds=([],), names=", "TypeError: unhashable type: 'list'"),
        ("names=", 'wording="", kinds=("session",), names=', "players_per_deck must be a whole number"),
        ("names=", "hour_s=1800, names=", "hour_s must be 3600"),
    ],
    ids=[
        "syntax",
        "name",
        "nothing",
        "taken",
        "id",
        "points",
        "float",
        "scorings",
        "target",
        "kinds",
        "decks",
        "hour",
    ],
)
def test_a_file_that_cannot_be_played_is_named_and_left_out(
    folder: Path, old: str, new: str, said: str
) -> None:
    place(folder, **{old: new})
    [fault] = said_by(run_checks())
    assert fault.startswith(f"lastcard.E001 {folder / 'house_2026.py'}: ")
    assert said in fault
    assert HOUSE not in RULESETS


def test_a_folder_that_is_not_there_is_said(folder: Path) -> None:
    house_rules.take_in_all(folder / "gone")
    assert said_by(run_checks()) == [
        f"lastcard.E001 HOUSE_RULES names {folder / 'gone'}, which is not a folder."
    ]


@pytest.mark.django_db
def test_nothing_is_served_while_the_rules_of_an_event_are_not_as_they_were(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(folder)
    pinned = RULESETS[HOUSE].revision
    event(HOUSE, name="Spring Cup")
    place(folder, **{"A Draw 2 left": "Each Draw 2 left", "Talon": "Kerhon"})  # only said
    assert run_checks(databases=["default"]) == []

    place(folder, **{"=300": "=400"})
    assert pinned != (now := RULESETS[HOUSE].revision)
    assert said_by(run_checks(databases=["default"])) == [
        f"lastcard.E002 Spring Cup: played by {HOUSE}, revision {pinned}, which was changed since: here it is {now}."
    ]
    put_away(HOUSE)
    gone = f"Spring Cup: played by {HOUSE}, revision {pinned}, which is not here."
    for command in (["prepare"], ["up", "--prepared", "--host", "127.0.0.1", "--port", "0"]):
        monkeypatch.setattr("tournament.management.commands.prepare.migrate", lambda: None)
        with pytest.raises(SystemCheckError, match=gone):
            call_command(*command)
