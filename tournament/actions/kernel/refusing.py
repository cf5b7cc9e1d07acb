"""Refusals before an action writes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Max, Model

from tournament.models import Entry, Play, Tournament, User
from tournament.results import YEARS, Fault, Refused, whole
from tournament.server.rate_limits import GuestsThrottle, GuestThrottle, PageThrottle
from tournament.words.text import clean, is_seen, looks_private

T = TypeVar("T")


def or_refuse(found: T | None, fault: Fault) -> T:
    """Return what was found; raise Refused if that is None."""
    if found is None:
        raise Refused(fault)
    return found


def refuse_if(wrong: object, fault: Fault) -> None:
    """Raise Refused if `wrong` is true."""
    if wrong:
        raise Refused(fault)


def refuse_other_kind(kind: str, path: str, allowed: Sequence[str]) -> None:
    """Refused `wrong_kind_of_stage`, naming the allowed kinds of stage, unless this is one."""
    refuse_if(
        kind not in allowed,
        Fault("wrong_kind_of_stage", path, {"kind": kind, "allowed": ", ".join(allowed)}),
    )


def first_wrong(**codes: object) -> str:
    """First code whose condition is true, or ""."""
    return next((code for code, wrong in codes.items() if wrong), "")


def refuse(faults: Iterable[Fault]) -> None:
    """Raise Refused with all faults, if any."""
    if found := tuple(faults):
        raise Refused(*found)


class Faults(list[Fault]):
    """Faults for one refusal: each `with` block adds what it is refused with, and a model's field errors, except where
    a path has a fault already. Forbidden, conflicts and rate limits are raised at once."""

    path = ""

    def at(self, path: str) -> "Faults":
        """These, with the paths of all that follow below `path`."""
        self.path = path
        return self

    def add_if(self, wrong: object, fault: Fault) -> None:
        """Add this fault if `wrong`."""
        with self:
            refuse_if(wrong, fault)

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, raised: BaseException | None, _trace: object) -> bool:
        found: Iterable[Fault]
        match raised:
            case ValidationError(error_dict=_):
                found = faults_of(raised)
            case Refused() if type(raised) is Refused and not raised.wait:
                found = raised.faults
            case _:
                return False
        paths = {fault.path for fault in self}
        self += (
            replace(each, path=self.path + each.path) for each in found if self.path + each.path not in paths
        )
        return True


def check(row: Model, path: str = "", *, unique: bool = True) -> None:
    """Validate a row by its model's rules; Refused with faults at `path/<field>`."""
    try:
        row.full_clean(validate_unique=unique)
    except ValidationError as error:
        raise Refused(*faults_of(error, path)) from None


def check_public(row: Entry, faults: Faults, *, right: bool = False, was: Sequence[str] = ("", "")) -> None:
    """Public name and club must be visible and, unless `right`, hold nothing private (telephone number, address,
    link). Values as they `was` pass."""
    for field, before in zip(("public_name", "club"), was, strict=True):
        text, path = getattr(row, field), f"/{field}"
        new = text and text != before
        faults.add_if(new and not any(map(is_seen, text)), Fault("field_blank", path))
        faults.add_if(
            new and not right and looks_private(text), Fault("field_private", path, {"value": text})
        )


def faults_of(error: ValidationError, path: str = "") -> list[Fault]:
    """Convert Django's field errors to faults."""
    return [
        Fault(
            f"field_{one.code or 'invalid'}",
            # A joint uniqueness error belongs to the last field; the others name the tournament.
            f"{path}/{(one.params or {}).get('unique_check', (name,))[-1]}",
            {key: value for key, value in (one.params or {}).items() if isinstance(value, str | int)},
        )
        for name, errors in error.error_dict.items()
        for one in errors
    ]


def fit(text: str, path: str, longest: int, clean: Callable[[str], str] = clean) -> str:
    """Clean a text for storing; Refused `field_max_length` at `path` if it is longer than `longest` characters."""
    text = clean(text)
    refuse_if(
        len(text) > longest,
        Fault("field_max_length", path, {"limit_value": longest, "show_value": len(text)}),
    )
    return text


def between(value: object, path: str, least: int, most: int) -> int:
    """The whole number; Refused `malformed`, `field_min_value` or `field_max_value` at `path`."""
    number = whole(value, path)
    refuse_if(number < least, Fault("field_min_value", path, {"limit_value": least}))
    refuse_if(number > most, Fault("field_max_value", path, {"limit_value": most}))
    return number


def planned_for(day: date | None, path: str) -> None:
    """Refused `field_invalid` outside YEARS: a time zone or another year could overflow the calendar."""
    refuse_if(day is not None and day.year not in YEARS, Fault("field_invalid", path))


# ---- Limits of guests (users without an account) in events that no account runs ----

MOST_ROWS = 3_000  # ledger rows of an event
# players of an event, plays of a table
GUEST_MAXIMA = {"guest_players": 60, "guest_plays": 100}


def count(code: str, *throttles: PageThrottle) -> None:
    """Count one use. Refused with this code and the seconds to wait if too often."""
    for throttle in throttles:
        if not throttle.allows():
            raise Refused(Fault(code, parameters={"seconds": (wait := throttle.seconds())}), wait=wait)


@contextmanager
def within_limits(user: User, tournament: Tournament, arguments: Mapping[str, Any]) -> Iterator[None]:
    """Hold a guest's command to the limits. Refused `guest_writes`, `guest_rows`, GUEST_MAXIMA."""
    count("guest_writes", GuestThrottle(f"{user.pk} {tournament.pk}"), GuestsThrottle())
    refuse_if(tournament.version >= MOST_ROWS, Fault("guest_rows"))
    had = _held(tournament)
    refuse_more({"guest_players": len(arguments.get("players", ()))}, had)
    yield
    refuse_more(_held(tournament), had)


def _held(tournament: Tournament) -> dict[str, int]:
    plays = Play.objects.filter(table__stage__tournament=tournament)
    return {
        "guest_players": Entry.objects.filter(tournament=tournament).count(),
        "guest_plays": plays.aggregate(most=Max("number"))["most"] or 0,
    }


def refuse_more(now: Mapping[str, int], had: Mapping[str, int] = {}) -> None:
    """Refuse more than MOST, or than the event `had` if that is more."""
    for code, number in now.items():
        refuse_if(
            number > max(had.get(code, 0), GUEST_MAXIMA[code]),
            Fault(code, parameters={"most": GUEST_MAXIMA[code]}),
        )
