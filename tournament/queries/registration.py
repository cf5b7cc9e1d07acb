"""Registration period, capacity, waiting list, self check-in. Pending applications hold places, so an approval moves
none to the waiting list, which is in order of start number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy as _, override

from tournament.models import Entry, Registration, Tournament
from tournament.words.text import as_read

State = Entry.State

ADULT = 18  # years
MOST_UNSEEN = 1000  # self-registered players not yet seen; a crowd shares one address
HOLDS_A_PLACE = (State.APPLIED, *Entry.EXPECTED, State.CHECKED_IN)


@dataclass(frozen=True, slots=True)
class CheckIn:
    """Self check-in; `state`: off, before, open or after."""

    state: str
    opens: datetime | None = None
    closes: datetime | None = None


def registration_of(tournament: Tournament) -> Registration:
    """The registration; if missing, an unsaved closed one."""
    found = Registration.objects.filter(tournament=tournament).first() or Registration()
    found.tournament = tournament
    return found


def is_open(registration: Registration, now: datetime) -> bool:
    """Whether players can register now."""
    tournament = registration.tournament
    over = tournament.put_away or tournament.state == Tournament.State.FINISHED
    return (
        registration.opened and not over and (registration.closes_at is None or now < registration.closes_at)
    )


def is_announced(registration: Registration) -> bool:
    """Whether the public page links the form. It is cached, so the closing time is ignored."""
    return registration.opened and registration.tournament.state != Tournament.State.FINISHED


def check_in_now(registration: Registration, now: datetime) -> CheckIn:
    """State of self check-in: off without times, after once the event is finished. With only an end set, it opens at
    midnight of the event's day."""
    opens, closes = registration.check_in_from, registration.check_in_until
    if opens is None and closes is None:
        return CheckIn("off")
    if opens is None and closes is not None and (begins := _midnight(registration)) < closes:
        opens = begins
    if registration.tournament.state == Tournament.State.FINISHED or (closes is not None and closes <= now):
        return CheckIn("after", opens, closes)
    return CheckIn("before" if opens is not None and now < opens else "open", opens, closes)


def check_in_off_day(registration: Registration) -> str:
    """ "before" if check-in opens before the event's day, "not" if it misses that day, else ""."""
    opens, closes = registration.check_in_from, registration.check_in_until
    begins = _midnight(registration)
    if (closes and closes <= begins) or (opens and opens >= begins + timedelta(days=1)):
        return "not"
    return "before" if opens and opens < begins else ""


def _midnight(registration: Registration) -> datetime:
    tournament = registration.tournament
    return datetime.combine(tournament.starts_on, time(), tournament.zone)


def places_taken(tournament: Tournament) -> int:
    """Number of entries that hold a place."""
    return Entry.objects.filter(tournament=tournament, state__in=HOLDS_A_PLACE).count()


def places_left(registration: Registration) -> int | None:
    """Places left; None without a limit."""
    most = registration.most
    return None if most is None else max(0, most - places_taken(registration.tournament))


def is_full_of_unseen(tournament: Tournament) -> bool:
    """Whether MOST_UNSEEN self-registered players are not yet seen. Cancelled entries count, else cancelling evades
    the limit."""
    unseen = Entry.objects.filter(tournament=tournament, accepted_at__isnull=False)
    return unseen.filter(state__in=(*Entry.ASKING, *Entry.EXPECTED)).count() >= MOST_UNSEEN


def place_in_line(entry: Entry) -> int:
    """Position on the waiting list, from 1."""
    before = Entry.objects.filter(tournament=entry.tournament, state=State.WAITING)
    return before.filter(start_number__lte=entry.start_number).count()


def numbered_name(entry: Entry) -> str:
    """Placeholder for a hidden name, in the event's language."""
    with override(entry.tournament.language):
        return gettext("Player %(number)d") % {"number": entry.start_number}


