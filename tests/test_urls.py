"""The addresses: what the start and the first page load of them, and what waits for its first request."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# A start and the first page, without a request and a database; what is loaded by then is printed.
START = """
import json, sys
import django
django.setup()
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from tournament.management.commands import up
from tournament import asgi
from tournament.live import server
view = get_resolver().resolve("/en/").func
assert view.__name__ == "tournaments" and reverse("organise")
get_template("public/tournaments.html")
first = sorted(sys.modules)
assert reverse("v1:tournaments") and reverse("admin:index")
print(json.dumps([first, sorted(sys.modules)]))
"""
NOT_FOR_THE_FIRST_PAGE = {
    "PIL",
    "drf_spectacular.openapi",
    "markdown_it",
    "openpyxl",
    "rest_framework.serializers",
    "tournament.extras.administration.admin",
    "tournament.extras.programs.api.urls",
}


def test_start_and_first_page_load_neither_the_api_nor_the_admin() -> None:
    found = subprocess.run(
        [sys.executable, "-c", START], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    first, then = map(set, json.loads(found))
    assert "tournament.views.organiser.board" in first
    assert first & NOT_FOR_THE_FIRST_PAGE == set()
    assert then > {"tournament.extras.programs.api.urls", "tournament.extras.administration.admin"}
