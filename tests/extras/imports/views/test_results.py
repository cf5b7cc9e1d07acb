"""Results from a file: a template filled in where there is no network, and exported workbooks that were edited."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from openpyxl import Workbook, load_workbook

from tests.support.factories import (
    Event,
    StaffFactory,
    UserFactory,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.list_files import DANGEROUS, OTHER_KINDS, Bad
from tests.support.recalculated import recalculated
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.extras.imports import pages as _results_plan
from tournament.extras.imports.files.results import GAME_OUTCOMES, ROUND_OUTCOMES, words_for
from tournament.extras.imports.forms import results as results_import
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Membership, Play, Result, Seat, Tournament
from tournament.practice.demo import make_demo

pytestmark = pytest.mark.django_db
Cells = Mapping[tuple[int, str], Any]


class File:
    """A workbook that somebody fills in: cells by the name of the column and the row."""

    def __init__(self, content: bytes) -> None:
        self.book: Workbook = load_workbook(BytesIO(content))

    def column(self, name: str) -> tuple[str, str]:
        """The sheet's title and the letter of a named column."""
        sheet, _, cells = self.book.defined_names[name].attr_text.rpartition("!")
        return sheet.strip("'").replace("''", "'"), cells.split("$")[1]

    def place(self, name: str, row: int) -> str:
        sheet, letter = self.column(name)
        return f"{sheet}!{letter}{row}"

    def put(self, name: str, row: int, value: Any) -> "File":
        sheet, letter = self.column(name)
        self.book[sheet][f"{letter}{row}"] = value
        return self

    def rows(self, name: str) -> list[int]:
        """The numbers of the rows below the headings of the sheet with this column."""
        return list(range(2, self.book[self.column(name)[0]].max_row + 1))

    def values(self, name: str) -> list[Any]:
        sheet, letter = self.column(name)
        return [self.book[sheet][f"{letter}{row}"].value for row in self.rows(name)]

    @property
    def content(self) -> bytes:
        file = BytesIO()
        self.book.save(file)
        return file.getvalue()


@pytest.fixture
def head(browser: Browser) -> Callable[[Event], Browser]:
    """Sign the browser in as a head referee of an event."""

    def sign_in(made: Event) -> Browser:
        browser.force_login(made.referee(Membership.Role.HEAD_REFEREE))
        return browser

    return sign_in


def address(made: Event) -> str:
    return reverse("organise-results-import", args=[made.tournament.slug])


def template(browser: Browser, made: Event, plays: int = 2) -> File:
    answer = browser.get(reverse("organise-results-template", args=[made.tournament.slug]), {"plays": plays})
    assert answer.status_code == 200
    return File(answer.content)


def exported(browser: Client, tournament: Tournament) -> File:
    answer = browser.get(reverse("data", args=[tournament.slug]))
    return File(answer.getvalue())


def choose(browser: Browser, made: Event, file: File | bytes) -> Any:
    content = file.content if isinstance(file, File) else file
    return browser.post(address(made), {"file": SimpleUploadedFile("results.xlsx", content)})


def form_of(answer: Any) -> dict[str, Any]:
    return next(
        (form["data"] for form in Forms(answer.content.decode()).forms if "plays" in form["data"]), {}
    )


def ticks(answer: Any) -> set[str]:
    return {name for name in form_of(answer) if name.startswith("enter-")}


def enter(browser: Browser, made: Event, answer: Any, **more: str) -> Any:
    return browser.post(address(made), form_of(answer) | more)


