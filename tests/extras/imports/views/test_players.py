"""Lists from files on the organiser's pages: looked at first, entered when confirmed, and entered once."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from tests.support.factories import Event, UserFactory, event
from tests.support.list_files import DANGEROUS, OTHER_KINDS, WRONG, Bad, Wrong, workbook
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.extras.imports.files.lists import read_list
from tournament.extras.imports.files.problems import problem_text
from tournament.models import Entry, LedgerRow, Membership, Player, Tournament, User

pytestmark = pytest.mark.django_db
LIST = "Name;Nickname;Club;Number;Born;Contact;Guardian\nIida Niemi;Viitonen;Noppa;50;3.2.2001;i@b.fi;x\nOtso;;;;;;\n"


def address(made: Event) -> str:
    return reverse("organise-import", args=[made.tournament.slug])


def choose(browser: Browser, made: Event, content: bytes | str, name: str = "list.csv") -> Any:
    data = content.encode() if isinstance(content, str) else content
    return browser.post(address(made), {"file": SimpleUploadedFile(name, data)})


def form_of(answer: Any) -> dict[str, Any]:
    """Give the data that the preview's untouched form would send."""
    return next(form["data"] for form in Forms(answer.content.decode()).forms if "rows" in form["data"])


def confirm(browser: Browser, made: Event, answer: Any, *, leave: tuple[str, ...] = (), **ticked: str) -> Any:
    fields = {key: value for key, value in form_of(answer).items() if key not in leave}
    return browser.post(
        address(made), fields | {key.replace("_", "-"): value for key, value in ticked.items()}
    )


def ticks(answer: Any) -> set[str]:
    return {key for key in form_of(answer) if key.startswith(("enter-", "another-", "same-"))}


def said(answer: Any) -> str:
    """The page's words in one line."""
    return " ".join(answer.content.decode().split())


def test_list_is_looked_at_then_entered(browser: Browser, planned: Event) -> None:
    rows = LedgerRow.objects.count()
    answer = choose(browser, planned, LIST)
    assert answer.status_code == 200
    assert (Entry.objects.count(), Player.objects.count(), LedgerRow.objects.count()) == (7, 7, rows)
    assert ticks(answer) == {"enter-2", "enter-3"}
    sent = confirm(browser, planned, answer)
    assert sent.status_code == 303
    assert sent.headers["Location"].startswith(reverse("organise-players", args=[planned.tournament.slug]))
    iida = Entry.objects.get(public_name="Viitonen")
    assert (iida.player.name, iida.club, iida.start_number) == ("Iida Niemi", "Noppa", 50)
    assert (iida.player.birth_date, iida.player.contact, iida.guardian) == (date(2001, 2, 3), "i@b.fi", True)
    otso = Entry.objects.get(public_name="Otso")
    assert (otso.player.name, otso.start_number, otso.guardian) == ("Otso", 51, False)
    assert LedgerRow.objects.count() == rows + 1


def test_who_has_paid_is_read_in_each_language(browser: Browser, planned: Event) -> None:
    for number, heading in enumerate(("Fee paid", "Maksettu", "Avgift betald")):
        answer = choose(browser, planned, f"Nimi;{heading}\nOtso {number};x\nPihla {number};\n")
        assert "fee paid" in said(answer)
        assert confirm(browser, planned, answer).status_code == 303
    paid = Entry.objects.filter(paid=True).order_by("pk").values_list("public_name", flat=True)
    assert list(paid) == ["Otso 0", "Otso 1", "Otso 2"]
    again = choose(browser, planned, "Nimi;Maksettu\nOtso 0;x\nPihla 0;x\n")
    assert "The list differs in: <b>Fee paid</b>" in said(again)
    assert len(again.context["groups"]["entered"]) == 1


def test_same_file_twice_changes_nothing(browser: Browser, planned: Event) -> None:
    confirm(browser, planned, choose(browser, planned, LIST))
    rows = LedgerRow.objects.count()
    again = choose(browser, planned, LIST)
    assert ticks(again) == set()
    assert "Everyone is already in" in said(again)
    assert "Nothing will change." in said(again)
    assert confirm(browser, planned, again).status_code == 422
    assert (Entry.objects.count(), LedgerRow.objects.count()) == (9, rows)


def test_confirmed_twice_is_entered_once(browser: Browser, planned: Event) -> None:
    answer = choose(browser, planned, LIST)
    first, second = (confirm(browser, planned, answer) for _time in range(2))
    assert first.status_code == second.status_code == 303
    assert first.headers["Location"] == second.headers["Location"]
    assert Entry.objects.count() == 9


