"""Organisers' own questions at registration, and their answers (tournament/queries/questions.py)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import Work, action, fit, refuse, refuse_if
from tournament.models import Entry, Tournament
from tournament.queries.questions import (
    CHOICE,
    KINDS,
    LONGEST_ANSWER,
    LONGEST_LABEL,
    LONGEST_OPTION,
    MOST,
    OPTIONS,
    TICK,
    Question,
    answered,
)
from tournament.queries.registration import registration_of
from tournament.results import Fault, Refused, uuid_or_none
from tournament.words.text import as_read, clean

__all__ = ["set_questions"]


@action(least="organiser", says=_("set the questions for players"), undo="again")
def set_questions(work: Work, *, questions: Sequence[Mapping[str, Any]], erase: bool = False) -> None:
    """Set the questions: `{"id", "kind", "required", "labels", "options"}` each, `id` a new or existing uid, texts by
    language. Rewording retains answers; with `erase`, answers to removed or retyped questions are erased.

    Refused `too_many_questions`; at `/questions/<index>/...` `field_required` (event's language),
    `too_few_options`, `options_uneven`, `option_twice`, text faults; `answers_would_go` without `erase`.
    """
    refuse_if(len(questions) > MOST, Fault("too_many_questions", "/questions", {"most": MOST}))
    language = work.tournament.language
    rows: list[dict[str, Any]] = []
    faults: list[Fault] = []
    for index, given in enumerate(questions):
        try:
            rows.append(_checked(given, language, f"/questions/{index}"))
        except Refused as refused:
            faults += refused.faults
    refuse(faults)
    registration = registration_of(work.tournament)
    kinds = {row["id"]: row["kind"] for row in rows}
    gone = [row["id"] for row in registration.questions if kinds.get(row["id"]) != row["kind"]]
    players = sum(answered(work.tournament, gone).values())
    refuse_if(players and not erase, Fault("answers_would_go", "/erase", {"n": players}))
    _forget(work.tournament, gone)
    registration.questions = rows
    work.save(registration)


def answers_given(
    questions: Iterable[Question],
    given: Mapping[str, object],
    was: Mapping[str, object],
    *,
    asked: bool = True,
) -> tuple[dict[str, object], list[Fault]]:
    """Valid answers by question, and faults at `/answers/<id>`: `answer_missing` (required and `asked`),
    `not_an_option`, `field_max_length`. Answers as they `was` pass."""
    kept: dict[str, object] = {}
    faults = []
    for question in questions:
        value, path = given.get(question.id), f"/answers/{question.id}"
        answer: object = True if value is True and question.kind == TICK else clean(str(value or ""))
        if answer is not True and answer != was.get(question.id):
            text = str(answer)
            answer = question.option(text) if question.kind == CHOICE else text
            if text and not answer:
                faults.append(Fault("not_an_option", path))
            elif len(text) > LONGEST_ANSWER:
                more = {"limit_value": LONGEST_ANSWER, "show_value": len(text)}
                faults.append(Fault("field_max_length", path, more))
        if answer:
            kept[question.id] = answer
        elif question.required and asked:
            faults.append(Fault("answer_missing", path))
    return kept, faults


def answers_listed(questions: Iterable[Question], given: Mapping[str, object]) -> dict[str, object]:
    """Answers from a player list: an option or True if it matches, else the text."""
    kept: dict[str, object] = {}
    for question in questions:
        value = given.get(question.id)
        text = clean(str(value or ""))[:LONGEST_ANSWER]
        if value is True and question.kind == TICK:
            kept[question.id] = True
        elif text:
            kept[question.id] = (question.option(text) if question.kind == CHOICE else "") or text
    return kept


def _checked(given: Mapping[str, Any], language: str, path: str) -> dict[str, Any]:
    kind, uid = given.get("kind"), uuid_or_none(str(given.get("id", "")))
    refuse_if(kind not in KINDS, Fault("field_invalid_choice", f"{path}/kind"))
    refuse_if(uid is None, Fault("field_invalid", path))
    row: dict[str, Any] = {
        "id": str(uid),
        "kind": kind,
        "required": bool(given.get("required")),
        "labels": _texts(given.get("labels", {}), f"{path}/labels", LONGEST_LABEL),
    }
    refuse_if(language not in row["labels"], Fault("field_required", f"{path}/labels/{language}"))
    if kind != CHOICE:
        return row
    options = {
        each: [fit(text, f"{path}/options/{each}", LONGEST_OPTION) for text in texts if clean(text)]
        for each, texts in given.get("options", {}).items()
        if each in Tournament.Language.values
    }
    least, most = OPTIONS
    own = options.get(language, [])
    refuse_if(
        not least <= len(own) <= most,
        Fault("too_few_options", f"{path}/options/{language}", {"least": least, "most": most}),
    )
    for each, texts in options.items():
        where = f"{path}/options/{each}"
        refuse_if(texts and len(texts) != len(own), Fault("options_uneven", where, {"n": len(own)}))
        refuse_if(len({as_read(text) for text in texts}) < len(texts), Fault("option_twice", where))
    filled = {each: texts for each, texts in options.items() if texts}
    return row | {
        "options": [{each: texts[index] for each, texts in filled.items()} for index in range(len(own))]
    }


def _texts(given: Mapping[str, str], path: str, longest: int) -> dict[str, str]:
    texts = {
        each: fit(given[each], f"{path}/{each}", longest)
        for each in Tournament.Language.values
        if each in given
    }
    return {each: text for each, text in texts.items() if text}


def _forget(tournament: Tournament, ids: Sequence[str]) -> None:
    rows = [row for row in Entry.objects.filter(tournament=tournament) if row.answers.keys() & set(ids)]
    for row in rows:
        row.answers = {key: answer for key, answer in row.answers.items() if key not in ids}
    Entry.objects.bulk_update(rows, ["answers"])
