"""When somebody may register, whether there is room, who is next on the waiting list, and when players may check
themselves in.

Everybody who takes part and is not out has a place, and so has everybody who asks and has no answer yet; so approving
moves nobody to the waiting list. That list is in the order of the start numbers, which are given out in the order of
registering.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils.translation import gettext, override

from tournament.models import Entry, Registration, Tournament
from tournament.words.text import as_read

State = Entry.State

ADULT = 18  # years
# A crowd at the door shares one address, so there is no rate limit by address; at most this many may have registered
# themselves without having been seen yet.
MOST_UNSEEN = 1000
HOLDS_A_PLACE = (State.APPLIED, *Entry.EXPECTED, State.CHECKED_IN)


@dataclass(frozen=True, slots=True)
class CheckIn:
    """Whether players may check themselves in now: `state` is off, before, open or after."""

    state: str
    opens: datetime | None = None
    closes: datetime | None = None


def registration_of(tournament: Tournament) -> Registration:
    """Read the tournament's registration; a closed one, not stored, if nobody has set it up."""
    found = Registration.objects.filter(tournament=tournament).first() or Registration()
    found.tournament = tournament
    return found


def is_open(registration: Registration, now: datetime) -> bool:
    """Tell whether players can register now."""
    tournament = registration.tournament
    over = tournament.put_away or tournament.state == Tournament.State.FINISHED
    return (
        registration.opened and not over and (registration.closes_at is None or now < registration.closes_at)
    )


def is_announced(registration: Registration) -> bool:
    """Tell whether the event's public page links to the form. The page is cached, so this does not depend on the time
    of day: past the closing time the form says that it is closed."""
    return registration.opened and registration.tournament.state != Tournament.State.FINISHED


def check_in_now(registration: Registration, now: datetime) -> CheckIn:
    """Tell whether players may check themselves in. It is off until a time is set, begins on the day of the event where
    only its end is set, and is over when the event is."""
    opens, closes = registration.check_in_from, registration.check_in_until
    if opens is None and closes is None:
        return CheckIn("off")
    if opens is None and closes is not None and (begins := _midnight(registration)) < closes:
        opens = begins
    if registration.tournament.state == Tournament.State.FINISHED or (closes is not None and closes <= now):
        return CheckIn("after", opens, closes)
    return CheckIn("before" if opens is not None and now < opens else "open", opens, closes)


def check_in_off_day(registration: Registration) -> str:
    """Tell whether players could check themselves in `before` the day of the event, or `not` on it; "" if neither."""
    opens, closes = registration.check_in_from, registration.check_in_until
    begins = _midnight(registration)
    if (closes and closes <= begins) or (opens and opens >= begins + timedelta(days=1)):
        return "not"
    return "before" if opens and opens < begins else ""


def _midnight(registration: Registration) -> datetime:
    tournament = registration.tournament
    return datetime.combine(tournament.starts_on, time(), tournament.zone)


def places_taken(tournament: Tournament) -> int:
    """Count the places that are taken."""
    return Entry.objects.filter(tournament=tournament, state__in=HOLDS_A_PLACE).count()


def places_left(registration: Registration) -> int | None:
    """Count the places that are left, 0 also if more are taken than the limit; None without a limit."""
    most = registration.most
    return None if most is None else max(0, most - places_taken(registration.tournament))


def is_full_of_unseen(tournament: Tournament) -> bool:
    """Tell whether the limit of people who registered themselves and were not seen yet is reached. Those who cancelled
    count too, or somebody who cancels at once could register without end."""
    unseen = Entry.objects.filter(tournament=tournament, accepted_at__isnull=False)
    return unseen.filter(state__in=(*Entry.ASKING, *Entry.EXPECTED)).count() >= MOST_UNSEEN


def place_in_line(entry: Entry) -> int:
    """Give somebody's place on the waiting list, from 1."""
    before = Entry.objects.filter(tournament=entry.tournament, state=State.WAITING)
    return before.filter(start_number__lte=entry.start_number).count()


def numbered_name(entry: Entry) -> str:
    """Give the substitute for a name that nobody may see, in the event's language."""
    with override(entry.tournament.language):
        return gettext("Player %(number)d") % {"number": entry.start_number}


def hide_minor(entry: Entry, real_name: str) -> None:
    """Replace a minor's public name by a number if it is their real name; they may choose a nickname."""
    under_age = entry.guardian or is_minor(entry.player.birth_date, entry.tournament.starts_on)
    if under_age and as_read(entry.public_name) == as_read(real_name):
        entry.public_name = numbered_name(entry)


def show_again(entry: Entry, real_name: str) -> None:
    """Give somebody whose name was replaced by a number their name back, if they are no minor after all."""
    under_age = entry.guardian or is_minor(entry.player.birth_date, entry.tournament.starts_on)
    if not under_age and entry.public_name == numbered_name(entry):
        entry.public_name = real_name


def is_minor(birth_date: date | None, on: date) -> bool:
    """Tell whether somebody born then is under 18 on that day; False if the birth date is not known."""
    return birth_date is not None and (
        on.year - birth_date.year - ((on.month, on.day) < (birth_date.month, birth_date.day)) < ADULT
    )
