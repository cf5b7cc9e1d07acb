"""A table of friends becomes an event."""

from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring import score
from tests.support.factories import UserFactory, event
from tests.support.sheets import anonymous, found
from tournament import actions
from tournament.extras.friends import actions as founding
from tournament.models import LedgerNote, LedgerRow, Organiser, Play, Player, Tournament, User
from tournament.results.answer import stage_results
from tournament.results.faults import Fault, Forbidden, Refused

ROUND = {"number": 1, "winner": "a", "hands": {"b": {"7": 1}, "c": {"7": 1}}}

SHEET: dict[str, Any] = {
    "sheet": 1,
    "kind": "match",
    "ruleset": "mattel-108",
    "settings": {},
    "players": [{"id": player, "name": player.upper()} for player in "abc"],
    "rounds": [],
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rows",
    [
        {"rounds": [ROUND, {"number": 2, "removed": ["b"], "withdrawn": ["c"]}]},
        {"rounds": [ROUND], "removed": ["b"], "stopped": True},
        {"rounds": [ROUND], "withdrawn": ["a"], "stopped": True},
        {"kind": "heats", "ruleset": "tite-2022", "heats": [], "settings": {"advance": 1}},
    ],
    ids=["left alone", "removed afterwards", "left afterwards", "no heat yet"],
)
def test_an_event_of_a_sheet_from_elsewhere_has_its_standings(rows: dict[str, Any]) -> None:
    sheet = SHEET | rows
    if "heats" in rows:
        del sheet["rounds"]
    made = found(sheet)
    answers = [anonymous(each.answer, each.names) for each in stage_results(made.stages.get())]
    names = {player["id"]: player["name"] for player in SHEET["players"]}
    assert answers == ([anonymous(score(sheet), names)] if made.state != "planned" else [])
    assert (made.state == "planned") == ("heats" in rows)


@pytest.mark.django_db
def test_a_void_game_makes_no_event() -> None:
    void = {"number": 1, "ended": "void", "results": [{"player": p, "outcome": "remaining"} for p in "abc"]}
    rows = {key: value for key, value in SHEET.items() if key != "rounds"}
    with pytest.raises(Refused) as refused:
        found({**rows, "kind": "session", "ruleset": "kpgut-2016", "games": [void]})
    assert [fault.code for fault in refused.value.faults] == ["void_in_sheet"]
    assert not User.objects.exists()


@pytest.mark.django_db
def test_each_form_makes_an_event_of_its_own_as_its_guest_speaks() -> None:
    event()
    settings = {"target": 300}
    names = ["Kim", "K" * 120]
    sheet, form = {**SHEET, "settings": settings}, uuid4()
    made = [
        found(sheet, form, guest_name=names[0], language="fi"),
        found(sheet, guest_name=names[1], language="fi"),
    ]
    assert [(row.language, row.organiser.name) for row in made] == [("fi", "Guest")] * 2
    assert [row.stages.get().settings for row in made] == [settings] * 2
    with pytest.raises(Forbidden) as refused:
        found(sheet, form, user=UserFactory())
    assert refused.value.faults[0].parameters == {"action": "found_event"}


@pytest.mark.django_db
def test_what_else_the_sheet_says_of_a_round_a_game_or_a_heat_is_kept() -> None:
    last = {"last_cards": {"draw2": 1}, "drew": "b", "hands": {"b": {"7": 3}, "c": {"7": 1}}}
    found({**SHEET, "rounds": [ROUND | last], "stopped": True})
    assert Play.objects.get().last_cards == {"draw2": 1}
    assert LedgerNote.objects.get(row__action="stop_match").text == "as on the sheet"
    results = [{"player": p, "outcome": "out", "elapsed_s": 60} for p in "ab"]
    game = {
        "number": 1,
        "ended": "last",
        "decks": 3,
        "results": [*results, {"player": "c", "outcome": "last"}],
    }
    rows = {key: value for key, value in SHEET.items() if key != "rounds"}
    made = found({**rows, "kind": "session", "ruleset": "kpgut-2016", "games": [game]})
    assert Play.objects.get(table__stage__tournament=made).decks == 3
    heat = {"number": 1, "players": [*"abc"], "finish_order": ["a"], "removed": ["c"]}
    made = found(
        {**rows, "kind": "heats", "ruleset": "tite-2022", "settings": {"advance": 1}, "heats": [heat]}
    )
    assert made.entries.get(public_name="C").state == "disqualified"


