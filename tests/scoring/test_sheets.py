"""A sheet of rows that never change is scored as one of plain dicts, no matter what was scored with the same rows
before."""

import copy
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rulesets import Ruleset
from scoring import GameAnswer, Roster, Row, SheetInvalid, places_so_far, same_start, score
from scoring.reading import read_sheet
from scoring.session import ejected_in, score_game
from scoring.sheets import Game, Kept, SessionSheet
from tests.scoring import sheets

from .builders import ejected, game, heat, heats, last, match, out, remaining, session, won

Json = dict[str, Any]
ROWS = {"session": "games", "match": "rounds", "heats": "heats", "race": "games"}
SETTINGS: dict[str, list[Json]] = {
    "session": [{}, {"min_games": 3}, {"decks": 1}, {"decks": 0}],
    "match": [
        {"target": 500},
        {"target": 100_000},
        {"scoring": "own_hand"},
        {"custom_cards": 0},
        {"decks": 2},
    ],
    "heats": [{}, {"advance": 3}, {"advance": 0}],
    "race": [{"scoring": "placing"}, {"rank": ["wins"]}, {"max_games": 1}, {"decks": 2}, {"custom_cards": 0}],
}
BROKEN: list[Json] = [
    {"number": 1},
    {"number": True},
    {"results": []},
    {"hands": {}},
    {"players": []},
    {"ended": "time"},
]


def outcome(sheet: Json) -> Any:
    try:
        return score(sheet)
    except SheetInvalid as invalid:
        return invalid.errors


@st.composite
def variants(draw: st.DrawFn) -> list[tuple[Json, list[int]]]:
    """Sheets of some of the same rows in turn, each with the rows' indices: rows come and go, settings, players and the
    ruleset change."""
    sheet = draw(st.one_of(sheets.sheets(), sheets.races()))
    kind = ROWS[sheet["kind"]]
    made = []
    for _ in range(draw(st.integers(2, 4))):
        rows = draw(st.lists(st.sampled_from(range(len(sheet[kind]))), unique=True)) if sheet[kind] else []
        rows = sorted(rows) if draw(st.booleans()) else rows
        players = sheet["players"][draw(st.integers(0, 1)) :]
        settings = {**sheet["settings"], **draw(st.sampled_from([{}, *SETTINGS[sheet["kind"]]]))}
        ruleset = draw(st.sampled_from([sheet["ruleset"], "mattel-108", "mattel-112"]))
        made.append(({**sheet, "players": players, "settings": settings, "ruleset": ruleset}, rows))
    return made


@given(variants(), st.sampled_from([{}, *BROKEN]), st.booleans())
def test_kept_rows_are_scored_as_plain_ones(
    made: list[tuple[Json, list[int]]], broken: Json, renumbered: bool
) -> None:
    kind = ROWS[made[0][0]["kind"]]
    plain = copy.deepcopy(made[0][0][kind])
    if plain:
        plain[0] |= broken
    kept = [Row(row) for row in plain]
    before = copy.deepcopy(plain)
    for sheet, indices in made:
        rows: list[Any] = [plain[index] for index in indices]
        again: list[Any] = [kept[index] for index in indices]
        if renumbered:
            rows = [{**row, "number": number} for number, row in enumerate(rows, 1)]
            again = [row.numbered(number) for number, row in enumerate(again, 1)]
        assert outcome({**sheet, kind: again}) == outcome({**sheet, kind: rows})
    assert plain == before


@given(variants(), st.booleans())
def test_sheets_of_one_roster_are_scored_as_each_alone(
    made: list[tuple[Json, list[int]]], renumbered: bool
) -> None:
    """Whatever sheets came before: with other rows, in another order, with other settings."""
    kind = ROWS[made[0][0]["kind"]]
    kept, roster = [Row(row) for row in made[0][0][kind]], Roster(made[0][0]["players"])
    for sheet, indices in made:
        for end in (len(indices), max(0, len(indices) - 1), len(indices)):
            rows = [kept[index] for index in indices[:end]]
            rows = [row.numbered(number) for number, row in enumerate(rows, 1)] if renumbered else rows
            carried = {**sheet, "players": roster, kind: rows}
            alone = {**sheet, "players": [*roster], kind: [dict(row) for row in rows]}
            found, wanted = outcome(carried), outcome(alone)
            assert found == wanted
            if not isinstance(wanted, tuple):
                assert {key: list(each) for key, each in found.results.items()} == {
                    key: list(each) for key, each in wanted.results.items()
                }
                assert places_so_far(carried, found) == places_so_far(alone, wanted)