def said(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def wrong(answer: Any) -> list[tuple[str, str]]:
    """List the errors, each with its cell."""
    plan = answer.context["plan"]
    return [
        (one.place, one.text) for one in [*plan.wrong, *(one for each in plan.refused for one in each.wrong)]
    ]


NOTHING = "Nothing to do. The file matches the recorded results."


def fill_round(file: File, first: int, players: int = 4) -> File:
    """The player in row `first` wins, the others hold a 7 each."""
    file.put("rounds_outcome", first, "won")
    for row in range(first + 1, first + players):
        file.put("rounds_7", row, 1)
    return file


def test_a_template_of_a_match_is_entered_whole(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    file = template(browser, made)
    assert file.values("rounds_player") == ["Aino", "Börje", "Cécile", "Dima"] * 2
    assert file.values("rounds_play") == [1] * 4 + [2] * 4
    fill_round(file, 2)
    file.put("rounds_outcome", 7, "won").put("rounds_last_cards", 7, "Draw 2").put("rounds_drew", 8, "yes")
    file.put("rounds_wild", 6, 1).put("rounds_skip", 8, 3).put("rounds_9", 9, 2)
    answer = choose(browser, made, file)
    assert (answer.status_code, wrong(answer), Play.objects.count()) == (200, [], 0)
    assert ticks(answer) == {"enter-1", "enter-2"}
    done = enter(browser, made, answer)
    assert done.status_code == 200
    first, second = Play.objects.order_by("number")
    aino, borje, cecile, dima = made.uids
    assert {row.entry.uid: (row.outcome, row.hand) for row in second.results.all()} == {
        aino: ("holds", {"wild": 1}),
        borje: ("won", {}),
        cecile: ("holds", {"skip": 3}),
        dima: ("holds", {"9": 2}),
    }
    assert second.drew
    assert (second.last_cards, second.drew.uid) == ({"draw2": 1}, cecile)
    assert first.results.get(outcome="won").entry.uid == aino
    assert verify(made.refresh().tournament) == []


def test_a_template_of_a_session_is_entered_whole(head: Any) -> None:
    made = running_session(players=4)
    browser = head(made)
    file = template(browser, made)
    title, letter = file.column("games_outcome")
    sheet = file.book[title]
    assert sheet.freeze_panes == "F2"  # who it is stays in sight
    assert sheet.column_dimensions[letter].width >= len("remaining")
    (ruled,) = [rule for each in sheet.conditional_formatting for rule in each.rules]
    assert ruled.formula == ["OR($A3<>$A2,$B3<>$B2,$C3<>$C2)"]  # a line between two games
    file.put("games_outcome", 2, "out").put("games_out_after", 2, "12:34")
    file.put("games_outcome", 3, "gave up").put("games_out_after", 3, "20:00")
    file.put("games_outcome", 4, "remaining").put("games_7", 4, 2)
    file.put("games_outcome", 5, "remaining").put("games_0", 5, 1)
    file.put("games_ending", 2, "the hour was up")
    file.put("games_outcome", 6, "out").put("games_out_after", 6, timedelta(minutes=9, seconds=5))
    file.put("games_outcome", 8, "last")
    answer = choose(browser, made, file)
    assert wrong(answer) == []
    assert enter(browser, made, answer).status_code == 200
    first, second = Play.objects.order_by("number")
    values = ("entry__start_number", "outcome", "elapsed_s", "hand")
    assert list(first.results.order_by("entry__start_number").values_list(*values)) == [
        (1, "out", 754, {}),
        (2, "gave_up", 1200, {}),
        (3, "remaining", None, {"7": 2}),
        (4, "remaining", None, {"0": 1}),
    ]
    assert list(second.results.order_by("entry__start_number").values_list(*values)) == [
        (1, "out", 545, {}),
        (3, "last", None, {}),
    ]
    assert (first.ended, second.ended) == ("time", "last")
    assert verify(made.refresh().tournament) == []


def test_a_template_of_heats_is_entered_whole(head: Any) -> None:
    made = running_heats(players=8, tables=2)
    browser = head(made)
    file = template(browser, made)
    assert len(file.rows("heats_finish")) == 8
    for row, place in ((3, 1), (2, 2), (6, 2), (7, 1)):
        file.put("heats_finish", row, place)
    answer = choose(browser, made, file)
    assert wrong(answer) == []
    assert enter(browser, made, answer).status_code == 200
    for table, order in zip(made.tables, ([1, 0], [1, 0]), strict=True):
        seated = made.at(table)
        finished = Result.objects.filter(play__table=table, outcome="finished").order_by("finish")
        assert [row.entry.uid for row in finished] == [seated[index] for index in order]
    assert verify(made.refresh().tournament) == []


@pytest.mark.parametrize("ruleset", ["mattel-108", "mattel-112", "tite-2022"])
def test_a_template_fits_every_ruleset_with_rounds(head: Any, ruleset: str) -> None:
    made = running_match(players=3, ruleset=ruleset, tables=1)
    browser = head(made)
    file = fill_round(template(browser, made), 2, players=3)
    answer = choose(browser, made, file)
    assert wrong(answer) == []
    enter(browser, made, answer)
    assert Play.objects.get().results.count() == 3
    assert verify(made.refresh().tournament) == []


def test_who_is_out_of_a_match_is_so_in_a_template(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    file = fill_round(template(browser, made), 2)
    file.put("rounds_outcome", 6, "won").put("rounds_7", 7, 1).put("rounds_7", 8, 1).put(
        "rounds_outcome", 9, "withdrawn"
    )
    answer = choose(browser, made, file)
    assert wrong(answer) == []
    enter(browser, made, answer)
    seat = Seat.objects.get(entry__uid=made.uids[3])
    assert (seat.out_as, seat.out_from) == ("withdrawn", 2)
    again = choose(browser, made, file)
    assert NOTHING in said(again)


def test_what_is_too_much_for_one_go_comes_the_next_time(head: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (results_import, _results_plan):
        monkeypatch.setattr(module, "MOST_ENTERED", 1)
    made = running_match(players=4)
    browser = head(made)
    file = fill_round(fill_round(template(browser, made), 2), 6)
    for label in ("Table 1, round 1", "Table 1, round 2"):
        answer = choose(browser, made, file)
        assert (ticks(answer), label in said(answer)) == ({"enter-1"}, True)
        enter(browser, made, answer)
    assert NOTHING in said(choose(browser, made, file))


def test_the_same_file_again_has_nothing_to_do(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    file = fill_round(template(browser, made), 2)
    enter(browser, made, choose(browser, made, file))
    rows = LedgerRow.objects.count()
    again = choose(browser, made, file)
    assert NOTHING in said(again)
    assert (ticks(again), LedgerRow.objects.count()) == (set(), rows)


def test_pressing_twice_enters_once(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    answer = choose(browser, made, fill_round(template(browser, made), 2))
    first, second = (enter(browser, made, answer) for _press in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert Play.objects.count() == 1
    assert LedgerRow.objects.filter(action="record_round").count() == 1


def test_a_round_entered_at_the_desk_meanwhile_is_not_overwritten(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    answer = choose(browser, made, fill_round(fill_round(template(browser, made), 2), 6))
    recorded_round(made, made.uids[1])
    done = enter(browser, made, answer)
    assert done.status_code == 422
    assert "Table 1, round 1" in said(done)
    assert [each["label"] for each in done.context["entered"]] == ["Table 1, round 2"]
    assert Play.objects.get(number=1).results.get(outcome="won").entry.uid == made.uids[1]


def test_a_round_entered_at_the_desk_before_is_a_correction(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    file = fill_round(template(browser, made), 2)
    play = recorded_round(made, made.uids[1])
    answer = choose(browser, made, file)
    [planned] = answer.context["plan"].corrected
    assert (planned.arguments["play"], planned.stale, ticks(answer)) == (play, True, set())


def test_what_changed_after_a_workbook_was_exported_is_not_ticked(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    first, second = recorded_round(made), recorded_round(made)
    file = exported(browser, made.tournament)
    one, two, *others = made.uids
    made.act(
        actions.correct_round,
        play=first,
        version=made.play(first).version,
        reason="misread",
        winner=two,
        hands={str(uid): {"9": 1} for uid in (one, *others)},
    )
    row = [str(text).startswith(str(second)) for text in file.values("hands_id")].index(True) + 3
    answer = choose(browser, made, file.put("hands_7", row, 3))
    assert [each.stale for each in answer.context["plan"].corrected] == [True, False]
    assert ticks(answer) == {"enter-2"}
    assert "Recorded after this file was created" in said(answer)


Change = Callable[[File], object]


def _sheet(file: File, name: str) -> Any:
    return file.book[file.column(name)[0]]


def _merge(file: File) -> None:
    column = file.column("rounds_outcome")[1]
    _sheet(file, "rounds_outcome").merge_cells(f"{column}2:{column}4")


DAMAGED: dict[str, tuple[Change, str]] = {
    "no hands": (
        lambda file: file.book.remove(_sheet(file, "hands_id")),
        "are recorded (7) but missing from the file",
    ),
    "no row of a hand": (
        lambda file: _sheet(file, "hands_id").delete_rows(3),
        "The cards of Börje are recorded",
    ),
    "no column of a card": (
        lambda file: file.book.defined_names.pop("hands_7"),
        "are recorded (7) but missing from the file",
    ),
    "a hand twice": (
        lambda file: file.put("hands_id", 4, file.values("hands_id")[1]),
        "This player’s row is listed twice.",
    ),
    "names moved": (
        lambda file: file.put("rounds_player", 2, "Börje").put("rounds_player", 3, "Aino"),
        "belongs to Aino, but the row says “Börje”",
    ),
    "merged": (_merge, "merged with the one above"),
    "renamed without its names": (
        lambda file: setattr(_sheet(file, "rounds_id"), "title", "Mine"),
        "names that identify its columns",
    ),
    "no outcomes": (
        lambda file: file.book.defined_names.pop("rounds_outcome"),
        "The column “Outcome” is missing from the sheet “rounds”",
    ),
    "of another event": (
        lambda file: [file.put("rounds_id", row, f"{uuid4()} {uuid4()}") for row in file.rows("rounds_id")],
        "Nothing in this file belongs to this event",
    ),
}


@pytest.mark.parametrize("damaged", DAMAGED.values(), ids=DAMAGED)
def test_a_workbook_that_lost_something_changes_nothing_and_says_what(
    head: Any, damaged: tuple[Change, str]
) -> None:
    change, words = damaged
    made = running_match(players=4)
    browser = head(made)
    recorded_round(made)
    file = exported(browser, made.tournament)
    change(file)
    answer = choose(browser, made, file)
    assert ticks(answer) == set()
    assert words in said(answer)


def test_a_hand_edited_in_an_exported_workbook_is_the_only_difference(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    recorded_round(made)
    play = recorded_round(made)
    file = exported(browser, made.tournament)
    row = next(
        row
        for row, text in zip(file.rows("hands_id"), file.values("hands_id"), strict=True)
        if text.startswith(f"{play} {made.uids[2]}")
    )
    file.put("hands_7", row, 2).put("hands_wild", row, 1)
    answer = choose(browser, made, file)
    [planned] = answer.context["plan"].planned
    assert answer.context["plan"].same == 1
    assert [(row.what, row.yours, row.theirs) for row in planned.change.rows if row.differs] == [
        ("Cécile", "7 (7 points)", "7, 7, Wild (64 points)")
    ]
    [aino] = [row for row in planned.change.totals if row.what == "Aino"]
    assert aino.theirs == f"{int(aino.yours.split()[0]) + 57} points (+57)"
    without = enter(browser, made, answer)
    assert (without.status_code, made.play(play).results.get(entry__uid=made.uids[2]).hand) == (422, {"7": 1})
    done = browser.post(address(made), form_of(without) | {"reason": "miscounted"})
    assert done.status_code == 200
    assert said(done).count(f'href="/en/desk/play/{play}/"') == 2  # the round, and its undo
    assert f'href="/en/t/{made.tournament.slug}/"' in said(done)
    assert made.play(play).results.get(entry__uid=made.uids[2]).hand == {"7": 2, "wild": 1}
    assert LedgerRow.objects.get(action="correct_round").note.text == "miscounted"
    assert verify(made.refresh().tournament) == []


def test_a_correction_meanwhile_is_a_conflict(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    play = recorded_round(made)
    file = exported(browser, made.tournament)
    answer = choose(browser, made, file.put("hands_7", 3, 2))
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="wrong table")
    done = enter(browser, made, answer, reason="miscounted")
    assert (done.status_code, made.play(play).state) == (422, "void")


def test_places_and_points_that_somebody_changed_are_not_read(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    recorded_round(made)
    file = exported(browser, made.tournament).put("rounds_points", 2, 99)
    answer = choose(browser, made, file)
    assert NOTHING in said(answer)
    assert file.place("rounds_points", 2) in said(answer)


@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_an_export_in_any_language_says_what_is_recorded(head: Any, language: str) -> None:
    made = running_session(players=3)
    browser = head(made)
    Tournament.objects.filter(pk=made.tournament.pk).update(language=language)
    a, b, c = made.uids
    play = started_game(made, elapsed_s=1200)
    made.act(actions.record_out, play=play, entry=a, elapsed_s=601)
    made.act(
        actions.end_game,
        play=play,
        version=made.play(play).version,
        ended="early",
        hands={str(b): {"7": 2}, str(c): {"draw2": 1}},
        elapsed_s=1200,
    )
    answer = choose(browser, made, exported(browser, made.tournament))
    assert NOTHING in said(answer)
    assert answer.context["plan"].same == 1


def test_removed_columns_and_sorted_rows_do_not_matter(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    recorded_round(made)
    file = exported(browser, made.tournament)
    sheet = file.book[file.column("hands_id")[0]]
    values = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    for row, line in enumerate(reversed(values), 2):
        for column, value in enumerate(line, 1):
            sheet.cell(row, column).value = value
    assert NOTHING in said(choose(browser, made, file))


def test_what_is_recorded_and_not_in_the_file_stays(head: Any) -> None:
    made = running_heats(players=8, tables=2)
    browser = head(made)
    recorded_heat(made)
    file = exported(browser, made.tournament)
    recorded_heat(made, made.tables[1])
    answer = choose(browser, made, file)
    assert "1 recorded result is not in the file and stays as it is" in said(answer)


def test_a_row_that_was_deleted_is_missed(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    recorded_round(made)
    file = exported(browser, made.tournament)
    file.book[file.column("rounds_id")[0]].delete_rows(3)
    file.put("rounds_outcome", 2, "holds cards").put("rounds_outcome", 3, "won")
    [missing] = [text for _place, text in wrong(choose(browser, made, file)) if "missing" in text]
    assert "Börje" in missing


WRONG: list[tuple[str, list[tuple[str, int, Any]], str, int, str]] = [
    (
        "time",
        [("games_outcome", 2, "out"), ("games_out_after", 2, "soon")],
        "games_out_after",
        2,
        "is not a time",
    ),
    (
        "late",
        [("games_outcome", 2, "out"), ("games_out_after", 2, "61:00")],
        "games_out_after",
        2,
        "is not a time",
    ),
    ("word", [("games_outcome", 2, "won")], "games_outcome", 2, "is not on the list"),
    ("no outcome", [("games_7", 2, 1)], "games_outcome", 2, "Choose an outcome"),
    ("cards", [("games_outcome", 2, "last"), ("games_7", 2, "many")], "games_7", 2, "is not a whole number"),
    (
        "not counted",
        [("games_outcome", 2, "last"), ("games_7", 2, 1)],
        "games_7",
        2,
        "only for players who remained",
    ),
    ("no ending", [("games_outcome", 2, "remaining"), ("games_7", 2, 1)], "games_ending", 2, "how the game"),
    ("no time", [("games_outcome", 2, "out"), ("games_outcome", 3, "last")], "games_out_after", 2, ""),
    ("id", [("games_id", 2, "lost"), ("games_outcome", 2, "last")], "games_id", 2, "id"),
    ("of another event", [("games_id", 2, f"{uuid4()} {uuid4()}")], "games_play", 2, "of this event"),
    (
        "gap",
        [("games_outcome", 6, "out"), ("games_out_after", 6, "9:00"), ("games_outcome", 7, "last")],
        "games_play",
        6,
        "Number 1 is next",
    ),
]


@pytest.mark.parametrize(
    ("typed", "name", "row", "text"),
    [case[1:] for case in WRONG],
    ids=[case[0] for case in WRONG],
)
def test_what_is_wrong_is_said_at_its_cell(
    head: Any, typed: list[tuple[str, int, Any]], name: str, row: int, text: str
) -> None:
    made = running_session(players=4)
    browser = head(made)
    file = template(browser, made)
    for column, at, value in typed:
        file.put(column, at, value)
    answer = choose(browser, made, file)
    found = dict(wrong(answer))
    assert file.place(name, row) in found, found
    assert text in found[file.place(name, row)]
    assert ticks(answer) == set()


TIMES: list[tuple[Any, str, int]] = [
    ("12:34:00", "@", 754),
    (12.34, "General", 754),
    (34 / 24 + 12 / 1440, "[h]:mm:ss", 2052),  # 34:12 as a spreadsheet keeps it: of hours and minutes
    (754.2 / 86400, "mm:ss", 754),
]


@pytest.mark.parametrize(("value", "shown", "seconds"), TIMES, ids=["hours", "number", "day", "seconds"])
def test_a_time_is_minutes_and_seconds_however_it_is_kept(
    head: Any, value: Any, shown: str, seconds: int
) -> None:
    made = running_session(players=2)
    browser = head(made)
    file = template(browser, made)
    file.put("games_outcome", 2, "out").put("games_out_after", 2, value).put("games_outcome", 3, "last")
    sheet, letter = file.column("games_out_after")
    file.book[sheet][f"{letter}2"].number_format = shown
    [planned] = choose(browser, made, file).context["plan"].new
    assert planned.arguments["results"][0]["elapsed_s"] == seconds


def test_last_cards_alone_are_a_round_that_nobody_filled_in_whole(head: Any) -> None:
    made = running_match(players=4)
    browser = head(made)
    file = template(browser, made).put("rounds_last_cards", 2, "Draw 2")
    assert wrong(choose(browser, made, file)) == [
        (file.place("rounds_outcome", 2), "Nobody won this round. Choose the winner.")
    ]


def test_a_finished_stage_takes_no_corrections(head: Any) -> None:
    made = running_match(players=2, target=50)
    browser = head(made)
    recorded_round(made, made.uids[0], **{str(made.uids[1]): {"wild": 1}})
    made.act(actions.finish_stage, stage=made.stage.uid)
    file = exported(browser, made.tournament).put("hands_wild", 3, 2)
    [(place, _text)] = wrong(choose(browser, made, file))
    assert place == file.place("rounds_play", 2)


@pytest.mark.parametrize("bad", [*DANGEROUS.values(), *OTHER_KINDS.values()], ids=[*DANGEROUS, *OTHER_KINDS])
@pytest.mark.sweep
def test_bad_files_are_refused(head: Any, bad: Bad) -> None:
    made = running_match(players=2)
    answer = choose(head(made), made, bad.make())
    assert answer.status_code == 422
    assert "plan" not in (answer.context or {})


def test_lists_and_empty_workbooks_are_no_results(head: Any) -> None:
    made = running_match(players=2)
    browser, file = head(made), BytesIO()
    Workbook().save(file)
    assert "names that identify its columns" in said(choose(browser, made, file.getvalue()))
    assert "This is not an Excel file" in said(choose(browser, made, b"Name;Club\nAino;Noppa\n"))


@pytest.mark.parametrize(
    "plays",
    [
        "",
        "[",
        "7",
        "[[1]]",
        '[[1,"x","void_play",{"play":"1"}]]',
        '[[1,"x","record_round",{}]]',
        '[[1,"x","record_round",{"play":7}]]',
        '[[1,"x","record_heat",{"table":"x","play":"y","number":1,"finish_order":[]}]]',
        "[" * 5000,
        '[[1,"\\ud800","record_game",{"table":"00000000-0000-0000-0000-000000000000","play":'
        '"00000000-0000-0000-0000-000000000000","number":1,"ended":"last","results":[]}]]',
    ],
    ids=["none", "half", "number", "short", "action", "nothing", "no id", "no ids", "deep", "half a letter"],
)
def test_what_comes_back_may_be_anything(head: Any, plays: str) -> None:
    made = running_match(players=2)
    sent = {"plays": plays, "upload": str(uuid4()), "enter-1": "on"}
    assert head(made).post(address(made), sent).status_code == 422
    assert Play.objects.count() == 0


@pytest.mark.parametrize(
    ("role", "status"), [("organiser", 200), ("head_referee", 200), ("table_referee", 403)]
)
def test_head_referees_and_organisers_read_results(browser: Browser, role: str, status: int) -> None:
    made = running_match(players=2)
    browser.force_login(made.referee(role))
    assert browser.get(address(made)).status_code == status
    assert (
        browser.get(reverse("organise-results-template", args=[made.tournament.slug])).status_code == status
    )


def test_strangers_do_not_learn_of_the_page(browser: Browser) -> None:
    made = running_match(players=2)
    browser.force_login(UserFactory())
    assert browser.get(address(made)).status_code == 404


@pytest.mark.parametrize(
    "choices", [GAME_OUTCOMES, ROUND_OUTCOMES, Play.Ended], ids=["game", "round", "ending"]
)
def test_words_of_outcomes_mean_one_thing_in_all_languages(choices: Any) -> None:
    assert set(words_for(choices).values()) == {str(choice.value) for choice in choices}


@pytest.mark.sqlite
@pytest.mark.sweep
def test_exports_of_the_demo_say_what_is_recorded(browser: Browser) -> None:
    with translation.override("en"):
        make_demo()
    admin = StaffFactory()
    browser.force_login(admin)
    races = Tournament.objects.filter(
        stages__kind__in=["race", "races"]
    )  # which the template has no sheets for
    for tournament in Tournament.objects.exclude(state="planned").exclude(pk__in=races):
        made = Event(tournament, admin)
        answer = choose(browser, made, exported(browser, tournament))
        plan = answer.context["plan"]
        assert (plan.planned, plan.wrong, plan.ignored, plan.absent) == ([], [], [], 0), tournament
        assert plan.same > 0


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.program
def test_workbooks_that_libreoffice_saved_are_read(head: Any, tmp_path: Path) -> None:
    made = running_session(players=3)
    browser = head(made)
    a, b, c = made.uids
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        ended="early",
        results=[
            {"entry": a, "outcome": "out", "elapsed_s": 601},
            {"entry": b, "outcome": "remaining", "hand": {"7": 2}},
            {"entry": c, "outcome": "remaining", "hand": {"0": 1}},
        ],
        duration_s=1199,
    )
    filled = template(browser, made).put("games_outcome", 2, "out").put("games_out_after", 2, "12:34")
    filled.put("games_outcome", 3, "out").put("games_out_after", 3, "20:00").put("games_outcome", 4, "last")
    books = {"template": filled.content, "export": exported(browser, made.tournament).content}
    saved = {}
    for name, book in recalculated(books, tmp_path).items():
        saved[name] = (tmp_path / "target" / f"{name}.xlsx").read_bytes()
        assert book.sheetnames
    export = choose(browser, made, saved["export"])
    assert NOTHING in said(export)
    plan = export.context["plan"]
    assert (plan.same, plan.wrong, plan.ignored) == (1, [], [])
    answer = choose(browser, made, saved["template"])
    assert wrong(answer) == []
    enter(browser, made, answer)
    game = Play.objects.get(number=2)
    assert list(game.results.order_by("pk").values_list("elapsed_s", flat=True)) == [754, 1200, None]
