"""Time zones by their IANA names."""

from zoneinfo import available_timezones

ZONES = frozenset(available_timezones())