def test_confirmed_again_with_other_ticks_keeps_them(browser: Browser, planned: Event) -> None:
    answer = choose(browser, planned, LIST)
    confirm(browser, planned, answer, leave=("enter-3",))
    other = confirm(browser, planned, answer)
    assert other.status_code == 422
    assert "already confirmed with different boxes ticked" in said(other)
    assert ticks(other) == {"enter-3"}
    assert form_of(other)["command"] != form_of(answer)["command"]
    assert confirm(browser, planned, other).status_code == 303
    assert Entry.objects.count() == 9


def test_only_ticked_rows_are_entered(browser: Browser, planned: Event) -> None:
    answer = choose(browser, planned, LIST)
    assert confirm(browser, planned, answer, leave=("enter-2",)).status_code == 303
    assert set(Entry.objects.filter(pk__gt=planned.entries[-1].pk).values_list("public_name", flat=True)) == {
        "Otso"
    }
    none = confirm(browser, planned, choose(browser, planned, "Name\nPihla\n"), leave=("enter-2",))
    assert none.status_code == 422
    assert "Tick at least one player." in said(none)


def test_a_faulty_row_among_good_ones_is_named_in_the_receipt(browser: Browser, planned: Event) -> None:
    answer = choose(browser, planned, "Name,Birth date\nVenla,\nOtso,never\n")
    for _twice in range(2):
        sent = confirm(browser, planned, answer)
        assert "1 row with a fault was not added" in said(browser.get(sent.headers["Location"]))
    assert not Entry.objects.filter(public_name="Otso").exists()
    sent = confirm(browser, planned, choose(browser, planned, "Name\nAada\n"))
    assert "not added" not in said(browser.get(sent.headers["Location"]))


def test_a_changed_list_is_previewed_again_with_the_ticks_as_they_were(
    browser: Browser, planned: Event
) -> None:
    data = form_of(browser.post(address(planned), {"players": "Venla\nAada"}))
    again = {key: value for key, value in data.items() if key != "enter-1"} | {"preview": "1"}
    answer = browser.post(address(planned), again | {"players": "Otso\nVenla\nAada"})
    assert (answer.status_code, ticks(answer)) == (200, {"enter-1", "enter-3"})


def test_namesakes_wait_for_their_tick(browser: Browser, planned: Event) -> None:
    answer = choose(browser, planned, "Name;Born\nIida;\nIida;\nAino;1.1.1990\n")
    assert ticks(answer) == {"enter-2"}
    assert "The same name is already in row 2." in said(answer)
    sent = confirm(browser, planned, answer, another_3="on")
    assert sent.status_code == 303
    assert Entry.objects.filter(public_name="Iida").count() == 2
    assert Entry.objects.filter(public_name="Aino").count() == 1


def test_what_looks_private_waits_for_its_tick(browser: Browser, planned: Event) -> None:
    answer = choose(
        browser, planned, "Name;Nickname;Club\nIida;0401234567;\nOtso;;www.noppa.fi\nPia;;\n040 123456;;\n"
    )
    assert ticks(answer) == {"enter-4"}
    for words in ("0401234567", "www.noppa.fi", "040 123456"):
        assert said(answer).count(f"Everyone would see “{words}”.") == 1
    assert confirm(browser, planned, answer, enter_2="on", enter_3="on").status_code == 303
    found = Entry.objects.filter(tournament=planned.tournament).values_list("public_name", "club")
    assert {("0401234567", ""), ("Otso", "www.noppa.fi"), ("Pia", "")} <= set(found)


def test_what_differs_is_named_and_not_changed(browser: Browser, planned: Event) -> None:
    answer = choose(browser, planned, "Name;Club;Number\nAino;Noppa;9\n")
    assert (
        "Already in the event as <bdi>Aino</bdi>. The list differs in: <b>Club or group, Start number</b>"
        in said(answer)
    )
    assert reverse("organise-player", args=[planned.entries[0].uid]) in answer.content.decode()
    assert ticks(answer) == set()


def test_player_of_an_earlier_event_is_taken_when_ticked(browser: Browser, organiser: User) -> None:
    earlier = event(user=organiser, players=3)
    made = event(user=organiser, organiser=earlier.tournament.organiser.uid)
    known = earlier.entries[0].player
    answer = choose(browser, made, "Name;Born\nAino;3.2.2001\nBörje;\n")
    assert f"The same person as <bdi>Aino</bdi> in <bdi>{earlier.tournament.name}</bdi>" in said(answer)
    assert ticks(answer) == {"enter-2", "enter-3"}
    assert confirm(browser, made, answer, same_2=str(known.uid)).status_code == 303
    entry = Entry.objects.get(tournament=made.tournament, public_name="Aino")
    assert entry.player == known
    assert entry.player.birth_date == date(2001, 2, 3)
    assert (
        Entry.objects.get(tournament=made.tournament, public_name="Börje").player != earlier.entries[1].player
    )


