"""Registration, approval, waiting list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID, uuid5

from django.utils.translation import gettext_lazy as _, pgettext_lazy

from tournament.actions.kernel import (
    UNCHANGED,
    Faults,
    Unchanged,
    Work,
    action,
    check,
    check_public,
    chosen,
    entries_named,
    entry_fault,
    entry_named,
    fit,
    last_start_number,
    move_up,
    move_up_before_play,
    planned_for,
    refuse,
    refuse_if,
    state_at_first,
)
from tournament.models import ENTRY, Entry, Player, Tournament, can, leads_to
from tournament.queries.people import stays_for
from tournament.queries.registration import (
    CHOICE,
    KINDS,
    LONGEST_ANSWER,
    LONGEST_LABEL,
    LONGEST_OPTION,
    MOST_QUESTIONS,
    OPTIONS,
    TICK,
    Question,
    answered,
    hide_minor,
    is_full_of_unseen,
    is_minor,
    is_open,
    questions_of,
    registration_of,
)
from tournament.results import Fault, Refused, ids, uuid_or_none, whole
from tournament.words.text import as_read, clean, clean_lines, public_text

__all__ = [
    "approve_entries",
    "decline_entry",
    "register",
    "renew_link",
    "set_questions",
    "set_registration",
    "take_from_waiting",
]


# ---- Organisers' own questions, and their answers ----


@action(least="organiser", says=_("set the questions for players"), undo="again")
def set_questions(work: Work, *, questions: Sequence[Mapping[str, Any]], erase: bool = False) -> None:
    """Set the questions: `{"id", "kind", "required", "labels", "options"}` each, `id` a uid, texts by language.
    Rewording retains answers; with `erase`, those to removed or retyped questions go.

    Refused `too_many_questions`, `field_required` (event's language), `too_few_options`, `options_uneven`,
    `option_twice`; `answers_would_go` without `erase`.
    """
    refuse_if(
        len(questions) > MOST_QUESTIONS, Fault("too_many_questions", "/questions", {"most": MOST_QUESTIONS})
    )
    language, faults = work.tournament.language, Faults()
    rows = [
        _checked(given, language, faults.at(f"/questions/{index}")) for index, given in enumerate(questions)
    ]
    refuse(faults)
    registration = registration_of(work.tournament)
    kinds = {row["id"]: row["kind"] for row in rows}
    gone = [row["id"] for row in registration.questions if kinds.get(row["id"]) != row["kind"]]
    players = sum(answered(work.tournament, gone).values())
    refuse_if(players and not erase, Fault("answers_would_go", "/erase", {"n": players}))
    losing = [row for row in Entry.objects.filter(tournament=work.tournament) if row.answers.keys() & {*gone}]
    for entry in losing:
        entry.answers = {key: answer for key, answer in entry.answers.items() if key not in gone}
    Entry.objects.bulk_update(losing, ["answers"])
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
    kept, faults = dict[str, object](), Faults()
    for question in questions:
        value, path = given.get(question.id), f"/answers/{question.id}"
        answer: object = True if value is True and question.kind == TICK else clean(str(value or ""))
        if answer is not True and answer != was.get(question.id):
            text = str(answer)
            answer = question.option(text) if question.kind == CHOICE else text
            faults.add_if(text and not answer, Fault("not_an_option", path))
            with faults:
                fit(text, path, LONGEST_ANSWER)
        if answer:
            kept[question.id] = answer
        faults.add_if(not answer and question.required and asked, Fault("answer_missing", path))
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


def _checked(given: Mapping[str, Any], language: str, faults: Faults) -> dict[str, Any]:
    kind, uid = given.get("kind"), uuid_or_none(str(given.get("id", "")))
    faults.add_if(kind not in KINDS, Fault("field_invalid_choice", "/kind"))
    faults.add_if(uid is None, Fault("field_invalid"))
    labels, options = dict[str, str](), dict[str, list[str]]()
    row = {"id": str(uid), "kind": kind, "required": bool(given.get("required")), "labels": labels}
    for each in Tournament.Language.values:
        with faults:
            if text := fit(given.get("labels", {}).get(each, ""), f"/labels/{each}", LONGEST_LABEL):
                labels[each] = text
    faults.add_if(language not in labels, Fault("field_required", f"/labels/{language}"))
    if kind != CHOICE:
        return row
    for each in Tournament.Language.values:
        options[each] = [text for text in given.get("options", {}).get(each, ()) if clean(text)]
        with faults:
            options[each] = [fit(text, f"/options/{each}", LONGEST_OPTION) for text in options[each]]
    own, (least, most) = options[language], OPTIONS
    few = Fault("too_few_options", f"/options/{language}", {"least": least, "most": most})
    faults.add_if(not least <= len(own) <= most, few)
    for each, texts in options.items():
        where = f"/options/{each}"
        faults.add_if(texts and len(texts) != len(own), Fault("options_uneven", where, {"n": len(own)}))
        faults.add_if(len({as_read(text) for text in texts}) < len(texts), Fault("option_twice", where))
    if faults:  # lists may differ in length
        return row
    filled = {each: texts for each, texts in options.items() if texts}
    return row | {
        "options": [{each: texts[index] for each, texts in filled.items()} for index in range(len(own))]
    }


State = Entry.State
MOST_PLACES = 10_000
LONGEST_TEXT = 5000  # characters; models enforce it in forms only
EARLIEST = date(1900, 1, 1)  # plausible birth date


@action(least="organiser", says=_("set how players register"), undo="again")
def set_registration(
    work: Work,
    *,
    opened: bool | Unchanged = UNCHANGED,
    closes_at: datetime | Unchanged | None = UNCHANGED,
    approval: bool | Unchanged = UNCHANGED,
    most: int | Unchanged | None = UNCHANGED,
    check_in_from: datetime | Unchanged | None = UNCHANGED,
    check_in_until: datetime | Unchanged | None = UNCHANGED,
    terms: str | Unchanged = UNCHANGED,
    safer_space: str | Unchanged = UNCHANGED,
    contact_person: str | Unchanged = UNCHANGED,
) -> None:
    """Set whether registration is open and until when, approval, places (None: no limit), self-check-in times, terms.
    New places go to the waiting list; a lower limit removes no entry.

    Refused `not_a_number` (limit), `ends_before_it_begins`.
    """
    row, faults = registration_of(work.tournament), work.faults
    row.opened, row.approval = chosen(opened, row.opened), chosen(approval, row.approval)
    row.most = chosen(most, row.most)
    with faults:
        if row.most is not None and not 1 <= whole(row.most, "/most") <= MOST_PLACES:
            raise Refused(Fault("not_a_number", "/most", {"least": 1, "most": MOST_PLACES}))
    times = {"closes_at": closes_at, "check_in_from": check_in_from, "check_in_until": check_in_until}
    for name, at in times.items():
        setattr(row, name, chosen(at, getattr(row, name)))
        with faults:
            planned_for(getattr(row, name), f"/{name}")
    ends_first = row.check_in_from and row.check_in_until and row.check_in_until <= row.check_in_from
    faults.add_if(ends_first, Fault("ends_before_it_begins", "/check_in_until"))
    for name, text in {"terms": terms, "safer_space": safer_space}.items():
        with faults:
            setattr(row, name, fit(chosen(text, getattr(row, name)), f"/{name}", LONGEST_TEXT, clean_lines))
    row.contact_person = clean(chosen(contact_person, row.contact_person))
    check(row)
    work.save(row)
    if work.tournament.state != Tournament.State.FINISHED:
        move_up(work)


@action(by_link=True, says=pgettext_lazy("did", "registered"), undo="come_back")
def register(
    work: Work,
    *,
    entry: UUID,
    public_name: str,
    club: str = "",
    real_name: str = "",
    birth_date: date | None = None,
    contact: str = "",
    minor: bool = False,
    guardian: bool = False,
    terms: bool = False,
    answers: Mapping[str, object] | None = None,
    public_name_is_right: bool = False,
) -> None:
    """Register oneself as `entry` (new uid). For a `minor` (under 18 on the event's day), also by birth date, a
    `guardian` must agree, and a real name as nickname becomes a number. `answers` by question id.
    `public_name_is_right` confirms names that look private.

    The player waits without a place, applies where approval is needed, else is registered. Refused, all at once,
    `registration_closed`, `too_many_unseen`, `terms_not_accepted`, `guardian_missing`, `name_taken`,
    `not_a_birth_date`, as `answers_given`.
    """
    tournament = work.tournament
    refuse_if(not is_open(registration_of(tournament), work.at), Fault("registration_closed"))
    refuse_if(is_full_of_unseen(tournament), Fault("too_many_unseen"))
    name = public_text(public_name)
    player = Player(
        uid=uuid5(work.command.id, "player"),
        organiser=tournament.organiser,
        name=clean(real_name) or name,
        birth_date=birth_date,
        contact=clean(contact),
    )
    under_age = minor or is_minor(birth_date, tournament.starts_on)
    row = Entry(
        uid=entry,
        tournament=tournament,
        player=player,
        public_name=name,
        club=public_text(club),
        start_number=last_start_number(tournament) + 1,
        state=state_at_first(work),
        guardian=under_age and guardian,
        accepted_at=work.at,
    )
    hide_minor(row, clean(real_name))
    row.answers, wrong = answers_given(questions_of(tournament), answers or {}, {})
    work.faults += [*unfit_details(row, real_name=real_name, right=public_name_is_right), *wrong]
    work.faults.add_if(under_age and not guardian, Fault("guardian_missing", "/guardian"))
    work.faults.add_if(not terms, Fault("terms_not_accepted", "/terms"))
    refuse(work.faults)
    player.save(force_insert=True)
    row.player = player  # after saving: the entry copies the key on assignment
    check(row)
    work.add(row)


@action(least="head_referee", says=_("accepted players"), undo="ledger", bulk=True)
def approve_entries(work: Work, *, entries: Sequence[UUID]) -> None:
    """Accept applicants, who already hold places. Refused `not_asking`, `nobody_chosen`."""
    rows = entries_named(work, ids(entries, "/entries"))
    refuse_if(not rows, Fault("nobody_chosen", "/entries"))
    for row in rows:
        refuse_if(not can(ENTRY, row.state, "approve"), entry_fault("not_asking", row.uid))
    work.update_all((row, {"state": leads_to(ENTRY, row.state, "approve")}) for row in rows)


@action(least="organiser", says=_("declined a player"), undo="ledger")
def decline_entry(work: Work, *, entry: UUID, reason: str = "") -> None:
    """Decline an applicant or waiting player. Refused `not_asking`."""
    row = entry_named(work, entry)
    refuse_if(not can(ENTRY, row.state, "decline"), entry_fault("not_asking", entry))
    work.note = reason
    work.update(row, state=leads_to(ENTRY, row.state, "decline"))
    move_up_before_play(work)


@action(least="organiser", says=_("took a player from the waiting list"), undo="ledger")
def take_from_waiting(work: Work, *, entry: UUID) -> None:
    """Admit a waiting, cancelled or declined player out of turn and beyond the limit. Refused `not_waiting`,
    `name_taken`."""
    row = entry_named(work, entry)
    refuse_if(
        not can(ENTRY, row.state, "give_place") or bool(stays_for(row)), entry_fault("not_waiting", entry)
    )
    refuse_if(is_taken(row), Fault("name_taken", "/public_name", {"player": row.public_name}))
    work.update(row, state=leads_to(ENTRY, row.state, "give_place"))


@action(least="organiser", says=_("gave a player a new link"), undo="links")
def renew_link(work: Work, *, entry: UUID) -> None:
    """Replace a player's own link."""
    row = entry_named(work, entry)
    row.link_number += 1
    check(row)
    work.save(row, "link_number")


def unfit_details(
    row: Entry, *, real_name: str, right: bool = False, was: Sequence[str] = ("", "")
) -> list[Fault]:
    """Faults in a player's details, by field. `was`: public name and club that pass; `right` as in `check_public`."""
    faults, born = Faults(), row.player.birth_date
    faults.add_if(  # an organiser may have entered namesakes
        row.public_name != was[0] and is_taken(row),
        Fault("name_taken", "/public_name", {"player": row.public_name}),
    )
    faults.add_if(
        born and not EARLIEST <= born <= row.tournament.starts_on, Fault("not_a_birth_date", "/birth_date")
    )
    with faults:
        row.player.clean_fields(exclude=["name"] if not clean(real_name) else [])
    with faults:
        row.clean_fields(["player"])
    check_public(row, faults, right=right, was=was)
    return [replace(fault, path="/real_name") if fault.path == "/name" else fault for fault in faults]


def is_taken(row: Entry) -> bool:
    """Whether another entry that is not cancelled has that name (`as_read`)."""
    others = Entry.objects.filter(tournament=row.tournament).exclude(state=State.CANCELLED)
    wanted = as_read(row.public_name)
    names = others.exclude(uid=row.uid).values_list("public_name", flat=True)
    return bool(wanted) and any(as_read(name) == wanted for name in names)
