"""Cards, states and languages as templates show them."""

import pytest
from django.template import Context, Engine, Template
from django.test import RequestFactory

from tournament.templatetags.lastcard import card, hand_items, page_in_language, status

LIBRARIES = {"lastcard": "tournament.templatetags.lastcard"}


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/en/t/spring-cup/", "/fi/t/spring-cup/"),
        ("/fi/", "/fi/"),
        ("/sv", "/fi/"),
        ("/nowhere/", "/fi/"),
        ("//elsewhere.example/", "/fi/"),
        ('/en/"><b>', "/fi/%22%3E%3Cb%3E"),
    ],
)
def test_page_in_language(path: str, address: str) -> None:
    assert page_in_language(path, "fi") == address


def test_languages_are_the_same_for_every_query_and_cookie() -> None:
    template = Template("{% load lastcard %}{% languages %}")
    one = RequestFactory().get("/en/t/spring-cup/?me=1")
    other = RequestFactory().get("/en/t/spring-cup/", HTTP_COOKIE="sessionid=x")
    assert template.render(Context({"request": one})) == template.render(Context({"request": other}))


def test_languages_without_a_request_lead_to_the_start() -> None:
    assert 'href="/sv/"' in Template("{% load lastcard %}{% languages %}").render(Context())


def test_card_says_its_name_unless_decorative() -> None:
    assert 'aria-label="Draw 2"' in card("draw2")
    assert 'aria-hidden="true"' in card("draw2", decorative=True)


def test_black_card_has_no_colour() -> None:
    assert "card--red" not in card("wild4", "red")
    assert "card--black" in card("wild4", "red")


def test_hand_items_are_in_the_order_of_the_pad() -> None:
    assert hand_items({"wild": 1, "7": 2, "0": 1, "skip": 0}) == [("0", 1), ("7", 2), ("wild", 1)]


def for_some(context: Context) -> dict[str, object] | None:
    return {"name": "some"} if context["name"] == "<x>" else None


def test_extras_add_their_templates_at_their_place_with_the_context_of_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {"a.html": "<a>{{ name }}</a>\n", "b.html": "<b>{{ name }}</b>\n"}
    buttons = [("here", "a.html"), ("elsewhere", "b.html"), ("here", "b.html", "for_some")]
    monkeypatch.setattr("tournament.server.extras.added", {"buttons": buttons}.__getitem__)
    monkeypatch.setattr("tournament.server.extras.import_string", {"for_some": for_some}.__getitem__)
    engine = Engine(loaders=[("django.template.loaders.locmem.Loader", files)], libraries=LIBRARIES)
    template = engine.from_string("{% load lastcard %}<p>{% extras 'here' %}{% extras 'nowhere' %}</p>")
    assert template.render(Context({"name": "<x>"})) == "<p><a>&lt;x&gt;</a><b>some</b></p>"
    assert template.render(Context({"name": "y"})) == "<p><a>y</a></p>"


def test_unknown_state_raises() -> None:
    with pytest.raises(KeyError):
        status("dancing")
