"""The workbook of a tournament, read back as its reader opens it."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any
from unittest import mock
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from rulesets import RULESETS
from tests.files.workbook.conftest import Opened
from tests.support.factories import (
    Event,
    StaffFactory,
    UserFactory,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.uids import without_uids
from tournament import actions
from tournament.models import LedgerRow, Membership, User
from tournament.words.rulings import rulings_of

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]
ANY = mock.ANY
HELSINKI = ZoneInfo("Europe/Helsinki")


def recorded_game(made: Event, *results: dict[str, Any], ended: str = "last") -> UUID:
    play = uuid4()
    made.act(
        actions.record_game,
        table=made.table.uid,
        play=play,
        number=made.table.plays.count() + 1,
        ended=ended,
        results=results,
    )
    return play


def upto(row: dict[str, Any], last: str) -> dict[str, Any]:
    """The columns of a row up to this one."""
    return {key: row[key] for key in [*takewhile(lambda key: key != last, row), last]}


def held(book: Opened) -> list[tuple[str, dict[str, int]]]:
    """Whose hand each row of the hands is, and its cards."""
    kinds = [str(key) for key in book.rows("Cards")[0]][1:]
    return [(row["Player"], {kind: row[kind] for kind in kinds if row[kind]}) for row in book.rows("Hands")]


def test_a_session_shows_averages_as_numbers_and_exactly(opened: Open) -> None:
    made = running_session(players=3)
    a, b, c = made.uids
    recorded_game(
        made,
        {"entry": a, "outcome": "out", "elapsed_s": 610},
        {"entry": b, "outcome": "out", "elapsed_s": 725},
        {"entry": c, "outcome": "last"},
    )
    for _ in range(2):
        recorded_game(
            made,
            {"entry": b, "outcome": "out", "elapsed_s": 300},
            {"entry": a, "outcome": "out", "elapsed_s": 420},
            {"entry": c, "outcome": "last"},
        )
    book = opened(made)
    assert book.titles == [
        "Tournament", "Standings", "Games", "Hands", "Cards", "Settings", "Average over games", "Rulings used",
        "Players",
    ]  # fmt: skip
    assert [tuple(row.values())[:9] for row in book.rows("Standings")] == [
        (1, "Börje", None, 2, 22, 3, pytest.approx(22 / 3), "22/3", "ranked"),
        (2, "Aino", None, 1, 24, 3, 8, "8", "ranked"),
        (3, "Cécile", None, 3, 26, 3, pytest.approx(26 / 3), "26/3", "ranked"),
    ]
    average = book.sheet("Standings")["G2"]
    assert (average.data_type, average.number_format) == ("n", "0.00")
    assert book.facts()["Session: leads"] == "Börje"


def test_a_finished_session_names_its_winner_and_loser(opened: Open) -> None:
    made = running_session(players=2)
    a, b = made.uids
    recorded_game(
        made,
        {"entry": a, "outcome": "remaining", "hand": {"7": 1}},
        {"entry": b, "outcome": "remaining", "hand": {"7": 1, "draw2": 2}},
        ended="time",
    )
    made.act(actions.finish_stage, stage=made.stage.uid)
    facts = opened(made).facts()
    assert (facts["Session: winner"], facts["Session: loser"]) == ("Aino", "Börje")


def test_the_last_entry_is_when_a_play_was_entered_and_not_when_its_stage_was_finished(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running_match(players=3)
    began = timezone.now().replace(microsecond=0)

    def said(reader: User | None = None) -> list[int]:
        """Minutes after the first entry, round by round."""
        rows = opened(made, reader).rows("Rounds")[::3]
        at = [row["Last entry (Europe/Helsinki)"].replace(tzinfo=HELSINKI) for row in rows]
        return [round((each - began).total_seconds() / 60) for each in at]

    def later(minutes: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: began + timedelta(minutes=minutes))

    later(0)
    first = recorded_round(made)
    later(7)
    recorded_round(made)
    later(20)
    made.act(actions.stop_match, table=made.table.uid, reason="time is up")
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert said() == [0, 7]
    later(30)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="one is wrong")
    later(40)
    made.act(actions.void_play, play=first, version=made.play(first).version, reason="the wrong table")
    assert said(made.user) == [40, 7]
    assert said() == [0, 7]


def test_games_have_their_times_as_dates_and_hands_card_by_card(opened: Open) -> None:
    made = running_session(players=2)
    a, b = made.uids
    play = started_game(made, elapsed_s=900)
    made.act(
        actions.end_game,
        play=play,
        version=made.play(play).version,
        ended="early",
        hands={str(a): {"7": 2}, str(b): {"draw2": 1, "0": 1, "wild": 1}},
        elapsed_s=1500,
    )
    book = opened(made)
    stored = made.play(play)
    started = stored.started_at.astimezone(HELSINKI).replace(tzinfo=None, microsecond=0)
    first, second = [upto(row, "Check") for row in book.rows("Games")]
    entered = first.pop("Last entry (Europe/Helsinki)")
    assert first == {
        "Stage": "Session",
        "Table": 1,
        "Game": 1,
        "State": "entered",
        "Started (Europe/Helsinki)": started,
        "Ended (Europe/Helsinki)": started + timedelta(seconds=1500),
        "Duration": timedelta(minutes=25),
        "How it ended": "stopped early",
        "Start number": 1,
        "Player": "Aino",
        "Outcome": "remaining",
        "Out after": None,
        "Cards left": 2,
        "Place": 1,
        "Points": 65,
        "Place by formula": ANY,
        "Points by formula": ANY,
        "Check": ANY,
    }
    written = LedgerRow.objects.get(tournament=made.tournament, sequence=stored.version).at
    assert entered == written.astimezone(HELSINKI).replace(tzinfo=None, microsecond=0)
    assert (second["Place"], second["Points"], second["Cards left"]) == (2, 70, 3)
    assert book.sheet("Games")["E2"].is_date
    assert held(book) == [("Aino", {"7": 2}), ("Börje", {"0": 1, "Draw 2": 1, "Wild": 1})]
    assert book.rows("Cards")[0] == {
        "Card": "Points",
        **{str(number): number for number in range(10)},
        "Draw 2": 20,
        "Reverse": 20,
        "Skip": 20,
        "Wild": 50,
        "Wild Draw 4": 50,
    }


def test_a_running_game_is_listed_without_places(opened: Open) -> None:
    made = running_session(players=3)
    play = started_game(made, elapsed_s=130)
    made.act(actions.record_out, play=play, entry=made.uids[0], elapsed_s=125)
    rows = opened(made).rows("Games")
    assert [(row["State"], row["Outcome"], row["Out after"], row["Points"]) for row in rows] == [
        ("running", "out", timedelta(seconds=125), None),
        ("running", "playing", None, None),
        ("running", "playing", None, None),
    ]


def test_void_rounds_are_listed_without_points_and_do_not_count(opened: Open) -> None:
    made = running_match(players=3)
    void = recorded_round(made)
    recorded_round(made, winner=made.uids[1])
    made.act(actions.void_play, play=void, version=made.play(void).version, reason="wrong table")
    book = opened(made)
    rounds = [(row["Round"], row["State"], row["Player"], row["Points"]) for row in book.rows("Rounds")]
    assert rounds == [
        (1, "void", "Aino", None),
        (1, "void", "Börje", None),
        (1, "void", "Cécile", None),
        (2, "entered", "Aino", 0),
        (2, "entered", "Börje", 14),
        (2, "entered", "Cécile", 0),
    ]
    assert [(row["State"], *hand) for row, hand in zip(book.rows("Hands"), held(book), strict=True)] == [
        ("void", "Aino", {}),
        ("void", "Börje", {"7": 1}),
        ("void", "Cécile", {"7": 1}),
        ("entered", "Aino", {"7": 1}),
        ("entered", "Börje", {}),
        ("entered", "Cécile", {"7": 1}),
    ]
    standings = [
        (row["Place"], row["Player"], row["Points"], row["Rounds won"]) for row in book.rows("Standings")
    ]
    assert standings == [(1, "Börje", 14, 1), (2, "Aino", 0, 0), (2, "Cécile", 0, 0)]


def test_rounds_that_a_correction_made_impossible_are_set_aside(opened: Open) -> None:
    made = running_match(players=2, target=100)
    a, b = made.uids
    first = recorded_round(made, winner=a)
    recorded_round(made, winner=b)
    made.act(
        actions.correct_round,
        play=first,
        version=made.play(first).version,
        reason="counted again",
        winner=a,
        hands={str(b): {"wild": 2, "0": 1}},
        last_cards={"draw2": 1},
        drew=b,
    )
    book = opened(made)
    rows = book.rows("Rounds")
    assert [(row["Round"], row["State"], row["Player"], row["Points"]) for row in rows] == [
        (1, "entered", "Aino", 100),
        (1, "entered", "Börje", 0),
        (2, "set aside", "Aino", None),
        (2, "set aside", "Börje", None),
    ]
    assert (rows[0]["Last cards played"], rows[1]["Drew for the last cards"]) == ("1 × Draw 2", "yes")
    assert book.facts()["Match: winner"] == "Aino"
    assert book.facts()["Match: target"] == 100


def test_each_table_of_a_match_stage_has_its_standings(opened: Open) -> None:
    made = running_match(players=4, tables=2)
    recorded_round(made)
    rows = opened(made).rows("Standings")
    assert [(row["Table"], row["Place"], row["Player"]) for row in rows] == [
        (1, 1, "Aino"),
        (1, 2, "Cécile"),
        (2, 1, "Börje"),
        (2, 1, "Dima"),
    ]


def test_a_player_who_was_removed_has_no_place(opened: Open) -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.remove_player, entry=made.uids[0], reason="disturbed the event")
    book = opened(made)
    last = book.rows("Standings")[-1]
    assert (last["Place"], last["Player"], last["Status"]) == (None, "Aino", "disqualified")
    assert book.rows("Players")[0]["State"] == "disqualified"


def test_heats_and_final_are_sheets_of_their_own(opened: Open) -> None:
    made = running_heats(players=6, tables=2, advance=1)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", name="Final: [1/2]", settings={"target": 300})
    reserve = made.at(made.tables[0])[2]
    made.act(actions.fill_stage, stage=final, decided=[reserve], reason="best loser")
    made.act(actions.start_stage, stage=final)
    book = opened(made)
    assert book.titles == [
        "Tournament", "1 Heats", "2 Final 1 2", "Heats", "Settings", "Bracket", "Rulings used", "Players",
    ]  # fmt: skip
    assert [tuple(row.values())[:6] for row in book.rows("1 Heats")] == [
        (1, 1, "Aino", None, 1, "yes"),
        (1, None, "Cécile", None, 3, None),
        (1, None, "Eeva", None, 5, "by decision"),
        (2, 1, "Börje", None, 2, "yes"),
        (2, None, "Dima", None, 4, None),
        (2, None, "Fatima", None, 6, None),
    ]
    assert [(row["Heat"], row["Outcome"], row["Order of going out"]) for row in book.rows("Heats")][:2] == [
        (1, "finished", 1),
        (1, "playing", None),
    ]
    assert book.facts()["Heats: goes through"] == "Aino, Börje"
    assert [row["Player"] for row in book.rows("2 Final 1 2")] == ["Aino", "Börje", "Eeva"]
    final = "Final: [1/2]"
    assert [tuple(row.values()) for row in book.rows("Bracket")] == [
        ("Heats", 1, 1, 1, "Aino", final, 1, "through by the heat", None),
        ("Heats", 1, None, 5, "Eeva", final, 1, "by decision", None),
        ("Heats", 2, 1, 2, "Börje", final, 1, "through by the heat", None),
    ]
    named = {row["Player"]: row for row in opened(made, made.user).rows("Bracket")}
    assert (named["Eeva"]["Decided by"], named["Eeva"]["Reason given"]) == (
        made.user.display_name(),
        "best loser",
    )
    assert (named["Aino"]["Decided by"], named["Aino"]["Reason given"]) == (None, None)


def test_who_steps_back_or_is_in_reserve_does_not_go_through(opened: Open) -> None:
    made = running_heats(players=6, tables=2, advance=1)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final)
    aino, dima, cecile = (made.uids[player] for player in (0, 3, 2))
    made.act(actions.swap_finalist, stage=final, out=aino, enters=cecile, reason="ill")
    made.act(actions.name_reserves, stage=final, entries=[dima], reason="by lot")
    through = {row["Player"]: row["Goes through"] for row in opened(made).rows("1 Heats")}
    assert through == {
        "Aino": "no, by decision",
        "Cécile": "by decision",
        "Eeva": None,
        "Börje": "yes",
        "Dima": None,
        "Fatima": None,
    }
    assert {
        row["Player"]: (row["Goes on to"], row["Why"], row["Seat"]) for row in opened(made).rows("Bracket")
    } == {
        "Aino": (None, "steps back, by decision", None),
        "Cécile": ("Final", "by decision", None),
        "Börje": ("Final", "through by the heat", None),
        "Dima": (None, "in reserve (1)", None),
    }


def test_an_event_without_anything_still_gives_a_workbook(opened: Open) -> None:
    assert opened(event()).titles == ["Tournament"]


def test_a_planned_final_without_its_target_has_no_standings_yet(opened: Open) -> None:
    made = add_stage(event("tite-2022", 4), "final", start=False)
    assert opened(made).titles == ["Tournament", "Players"]


def test_hostile_names_are_text_everywhere(opened: Open) -> None:
    names = ['=HYPERLINK("http://example.org")', "@" + "x" * 99, "محمد الأمين", "<script>alert(1)</script>"]
    made = event("mattel-108", name="+1 /[x]: 张伟\u202e")
    made.act(
        actions.enter_players,
        players=[{"entry": uuid4(), "name": name, "club": f"-{index}"} for index, name in enumerate(names)],
    )
    made.entries = list(made.tournament.entries.all())
    made = add_stage(made, "match")
    made.act(actions.set_stage_settings, stage=made.stage.uid, settings={}, name="=Match?*")
    recorded_round(made)
    book = opened(made)
    assert [row["Player"] for row in book.rows("Players")] == names
    cells = [cell for sheet in book.book for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d", "f"}
    assert {cell.value for cell in cells if cell.data_type != "f"} >= {*names, "=Match?*"}
    disposition = book.response["Content-Disposition"]
    assert disposition.isascii()
    assert "%E2%80%AE" not in disposition
    assert "filename*=UTF-8''%2B1%20x%20%E5%BC%A0" in disposition.replace("%5B", "").replace("%5D", "")


def test_the_first_sheet_names_the_ledger_as_it_was(opened: Open) -> None:
    made = running_match()
    facts = opened(made).facts()
    made.refresh()
    assert facts["Digest of that row"] == made.tournament.ledger_head
    assert facts["Last row of the ledger"] == made.tournament.version
    assert facts["Date"] == datetime(2026, 5, 9)  # noqa: DTZ001 - a cell has no zone
    assert isinstance(facts["Exported (Europe/Helsinki)"], datetime)


def test_headings_are_in_the_tournaments_language_whatever_the_page_is_in(opened: Open) -> None:
    made = running_match()
    finnish = opened(made, language="fi")
    titles = ["Tournament", "Standings", "Settings", "Rulings used", "Players"]
    assert finnish.titles == opened(made, language="sv").titles == titles


def test_the_ledger_is_for_those_who_may_read_its_page(opened: Open) -> None:
    made = running_match(players=3)
    void = recorded_round(made)
    made.act(actions.void_play, play=void, version=made.play(void).version, reason="=secret reason")
    made.act(
        actions.record_penalty,
        incident=uuid4(),
        table=made.table.uid,
        entry=made.uids[0],
        code="uno_not_said",
    )
    made.act(actions.record_ruling, incident=uuid4(), text="=May Aino look?", ruling="Not at all.")
    head = made.referee()
    table_only = made.referee(Membership.Role.TABLE_REFEREE, made.table)
    tables = made.referee(Membership.Role.TABLE_REFEREE)
    elsewhere = running_match().referee()
    for user in (None, UserFactory(), elsewhere, table_only, tables):
        book = opened(made, user)
        assert not {"Ledger", "Incidents"} & set(book.titles)
        assert "secret reason" not in book.everything()
        assert "May Aino look?" not in book.everything()
        assert list(book.rows("Rulings used")[0]) == ["Of", "Question", "Ruling"]
        assert made.user.display_name() not in book.everything()
    for user in (head, made.user, StaffFactory()):
        book = opened(made, user)
        said, ruled = book.rows("Incidents")
        assert (said["Player"], said["What happened"], said["Cards to draw"]) == ("Aino", "“Uno” not said", 2)
        assert (ruled["Where"], ruled["In words"], ruled["Ruling"]) == (
            "The whole event",
            "=May Aino look?",
            "Not at all.",
        )
        used = [tuple(row.values()) for row in book.rows("Rulings used")]
        assert used[0][1:] == (*rulings_of("mattel-108")[0], None)
        assert [(row[0], row[1], row[3]) for row in used[-2:]] == [
            ("Rule sheet", "“Uno” not said", 1),
            ("Referees", "=May Aino look?", 1),
        ]
        rows = book.rows("Ledger")
        stored = list(LedgerRow.objects.filter(tournament=made.tournament).order_by("sequence"))
        assert [(row["Row"], row["Digest"], row["Replaces row"]) for row in rows] == [
            (row.sequence, row.digest, row.replaces) for row in stored
        ]
        voided = next(row for row in rows if row["What"] == "voided a game, round or heat")
        assert voided["Note"] == "=secret reason"
        assert voided["Who"] == made.user.display_name()
        assert voided["Device"] == "test"
        assert isinstance(voided["Time (Europe/Helsinki)"], datetime)


def test_birth_dates_and_contacts_never_leave(opened: Open) -> None:
    made = running_match(players=2)
    made.act(
        actions.edit_entry,
        entry=made.uids[0],
        public_name="Aino",
        start_number=1,
        birth_date=date(1987, 6, 5),
        contact="aino@example.org",
    )
    everything = opened(made, made.user).everything()
    assert "1987" not in without_uids(everything)
    assert "aino@" not in everything


def test_the_answer_is_a_download_that_nobody_keeps(opened: Open) -> None:
    made = event(name="Kevätturnaus", slug="kevat-2026")
    response = opened(made).response
    today = datetime.now(HELSINKI).date().isoformat()
    assert response["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Disposition"] == (
        f"attachment; filename=\"kevat-2026-{today}.xlsx\"; filename*=UTF-8''Kev%C3%A4tturnaus%20{today}.xlsx"
    )


def test_addresses_unlisted_unknown_and_methods(client: Client) -> None:
    made = event(listed=False)
    address = f"/en/t/{made.tournament.slug}/results.xlsx"
    head = client.head(address)
    assert (head.status_code, head.content, head["Cache-Control"]) == (200, b"", "no-store")
    assert client.get(address).status_code == 200
    assert client.post(address).status_code == 405
    assert client.get("/en/t/nothing-here/results.xlsx").status_code == 404


def test_queries_do_not_grow_with_the_players(django_assert_num_queries: Any, opened: Open) -> None:
    for players in (2, 6):
        made = running_match(players=players)
        recorded_round(made)
        recorded_round(made)
        with django_assert_num_queries(16, exact=False):
            opened(made)


def test_too_many_workbooks_at_once_are_put_off(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import BoundedSemaphore

    from tournament.views.public import workbook

    made = event()
    full = BoundedSemaphore(1)
    full.acquire()
    monkeypatch.setattr(workbook, "_writing", full)
    monkeypatch.setattr(workbook, "WAIT_S", 0)
    response = client.get(f"/en/t/{made.tournament.slug}/results.xlsx")
    assert (response.status_code, response["Retry-After"]) == (503, "60")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rulings_are_said_as_the_documentation_gives_their_reasons(ruleset: str) -> None:
    """But for the quotation marks, which are typographic in words."""
    section, documented = "", {}
    for line in (Path(__file__).parents[3] / "docs" / "rulings.md").read_text().splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith(("| question |", "| --- |")):
            question, ruling, _reason = line.strip("| ").split(" | ")
            wording = RULESETS[ruleset].wording
            if section == "All rulesets" or (wording and wording in section.partition(":")[0]):
                documented[question] = ruling
    plain = str.maketrans("’“”", '\'""')
    assert {
        question.translate(plain): ruling.translate(plain) for question, ruling in rulings_of(ruleset)
    } == documented
