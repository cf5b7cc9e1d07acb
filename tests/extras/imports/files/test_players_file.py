"""The list that organisers take home: all that they know, and readable again as a list."""

import io
from datetime import UTC, date, datetime
from uuid import uuid4

import pytest
from django.utils.translation import override
from openpyxl import load_workbook

from tests.support.factories import event
from tournament import actions
from tournament.extras.imports.files.columns import with_questions
from tournament.extras.imports.files.lists import Known, players_file, read_list
from tournament.models import Entry
from tournament.queries.registration import questions_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "fi", "sv"])
def test_list_holds_what_organisers_know_and_is_read_again(language: str) -> None:
    made = event()
    made.tournament.fee = "5 €"
    diet = str(uuid4())
    labels = {"en": "Diet?", "fi": "Ruoka?", "sv": "Mat?"}
    made.act(actions.set_questions, questions=[{"id": diet, "kind": "text", "labels": labels}])
    given = {"name": "Ansku", "real_name": "Anna Laine", "club": "Noppa", "contact": "=1+1", "guardian": True}
    given |= {"division": "13 and over"}
    given |= {"birth_date": date(1990, 2, 3), "answers": {diet: "vegan"}}
    made.act(actions.enter_players, players=[{"entry": uuid4(), **given}, {"entry": uuid4(), "name": "Eetu"}])
    made.act(actions.mark_paid, entries=[Entry.objects.get(public_name="Ansku").uid])
    entries = Entry.objects.select_related("player").order_by("start_number")
    with override(language):
        data = players_file(
            made.tournament,
            entries,
            questions_of(made.tournament),
            title="Players",
            language=language,
            made=datetime(2026, 5, 9, tzinfo=UTC),
        )
    name, fee, paid, *rows = load_workbook(io.BytesIO(data)).worksheets[0].values
    assert str(name[0]).startswith(f"{made.tournament.name}, ")
    assert str(fee[0]).endswith(": 5 €")
    assert str(paid[0]).endswith(": 5 €")
    assert rows[0][9] == labels[language]
    assert rows[1][:3] == ("Anna Laine", "Ansku", "Noppa")
    assert (*rows[1][6:10], rows[2][7]) == ("x", "x", "13 and over", "vegan", None)
    known = Known(with_questions([(f"answer-{diet}", labels.values())]))
    read = read_list(data, "players.xlsx", today=date(2026, 5, 9), known=known)
    assert not read.unknown
    found = read.rows[0]
    assert (found.name, found.nickname, found.contact, found.birth_date) == (
        "Anna Laine",
        "Ansku",
        "=1+1",
        date(1990, 2, 3),
    )
    assert (found.start_number, found.guardian, found.paid, found.division) == (1, True, True, "13 and over")
    assert (found.answers, read.rows[1].paid) == ({diet: "vegan"}, None)
