"""Time zones by their IANA names, and the day where nobody has said which zone counts."""

from datetime import date
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

ZONES = frozenset(available_timezones())
HOME = ZoneInfo("Europe/Helsinki")  # where KPGUT and TiTe play


def home_today() -> date:
    """The day at home: what a new event suggests, whose own zone is not chosen yet."""
    return timezone.localdate(timezone=HOME)
