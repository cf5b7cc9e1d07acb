"""Numbers as readers see them. Nothing is computed here that scoring gives: values come in exact and go out as text."""

from fractions import Fraction

from django.utils.formats import get_format


def average_text(average: Fraction | None) -> str:
    """An average with two decimals, rounded half up, in the reader's notation; a dash where there is none."""
    if average is None:
        return "–"
    hundredths = (200 * average.numerator + average.denominator) // (2 * average.denominator)
    return f"{hundredths // 100}{get_format('DECIMAL_SEPARATOR')}{hundredths % 100:02d}"


def clock_text(seconds: int) -> str:
    """Seconds since a game began as m:ss."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def percent_of(points: int, target: int | None) -> int | None:
    """How much of the way to the target, 0 to 100, for a bar."""
    return None if not target else max(0, min(100, points * 100 // target))
