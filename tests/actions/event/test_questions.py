"""The organisers' own questions: what is asked, what is answered, and that no answer goes without a word."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.arriving import opened, own, registered
from tests.support.asking_actions import refusal
from tests.support.factories import Event, add_stage, event
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Entry, LedgerRow, Tournament
from tournament.queries.registration import questions_of
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db

DIET, SIZE, LEFT = (str(UUID(int=number)) for number in (1, 2, 3))
TEXT = {"id": DIET, "kind": "text", "labels": {"en": "Diet?", "fi": "Ruokavalio?"}}
CHOICE: dict[str, Any] = {
    "id": SIZE,
    "kind": "choice",
    "required": True,
    "labels": {"en": "T-shirt?"},
    "options": {"en": ["Small", "Large"], "fi": ["Pieni", "Suuri"]},
}
TICK = {"id": LEFT, "kind": "tick", "labels": {"en": "Left-handed"}}


def asking(*questions: dict[str, Any]) -> Event:
    made = opened(event("mattel-108"))
    made.act(actions.set_questions, questions=questions or [TEXT, CHOICE, TICK])
    return made


def answers(uid: Any) -> dict[str, Any]:
    return dict(Entry.objects.get(uid=uid).answers)


def test_answers_are_kept_with_the_entry_and_no_ledger_holds_them() -> None:
    made = asking()
    uid = registered(made, "Aino", answers={DIET: " vegan ", SIZE: "suuri", LEFT: True})
    assert answers(uid) == {DIET: "vegan", SIZE: "Large", LEFT: True}
    assert "vegan" not in str(list(LedgerRow.objects.values_list("payload", flat=True)))
    assert verify(Tournament.objects.get(pk=made.tournament.pk)) == []


@pytest.mark.parametrize(
    ("given", "code", "which"),
    [
        ({}, "answer_missing", SIZE),
        ({SIZE: "Huge"}, "not_an_option", SIZE),
        ({SIZE: "Small", DIET: "x" * 201}, "field_max_length", DIET),
    ],
)
def test_wrong_answers_are_refused_at_their_question(given: dict[str, str], code: str, which: str) -> None:
    made = asking()
    with pytest.raises(Refused) as refused:
        registered(made, "Aino", answers=given)
    assert next((fault.code, fault.path) for fault in refused.value.faults) == (code, f"/answers/{which}")
    assert not Entry.objects.exists()


def test_a_player_changes_an_answer_until_play_begins() -> None:
    made = asking(TEXT)
    uid = registered(made, "Aino", answers={DIET: "vegan"})
    own(made, actions.change_own_entry, uid, public_name="Aino", answers={DIET: "nuts"})
    assert answers(uid) == {DIET: "nuts"}
    own(made, actions.change_own_entry, uid, public_name="Aino")
    assert answers(uid) == {DIET: "nuts"}
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Eetu"}])
    made.entries = list(Entry.objects.filter(tournament=made.tournament))
    add_stage(made, "match")
    with pytest.raises(Refused) as refused:
        own(made, actions.change_own_entry, uid, public_name="Aino", answers={DIET: "none"})
    assert [fault.code for fault in refused.value.faults] == ["answers_locked"]
    own(made, actions.change_own_entry, uid, public_name="Aino", contact="040 1", answers={DIET: "nuts"})


def test_reworded_questions_keep_their_answers_and_an_option_that_is_gone_stays_answered() -> None:
    made = asking()
    uid = registered(made, "Aino", answers={SIZE: "Small"})
    reworded = CHOICE | {"labels": {"en": "Size?"}, "options": {"en": ["Medium", "Large"]}}
    made.act(actions.set_questions, questions=[reworded])
    assert answers(uid) == {SIZE: "Small"}
    own(made, actions.change_own_entry, uid, public_name="Aino", answers={SIZE: "Small"})
    assert answers(uid) == {SIZE: "Small"}


@pytest.mark.parametrize("after", [[], [CHOICE | {"kind": "text"}]])
def test_no_answer_goes_with_its_question_unless_somebody_says_so(after: list[Any]) -> None:
    made = asking()
    uid = registered(made, "Aino", answers={SIZE: "Small", DIET: "vegan"})
    kept = [TEXT, *after]
    assert refusal(made, actions.set_questions, questions=kept) == [("answers_would_go", "/erase")]
    assert answers(uid) == {SIZE: "Small", DIET: "vegan"}
    made.act(actions.set_questions, questions=kept, erase=True)
    assert answers(uid) == {DIET: "vegan"}
    assert [question.id for question in questions_of(made.tournament)] == [one["id"] for one in kept]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (TEXT | {"labels": {"fi": "Vain suomeksi"}}, ("field_required", "/questions/0/labels/en")),
        (TEXT | {"labels": {"en": "x" * 151}}, ("field_max_length", "/questions/0/labels/en")),
        (TEXT | {"kind": "essay"}, ("field_invalid_choice", "/questions/0/kind")),
        (TEXT | {"id": "first"}, ("field_invalid", "/questions/0")),
        (CHOICE | {"options": {"en": ["One"]}}, ("too_few_options", "/questions/0/options/en")),
        (
            CHOICE | {"options": {"en": [str(n) for n in range(11)]}},
            ("too_few_options", "/questions/0/options/en"),
        ),
        (
            CHOICE | {"options": {"en": ["A", "B"], "fi": ["A"]}},
            ("options_uneven", "/questions/0/options/fi"),
        ),
        (CHOICE | {"options": {"en": ["A", "a"]}}, ("option_twice", "/questions/0/options/en")),
    ],
)
def test_what_cannot_be_asked_is_refused_at_its_place(
    question: dict[str, Any], found: tuple[str, str]
) -> None:
    assert refusal(event("mattel-108"), actions.set_questions, questions=[question]) == [found]


def test_more_than_three_questions_are_refused() -> None:
    four = [TEXT | {"id": str(uuid4())} for _ in range(4)]
    assert refusal(event(), actions.set_questions, questions=four) == [("too_many_questions", "/questions")]


def test_organisers_enter_answers_from_a_list_and_change_them_without_being_asked_for_all() -> None:
    made = asking()
    uid = uuid4()
    rows = [
        {"entry": uid, "name": "Aino", "answers": {SIZE: "PIENI", DIET: "vegan", LEFT: True, "other": "x"}}
    ]
    made.act(actions.enter_players, players=rows)
    assert answers(uid) == {SIZE: "Small", DIET: "vegan", LEFT: True}
    made.act(actions.edit_entry, entry=uid, public_name="Aino", start_number=1, answers={DIET: "nuts"})
    assert answers(uid) == {DIET: "nuts"}
