"""Questions in the reader's language, and answers in words."""

import pytest
from django.utils.translation import override

from tournament.models import Entry
from tournament.queries.registration import answers_of, as_given, questions_in

ROW = {
    "id": "d1",
    "kind": "choice",
    "required": True,
    "labels": {"fi": "Koko", "en": "Size"},
    "options": [{"fi": "Pieni", "en": "Small"}, {"fi": "Suuri"}],
}


@pytest.mark.parametrize(
    ("language", "label", "choices"),
    [
        ("en", "Size", [("Pieni", "Small"), ("Suuri", "Suuri")]),
        ("fi", "Koko", [("Pieni", "Pieni"), ("Suuri", "Suuri")]),
        ("sv", "Koko", [("Pieni", "Pieni"), ("Suuri", "Suuri")]),
    ],
)
def test_a_question_is_asked_in_the_readers_language_or_else_in_the_events(
    language: str, label: str, choices: list[tuple[str, str]]
) -> None:
    (question,) = questions_in([ROW], "fi")
    with override(language):
        assert (question.label, question.choices) == (label, choices)


def test_an_option_is_known_in_any_language_and_kept_in_the_events() -> None:
    (question,) = questions_in([ROW], "fi")
    assert [question.option(text) for text in ("SMALL", " pieni", "Medium", "")] == ["Pieni", "Pieni", "", ""]


def test_answers_are_said_in_words() -> None:
    tick = {"id": "d2", "kind": "tick", "required": False, "labels": {"fi": "Vasen"}}
    questions = questions_in([ROW, tick], "fi")
    with override("en"):
        said = [answer for _, answer in answers_of(Entry(answers={"d1": "Pieni", "d2": True}), questions)]
        assert said == ["Small", "Yes"]
        assert [answer for _, answer in answers_of(Entry(answers={"d1": "XXL"}), questions)] == ["XXL", ""]


def test_a_question_is_given_back_as_the_action_takes_it() -> None:
    assert as_given(ROW)["options"] == {"fi": ["Pieni", "Suuri"], "en": ["Small"]}