def test_a_known_player_is_found_with_the_surname_first(browser: Browser, organiser: User) -> None:
    earlier = event(user=organiser)
    earlier.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Sanna Korhonen"}])
    made = event(user=organiser, organiser=earlier.tournament.organiser.uid)
    for text in ("Name\nKorhonen Sanna\n", 'Name\n"Korhonen, Sanna"\n'):
        (row,) = choose(browser, made, text).context["groups"]["known"]
    assert row.same == Player.objects.get(name="Sanna Korhonen").uid


def test_nobody_is_known_from_other_organisers_or_rehearsals(browser: Browser, organiser: User) -> None:
    stranger = event(players=1)
    rehearsal = event(user=organiser, players=1)
    Tournament.objects.filter(pk=rehearsal.tournament.pk).update(rehearsal=True)
    made = event(user=organiser, organiser=rehearsal.tournament.organiser.uid)
    answer = choose(browser, made, "Name\nAino\n")
    assert "The same person as" not in said(answer)
    for uid in (stranger.entries[0].player.uid, rehearsal.entries[0].player.uid, uuid4()):
        refused = confirm(browser, made, answer, same_2=str(uid))
        assert refused.status_code == 422
        assert "Row 2: This player from earlier events no longer exists." in said(refused)
    assert not Entry.objects.filter(tournament=made.tournament).exists()


def test_one_known_player_is_one_row(browser: Browser, organiser: User) -> None:
    earlier = event(user=organiser, players=1)
    made = event(user=organiser, organiser=earlier.tournament.organiser.uid)
    uid = str(earlier.entries[0].player.uid)
    answer = choose(browser, made, "Name\nAino\nAino\n")
    refused = confirm(browser, made, answer, another_3="on", same_2=uid, same_3=uid)
    assert refused.status_code == 422
    assert "Row 3: The same player is also ticked for row 2." in said(refused)
    assert ticks(refused) == {"enter-2", "another-3", "same-2", "same-3"}
    several = browser.post(address(made), form_of(answer) | {"same-2": [uid, str(uuid4())]})
    assert "Tick only one of the players" in said(several)


def test_what_was_entered_meanwhile_is_asked_about(browser: Browser, planned: Event) -> None:
    answer = choose(browser, planned, "Name;Number\nIida;\nOtso;90\nPihla;91\n")
    rows = [{"entry": uuid4(), "name": "Iida"}, {"entry": uuid4(), "name": "X", "start_number": 91}]
    planned.act(actions.enter_players, players=rows)
    refused = confirm(browser, planned, answer)
    assert refused.status_code == 422
    assert "Row 2: Someone has added a player with this name in the meantime. Check again." in said(refused)
    assert "Start number 91 belongs to X. Choose another." in said(refused)
    assert ticks(refused) == {"enter-3"}
    assert confirm(browser, planned, refused).status_code == 303


