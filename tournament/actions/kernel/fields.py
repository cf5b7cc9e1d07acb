"""A row's own rules, as faults at its fields."""

from datetime import date

from django.core.exceptions import ValidationError
from django.db.models import Model

from tournament.queries.programme import YEARS
from tournament.results.faults import Fault, Refused
from tournament.words.text import clean


def check(row: Model, path: str = "", *, unique: bool = True) -> None:
    """Hold a row against its model's rules; Refused with a fault at `path/<field>` for each that it breaks."""
    try:
        row.full_clean(validate_unique=unique)
    except ValidationError as error:
        raise Refused(*faults_of(error, path)) from None


def faults_of(error: ValidationError, path: str) -> list[Fault]:
    """Django's field errors as faults, each at its field."""
    faults = []
    for name, errors in error.error_dict.items():
        for one in errors:
            known = {key: value for key, value in (one.params or {}).items() if isinstance(value, str | int)}
            # Several fields that are taken together belong to the last of them: the others name the tournament.
            fields = (one.params or {}).get("unique_check", (name,))
            faults.append(Fault(f"field_{one.code or 'invalid'}", f"{path}/{fields[-1]}", known))
    return faults


def fit(text: str, path: str, longest: int) -> str:
    """The text as it is kept; Refused `field_max_length` at `path` where it has more than `longest` characters."""
    text = clean(text)
    if len(text) > longest:
        raise Refused(Fault("field_max_length", path, {"limit_value": longest, "show_value": len(text)}))
    return text


def planned_for(day: date | None, path: str) -> None:
    """Hold a day or a moment against the years that people plan for; Refused `field_invalid` for another, from which a
    time zone or a year more leads out of the calendar."""
    if day is not None and day.year not in YEARS:
        raise Refused(Fault("field_invalid", path))