@pytest.mark.django_db
def test_a_match_that_was_over_when_it_was_stopped_is_over() -> None:
    sheet = {**SHEET, "rounds": [ROUND], "settings": {"target": 10}, "stopped": True}
    made = found(sheet)
    (results,) = stage_results(made.stages.get())
    names = {player["id"]: player["name"] for player in SHEET["players"]}
    assert anonymous(results.answer, results.names) == anonymous(score(sheet), names)


ROUNDS = [{**ROUND, "number": number} for number in range(1, 6)]


class Killed(BaseException):
    """The process ended here."""


def stopped_at(number: int, raised: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise this instead of entering the round of that number."""
    usual = actions.record_round

    def record_round(*command: Any, **named: Any) -> Any:
        if named["number"] == number:
            raise raised
        return usual(*command, **named)

    monkeypatch.setattr(founding, "record_round", record_round)


def written(made: Tournament) -> list[tuple[str, UUID, str]]:
    rows = LedgerRow.objects.filter(tournament=made).order_by("sequence")
    return list(rows.values_list("action", "command", "content"))


@pytest.mark.django_db
def test_a_founding_that_was_interrupted_goes_on_where_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, form = {**SHEET, "rounds": ROUNDS, "removed": ["b"], "stopped": True}, uuid4()
    with monkeypatch.context() as dying:
        stopped_at(3, Killed(), dying)
        with pytest.raises(Killed):
            found(sheet, form)
    halfway = written(Tournament.objects.get())
    assert [action for action, *_ in halfway].count("record_round") == 2
    made = found(sheet, form, language="fi", starts_on=date(2026, 5, 10), reason="kuten lomakkeessa")
    whole = written(made)
    assert whole[: len(halfway)] == halfway
    assert [action for action, *_ in whole].count("record_round") == 5
    assert found(sheet, form) == made
    assert found({**SHEET, "rounds": ROUNDS[:1]}, form) == made
    assert (written(made), Tournament.objects.count(), User.objects.count()) == (whole, 1, 1)


@pytest.mark.django_db
def test_a_founding_that_is_refused_leaves_nothing_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stands = found({**SHEET, "rounds": ROUNDS[:1]})
    user = UserFactory()
    kept = [model.objects.count() for model in (Tournament, LedgerRow, Player, Organiser, User)]
    stopped_at(3, Refused(Fault("no_tables")), monkeypatch)
    for runs in (None, user):
        with pytest.raises(Refused) as refused:
            found({**SHEET, "rounds": ROUNDS}, user=runs)
        assert [fault.code for fault in refused.value.faults] == ["no_tables"]
        assert [model.objects.count() for model in (Tournament, LedgerRow, Player, Organiser, User)] == kept
    assert Tournament.objects.get() == stands


@pytest.mark.django_db
def test_what_stood_before_a_call_stays_where_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, form = {**SHEET, "rounds": ROUNDS}, uuid4()
    with monkeypatch.context() as dying:
        stopped_at(3, Killed(), dying)
        with pytest.raises(Killed):
            found(sheet, form)
    halfway = written(Tournament.objects.get())
    stopped_at(4, Refused(Fault("no_tables")), monkeypatch)
    with pytest.raises(Refused):
        found(sheet, form)
    assert written(Tournament.objects.get())[: len(halfway)] == halfway


@pytest.mark.django_db
def test_who_sends_a_form_twice_at_a_time_that_is_refused_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, form = {**SHEET, "rounds": ROUNDS}, uuid4()
    stopped_at(3, Tournament.DoesNotExist(), monkeypatch)  # the other call took the event back
    with pytest.raises(Forbidden):
        found(sheet, form)


@pytest.mark.django_db
def test_a_long_sheet_makes_no_event_and_is_not_even_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(founding, "MOST_ROWS", 4)
    monkeypatch.setattr(founding, "score", pytest.fail)
    with pytest.raises(Refused) as refused:
        found({**SHEET, "rounds": ROUNDS})
    (fault,) = refused.value.faults
    assert (fault.code, fault.parameters) == ("long_sheet", {"rows": 5, "most": 4})
    assert not User.objects.exists()
