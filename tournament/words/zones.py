"""IANA time zones, and today's default date."""

from datetime import date
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

ZONES = frozenset(available_timezones())
HOME = ZoneInfo("Europe/Helsinki")  # where KPGUT and TiTe play


def home_today() -> date:
    """Today in the home zone, for new events without a zone."""
    return timezone.localdate(timezone=HOME)
