"""The "?" of a page."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import get_language

from tournament.words.guides import Section, part


def of_page(context: Mapping[str, Any]) -> dict[str, Section]:
    """The section that explains the page `help_of` of words.guides.PARTS."""
    return {"part": part(context["help_of"], get_language() or settings.LANGUAGE_CODE)}
