"""Browsers of an organiser, and forms filled the way a person does: read the page, type, send all of it."""

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin
from uuid import uuid4

from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.urls import reverse

from tests.support.house_rules import folder  # noqa: F401 - a fixture
from tournament import actions
from tournament.models import Tournament, User

LINE = re.compile(r"(.*?)(?: \((.*)\))?(?:, (.*))?")


class Forms(HTMLParser):
    """The forms of a page: for each its address, its method and what a browser would send untouched."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self._select: str | None = None
        self._area: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        name = found.get("name")
        if tag == "form":
            self.forms.append({"action": found.get("action"), "method": found.get("method"), "data": {}})
        elif not self.forms:
            return
        elif tag == "input" and name and "disabled" not in found:
            if found.get("type") not in {"checkbox", "radio"} or "checked" in found:
                self.forms[-1]["data"][name] = found.get("value") or ("on" if "checked" in found else "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            if "selected" in found or self._select not in self.forms[-1]["data"]:
                self.forms[-1]["data"][self._select] = found.get("value") or ""
        elif tag == "textarea" and name:
            self._area = name
            self.forms[-1]["data"][name] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = None
        if tag == "textarea":
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1]["data"][self._area] += data


class Browser(Client):
    """A client that sends a page's forms."""

    def send(self, page: str, ending: str, **typed: Any) -> Any:
        """Open the page and send its form whose address ends with this ("" is the page itself), with these fields
        typed."""
        answer = self.get(page, follow=True)
        page = answer.redirect_chain[-1][0] if answer.redirect_chain else page
        forms = Forms(answer.content.decode()).forms
        form = next(
            form for form in forms if form["method"] == "post" and (form["action"] or page).endswith(ending)
        )
        return self.post(urljoin(page, form["action"] or page), form["data"] | typed)


def form_of(browser: Client, page: str, field: str = "name") -> dict[str, Any]:
    """Give the data that a browser would send from the untouched form with this field."""
    forms = Forms(browser.get(page).content.decode()).forms
    return next(form["data"] for form in forms if field in form["data"])


def shown(answer: Any) -> dict[str, Any]:
    """The fields of an answer's form, as they are shown."""
    return next(form["data"] for form in Forms(answer.content.decode()).forms if "name" in form["data"])


def enter(browser: Browser, tournament: Tournament, text: str) -> None:
    """Enter players, each a line as "Name (nickname), Club", as the browser's user."""
    user = User.objects.get(pk=browser.session[SESSION_KEY])
    lines = [LINE.fullmatch(line) for line in text.splitlines()]
    players = [
        {"entry": uuid4(), "name": found[2] or found[1], "real_name": found[1], "club": found[3] or ""}
        for found in lines
        if found
    ]
    actions.enter_players(actions.Command(uuid4(), user), tournament.uid, players=players)


def paste(browser: Browser, tournament: Tournament, text: str) -> Any:
    """Paste a list of players and confirm its preview as it is."""
    page = reverse("organise-import", args=[tournament.slug])
    forms = Forms(browser.post(page, {"players": text}).content.decode()).forms
    return browser.post(page, next(form["data"] for form in forms if "rows" in form["data"]))
