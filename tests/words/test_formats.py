"""Dates and times as each language writes them."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils import timezone, translation

from tournament.words.formats import to_the_minute, to_the_second

MOMENT = datetime(2026, 11, 22, 7, 5, 9, tzinfo=UTC)  # 9:05:09 in Helsinki


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "22 November 2026 | 22 Nov 2026 9:05 | 22 Nov 2026 9:05:09 | 9:05 | 9:05:09"),
        ("fi", "22. marraskuuta 2026 | 22.11.2026 klo 9.05 | 22.11.2026 klo 9.05.09 | 9.05 | 9.05.09"),
        ("sv", "22 november 2026 | 22.11.2026 kl. 9.05 | 22.11.2026 kl. 9.05.09 | 9.05 | 9.05.09"),
    ],
    ids=["en", "fi", "sv"],
)
def test_dates_and_times_are_written_as_the_language_does(language: str, said: str) -> None:
    page = Template(
        "{% load lastcard %}{{ at|date:'DATE_FORMAT' }} | {{ at|date:'SHORT_DATETIME_FORMAT' }} | "
        "{{ at|date_to_the_second }} | {{ at|date:'TIME_FORMAT' }} | {{ at|to_the_second }}{{ nothing|to_the_second }}"
    )
    with translation.override(language), timezone.override("Europe/Helsinki"):
        assert page.render(Context({"at": MOMENT, "nothing": None})) == said
        local = timezone.localtime(MOMENT)
        assert said.endswith(f"{to_the_minute(local)} | {to_the_second(local)}")