def test_of_a_sheet_with_one_more_game_only_that_game_is_read_checked_and_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    roster, rows = (
        Roster(KEPT["session"]["players"]),
        [Row(row | {"number": 1}) for row in KEPT["session"]["games"][:1]],
    )
    sheet = {**KEPT["session"], "players": roster, "games": rows}
    before = score(sheet)
    assert score({**sheet, "games": [*rows]}) is before
    scored: list[int] = []

    def noted(game: Game, ruleset: Ruleset, kept: Kept) -> GameAnswer:
        scored.append(game.number)
        return score_game(game, ruleset, kept)

    monkeypatch.setattr("scoring.session.score_game", noted)
    more = [*rows, Row(KEPT["session"]["games"][1] | {"number": 2})]
    after = score({**sheet, "games": more})
    assert scored == [2]
    assert after == score(KEPT["session"])
    assert after.rounds[0] is before.rounds[0]
    assert score({**sheet, "games": more[:1]}) is before


GAMES = [
    game("last", out("a", 600), last("b")),
    game("last", out("c", 1200), last("d")),
    game("last", out("e", 600), last("f")),
    game("last", out("b", 300), last("a")),
    game("last", out("c", 60), out("a", 90), ejected("d"), last("b"), duration_s=120),
]
EVENINGS = [
    [0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2], [0, 2, 2], [0, 1, 2, 4], [4, 0, 2], [4, 2, 0], [0, 1, 2, 3, 4],
    [3], [],
]  # fmt: skip


@pytest.mark.parametrize("settings", [{}, {"min_games": 2}])
def test_session_that_changes_by_few_games_is_scored_as_each_evening_alone(settings: Json) -> None:
    """Games come at the end, are corrected at the beginning, in the middle, and go."""
    kept, roster = [Row(row) for row in GAMES], Roster(session(ids="abcdef")["players"])
    for evening in EVENINGS:
        alone = session(*(GAMES[index] for index in evening), ids="abcdef", **settings)
        rows = [kept[index].numbered(number) for number, index in enumerate(evening, 1)]
        carried = {**alone, "players": roster, "games": rows}
        found, wanted = score(carried), score(alone)
        assert (found, {**found.results}) == (wanted, {**wanted.results})
        every = list(range(1, len(evening) + 1))
        for after in (every, every[::2], every[1:]):
            assert places_so_far(carried, found, after) == places_so_far(alone, wanted, after)


def test_places_after_a_game_follow_what_stands_beside_the_games() -> None:
    roster = Roster(session(ids="abc")["players"])
    rows = [Row({"number": 1, **game("last", out("a", 600), out("b", 900), last("c"))})]
    rows += [row.numbered(number) for number, row in enumerate(rows * 2, 2)]
    found = []
    for more in ({}, {"settings": {"min_games": 2}}, {}):
        sheet = {**session(ids="abc"), "players": roster, "games": rows, **more}
        found.append(places_so_far(sheet, score(sheet))[0])
    assert found == [{"a": 1, "b": 2, "c": 2}, {}, {"a": 1, "b": 2, "c": 2}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": Roster(session(ids="aab")["players"])},
        {"players": Roster([{"id": "a"}, {"id": "b"}])},
        {"games": [Row({"number": 2, **GAMES[0]})]},
        {"games": [Row({"number": 1, **GAMES[0]}), Row({"number": 2})]},
        {"games": [Row({"number": 1, **GAMES[4]}), Row({"number": 2, **GAMES[1]})]},
        {"games": "none"},
    ],
)
def test_fault_of_a_sheet_is_said_each_time(wrong: Json) -> None:
    roster = Roster(session(ids="abcdef")["players"])
    sheet = {**session(ids="abcdef"), "players": roster, "games": [Row({"number": 1, **GAMES[0]})]}
    alone = {**sheet, **wrong}
    alone["players"] = [*alone["players"]]
    said = outcome(alone)
    assert isinstance(said, tuple)
    for _ in range(2):
        assert outcome({**sheet, **wrong}) == said
    assert outcome(sheet) == outcome({**sheet, "players": [*roster]})
    assert outcome({**sheet, **wrong}) == said


@pytest.mark.parametrize(
    ("some", "others", "same"),
    [
        ("", "", 0),
        ("a", "", 0),
        ("abc", "abc", 3),
        ("abc", "abcd", 3),
        ("abcd", "abxd", 2),
        ("xbcd", "abcd", 0),
    ],
)
def test_how_much_two_lists_begin_with(some: str, others: str, same: int) -> None:
    assert same_start(some, others) == same


