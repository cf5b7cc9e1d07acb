"""The styleguide shows every component there is, from its own fragment, and is shown to nobody by itself."""

import re
from collections import Counter
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

COMPONENTS = Path(__file__).parents[2] / "templates" / "components"
PATH = "/en/styleguide/"

pytestmark = pytest.mark.django_db


def test_nobody_sees_the_styleguide_where_its_setting_is_off(client: Client) -> None:
    assert client.get(PATH).status_code == 404


def test_every_component_is_on_the_styleguide(client: Client, settings: Settings) -> None:
    settings.STYLEGUIDE = True
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