def hide_minor(entry: Entry, real_name: str) -> None:
    """Replace a minor's real name in public by a number."""
    under_age = entry.guardian or is_minor(entry.player.birth_date, entry.tournament.starts_on)
    if under_age and as_read(entry.public_name) == as_read(real_name):
        entry.public_name = numbered_name(entry)


def show_again(entry: Entry, real_name: str) -> None:
    """Undo `hide_minor` if the player is no minor."""
    under_age = entry.guardian or is_minor(entry.player.birth_date, entry.tournament.starts_on)
    if not under_age and entry.public_name == numbered_name(entry):
        entry.public_name = real_name


def is_minor(birth_date: date | None, on: date) -> bool:
    """Whether under 18 on that day; False if unknown."""
    return birth_date is not None and (
        on.year - birth_date.year - ((on.month, on.day) < (birth_date.month, birth_date.day)) < ADULT
    )


# ---- Organisers' own registration questions and answers ----

TICK, CHOICE, TEXT = "tick", "choice", "text"
KINDS: dict[str, str | Promise] = {TICK: _("A tick box"), CHOICE: _("A choice"), TEXT: _("A short text")}
MOST_QUESTIONS = 3
OPTIONS = (2, 10)  # least, most
LONGEST_LABEL = 150  # characters
LONGEST_OPTION = 80
LONGEST_ANSWER = 200


@dataclass(frozen=True, slots=True)
class Question:
    """One question; texts by language. `language`: the event's."""

    id: str
    kind: str
    required: bool
    labels: Mapping[str, str]
    options: tuple[Mapping[str, str], ...]
    language: str

    @property
    def label(self) -> str:
        """Label in the current language, or the event's."""
        return self._said(self.labels)

    @property
    def choices(self) -> list[tuple[str, str]]:
        """(stored, translated)."""
        return [(self._kept(option), self._said(option)) for option in self.options]

    def option(self, text: str) -> str:
        """Stored option matching `text` in any language, or ""."""
        wanted = as_read(text)
        return next(
            (
                self._kept(each)
                for each in self.options
                if wanted in {as_read(word) for word in each.values()}
            ),
            "",
        )

    def said(self, answer: object) -> str:
        if answer is True:
            return gettext("Yes")
        return dict(self.choices).get(str(answer), str(answer)) if answer else ""

    def _kept(self, texts: Mapping[str, str]) -> str:
        return texts.get(self.language) or next(iter(texts.values()))

    def _said(self, texts: Mapping[str, str]) -> str:
        return texts.get(get_language() or "") or self._kept(texts)


def questions_of(tournament: Tournament) -> list[Question]:
    """The event's questions, in order."""
    row = Registration.objects.filter(tournament=tournament).only("questions").first()
    return questions_in(row.questions if row else (), tournament.language)


def questions_in(rows: Sequence[Mapping[str, Any]], language: str) -> list[Question]:
    """Parse stored questions."""
    return [
        Question(
            row["id"], row["kind"], row["required"], row["labels"], tuple(row.get("options", ())), language
        )
        for row in rows
    ]


def as_given(row: Mapping[str, Any]) -> dict[str, Any]:
    """A stored question as action input."""
    options: dict[str, list[str]] = {}
    for option in row.get("options", ()):
        for language, text in option.items():
            options.setdefault(language, []).append(text)
    return {**row, "options": options}


def answers_of(entry: Entry, questions: Sequence[Question]) -> list[tuple[Question, str]]:
    """Questions with translated answers."""
    return [(question, question.said(entry.answers.get(question.id))) for question in questions]


def answered(tournament: Tournament, ids: Sequence[str]) -> dict[str, int]:
    """Number of entries that answered, by question id."""
    rows = Entry.objects.filter(tournament=tournament).exclude(answers={}).values_list("answers", flat=True)
    given = [answers.keys() for answers in rows]
    return {each: sum(each in keys for keys in given) for each in ids}
