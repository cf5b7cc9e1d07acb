"""The styleguide shows every component there is, from its own fragment."""

import re
from collections import Counter
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from tests.styleguide import settings as styleguide

COMPONENTS = Path(__file__).parents[2] / "templates" / "components"
PATH = "/en/styleguide/"

pytestmark = pytest.mark.django_db


def test_every_component_is_on_the_styleguide(client: Client, settings: Settings) -> None:
    settings.ROOT_URLCONF, settings.TEMPLATES = styleguide.ROOT_URLCONF, styleguide.TEMPLATES
    response = client.get(PATH)
    assert response.status_code == 200
    drawn = {template.name for template in response.templates}
    assert {f"components/{path.name}" for path in COMPONENTS.glob("*.html")} <= drawn
    page = response.content.decode()
    twice = [name for name, times in Counter(re.findall(r'\bid="([^"]+)"', page)).items() if times > 1]
    assert not twice
    named = set(re.findall(r'\b(?:for|aria-labelledby|aria-describedby)="([^"]+)"', page))
    assert named
    assert {name for names in named for name in names.split()} <= set(re.findall(r'\bid="([^"]+)"', page))
