"""Time zones by their IANA names, and today's date before a zone is chosen."""

from datetime import date
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

ZONES = frozenset(available_timezones())
HOME = ZoneInfo("Europe/Helsinki")  # where KPGUT and TiTe play


def home_today() -> date:
    """Give today's date in the home zone: the default for a new event, whose own zone is not chosen yet."""
    return timezone.localdate(timezone=HOME)