def test_faults_of_the_action_are_said_at_their_row(
    browser: Browser, planned: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody takes the number between the look at the database and the write."""
    monkeypatch.setattr("tournament.extras.imports.forms.players.Ticks.problems", lambda *_arguments: [])
    answer = choose(browser, planned, "Name;Number\nOtso;\nPihla;1\n")
    assert "Row 3" in said(answer)
    fields = form_of(answer) | {"enter-3": "on"}
    refused = browser.post(address(planned), fields | {"enter-2": "on"})
    assert refused.status_code == 422
    assert "Row 3: This is already in use. Choose another." in said(refused)
    assert Entry.objects.count() == 7


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_file_is_shown_with_its_rows_named(browser: Browser, organiser: User, wrong: Wrong) -> None:
    answer = choose(browser, event(user=organiser), wrong.make(), wrong.filename)
    assert answer.status_code == 200
    groups = answer.context["groups"]
    shown = {row.planned.row.number: row for rows in groups.values() for row in rows}
    for number, _column, code in wrong.found:
        if number:
            row = shown[number]
            assert f'id="row-{number}"' in answer.content.decode()
            assert row.planned.kind.value == code or code in {
                problem.code for problem in row.planned.problems
            }
    for row in groups["wrong"]:
        assert row.problems
        assert not row.box
    assert Entry.objects.count() == 0


@pytest.mark.parametrize("bad", [*DANGEROUS.values(), *OTHER_KINDS.values()], ids=[*DANGEROUS, *OTHER_KINDS])
@pytest.mark.sweep
def test_bad_file_is_refused_on_the_page(browser: Browser, planned: Event, bad: Bad) -> None:
    data = bad.make()
    answer = choose(browser, planned, data, bad.filename)
    assert answer.status_code == 422
    refusal = read_list(data, bad.filename).refusal
    assert refusal
    assert answer.context["form"].errors["file"] == [f"{bad.filename}: {problem_text(refusal)}"]
    assert bad.filename in answer.content.decode()
    assert Entry.objects.count() == 7


def test_nothing_chosen_is_said(browser: Browser, planned: Event) -> None:
    answer = browser.post(address(planned), {})
    assert answer.status_code == 422
    assert "Choose a file first." in said(answer)


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "<script>alert(1)</script>", "שלום", "a\u202eb", '"><b>']
)
def test_any_name_is_text(browser: Browser, planned: Event, text: str) -> None:
    answer = choose(browser, planned, workbook([["Name"], [f" {text}"]], text_cells), "list.xlsx")
    page = answer.content.decode()
    assert "<script>alert" not in page
    assert '"><b>' not in page
    assert confirm(browser, planned, answer).status_code == 303
    assert Entry.objects.get(public_name=text.replace("\u202e", ""))


def text_cells(book: Any) -> None:
    for row in book.active.iter_rows():
        for cell in row:
            cell.data_type = "s"


@pytest.mark.parametrize(
    "rows",
    ["", "x", "[]", "{}", '{"file":"x","rows":[]}', '{"file":"x","rows":[[2,{"name":"A"}]]}', "[" * 9999],
)
def test_rows_that_are_none_are_refused(browser: Browser, planned: Event, rows: str) -> None:
    answer = browser.post(address(planned), {"rows": rows, "command": str(uuid4()), "enter-2": "on"})
    assert answer.status_code == 422
    assert "Part of the list was lost on the way." in said(answer)


def test_rows_that_came_back_changed_are_read_anew(browser: Browser, planned: Event) -> None:
    rows = '{"file":"x","rows":[[2,{"name":"\\ud800","birth_date":"soon"},{}],[3,{"name":"A\\u0000b"},{}]]}'
    fields = {"rows": rows, "enter-2": "on", "enter-3": "on", "another-2": "on"}
    assert browser.post(address(planned), fields | {"command": "nonsense"}).status_code == 422
    assert browser.post(address(planned), fields | {"command": str(uuid4())}).status_code == 303
    assert list(
        Entry.objects.filter(pk__gt=planned.entries[-1].pk).values_list("public_name", flat=True)
    ) == ["Ab"]


def test_only_organisers_read_lists(client: Any, planned: Event) -> None:
    pages = [address(planned), reverse("organise-import-template", args=[planned.tournament.slug, "csv"])]
    head = UserFactory()
    Membership.objects.create(tournament=planned.tournament, user=head, role="head_referee")
    for user, status in ((None, 302), (UserFactory(), 404), (head, 403)):
        if user:
            client.force_login(user)
        assert [client.get(page).status_code for page in pages] == [status, status]
        assert client.post(pages[0], {"rows": "{}"}).status_code == status


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
@pytest.mark.parametrize("kind", ["xlsx", "csv"])
def test_empty_list_can_be_filled_in_and_read(
    browser: Browser, planned: Event, language: str, kind: str
) -> None:
    with translation.override(language):
        page = reverse("organise-import-template", args=[planned.tournament.slug, kind])
        answer = browser.get(page)
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].endswith(f'-players.{kind}"')
    empty = read_list(answer.content, f"list.{kind}")
    assert empty.refusal
    assert empty.refusal.code == "no_rows"
    if kind == "csv":
        filled = read_list(
            answer.content + "Aino;;;;;;\n".replace(";", "," if language == "en" else ";").encode(), "x"
        )
        assert [row.name for row in filled.rows] == ["Aino"]
        assert filled.problems == ()


def test_there_is_no_empty_list_of_another_kind(browser: Browser, planned: Event) -> None:
    page = reverse("organise-import-template", args=[planned.tournament.slug, "exe"])
    assert browser.get(page).status_code == 404


def test_another_file_is_read_one_at_a_time(
    browser: Browser, planned: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.views._answer.WAIT_S", 0.01)
    from tournament.extras.imports.views.players import _reading

    with _reading:
        answer = choose(browser, planned, LIST)
    assert answer.status_code == 503
    assert "Other lists are being read just now." in said(answer)
    assert choose(browser, planned, LIST).status_code == 200


def test_preview_asks_as_often_for_many_rows_as_for_one(browser: Browser, organiser: User) -> None:
    asked = []
    earlier = event(user=organiser, players=8)
    for rows in (1, 8, 60):
        made = event(user=organiser, organiser=earlier.tournament.organiser.uid, players=rows)
        text = "Name\n" + "\n".join(f"Player {number}" for number in range(2 * rows)) + "\nAino\nAino\n"
        with CaptureQueriesContext(connection) as queries:
            assert choose(browser, made, text).status_code == 200
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
    assert asked[0] <= 12