@given(st.lists(st.booleans(), max_size=40), st.lists(st.booleans(), max_size=40))
def test_no_list_is_too_long_to_compare(some: list[bool], others: list[bool]) -> None:
    wanted = next((at for at, (a, b) in enumerate(zip(some, others, strict=False)) if a != b), None)
    assert same_start(some, others) == (min(len(some), len(others)) if wanted is None else wanted)


@given(sheets.sheets())
def test_what_was_scored_before_is_the_same_object(sheet: Json) -> None:
    kind = ROWS[sheet["kind"]]
    kept = {**sheet, kind: [Row(row) for row in sheet[kind]]}
    if sheet["kind"] != "heats":
        for one, other in zip(score(kept).rounds, score(kept).rounds, strict=True):
            assert one is other


KEPT = {
    "session": session(
        game("last", out("a", 60), last("b")),
        game("last", out("b", 60), ejected("c"), last("a"), duration_s=60),
    ),
    "match": match(won("a", {"b": {"1": 1}, "c": {"2": 1}}), won("b", {"a": {"1": 1}, "c": {"2": 1}})),
    "heats": heats(heat("ab", "ab"), heat("cd", "cd")),
}


@pytest.mark.parametrize("kind", KEPT)
def test_a_row_is_read_once_and_renumbered_after_that(kind: str) -> None:
    data = {**KEPT[kind], ROWS[kind]: [Row(row) for row in KEPT[kind][ROWS[kind]]]}
    first, again = (getattr(read_sheet(data), ROWS[kind]) for _ in range(2))
    assert all(one is other for one, other in zip(first, again, strict=True))
    later = [Row({**row, "number": number}, row.kept) for number, row in enumerate(data[ROWS[kind]], 2)]
    renumbered = getattr(read_sheet({**data, ROWS[kind]: later}), ROWS[kind])
    assert [each.number for each in renumbered] == [2, 3]


@pytest.mark.parametrize(
    ("kind", "check"),
    [("session", "session._check_rows"), ("match", "match.check_round")],
    ids=["session", "match"],
)
def test_a_row_that_stood_is_not_checked_again(
    kind: str, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = {**KEPT[kind], ROWS[kind]: [Row(row) for row in KEPT[kind][ROWS[kind]]]}
    before = score(sheet)
    monkeypatch.setattr(f"scoring.{check}", None)
    assert score(sheet) == before


def test_a_game_is_checked_again_against_other_decks() -> None:
    row = Row({"number": 1, **game("time", remaining("a", {"0": 3}), remaining("b", {"0": 2}))})
    score({**session(decks=2), "games": [row]})
    with pytest.raises(SheetInvalid, match="deck_exceeded"):
        score({**session(decks=1), "games": [row]})


def test_a_heat_is_read_again_where_another_number_goes_through() -> None:
    row = Row(KEPT["heats"]["heats"][0])
    for settings, through in [({}, 1), ({"advance": 2}, 2), ({"advance": 1}, 1)]:
        assert len(score(heats(ids="ab", **settings) | {"heats": [row]}).finalists) == through


def test_who_was_ejected_is_looked_up_once() -> None:
    sheet = read_sheet(KEPT["session"])
    assert isinstance(sheet, SessionSheet)
    (_, second) = sheet.games
    kept: Kept = {}
    assert ejected_in(second, kept) == {"c"}
    assert ejected_in(second, kept) is ejected_in(second, kept)


def test_a_row_has_another_number_and_shares_what_is_kept() -> None:
    row = Row({"number": 1, "players": []})
    assert row.numbered(1) is row
    assert row.numbered(2) == {"number": 2, "players": []}
    assert row.numbered(2).kept is row.kept


CHANGES: dict[str, Any] = {
    "set": lambda row: row.__setitem__("number", 2),
    "delete": lambda row: row.__delitem__("number"),
    "update": lambda row: row.update(number=2),
    "or": lambda row: row.__ior__({"number": 2}),
    "pop": lambda row: row.pop("number"),
    "popitem": lambda row: row.popitem(),
    "setdefault": lambda row: row.setdefault("ended", "last"),
    "clear": lambda row: row.clear(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_row_refuses_to_change(change: Any) -> None:
    row = Row({"number": 1})
    with pytest.raises(TypeError, match="does not change"):
        change(row)
    assert row == {"number": 1}
