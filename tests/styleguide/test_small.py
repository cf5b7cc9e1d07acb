"""The samples of marks, cards, places, states and words show what their states say."""

import pytest

from rulesets.ruleset import DECK_112
from tests.styleguide.pieces import parts_of, pieces
from tests.styleguide.samples import ONE_WORD
from tests.styleguide.small import CARDS, STATUS, WORDS
from tournament.templatetags.lastcard import STATES

PARTS = parts_of(*CARDS, *WORDS)


@pytest.mark.parametrize("state", STATES)
def test_each_state_has_its_sign_and_its_word(state: str) -> None:
    html = pieces(STATUS)[state]
    assert f"status--{STATES[state].sign}" in html
    assert str(STATES[state].word) in html


def test_hands_show_their_cards() -> None:
    found = pieces(PARTS["hand"])
    assert all(f"#glyph-{kind}" in found["every kind"] for kind in DECK_112)
    assert "#glyph-" not in found["empty"]
    assert "184" in found["several of one"]
    assert ONE_WORD in pieces(PARTS["card_texts"])["one, and a long one"]


def test_movement_says_nothing_where_nothing_moved() -> None:
    found = pieces(PARTS["movement"])
    assert [state for state, html in found.items() if not html.strip()] == ["as before: nothing"]


def test_live_says_what_the_script_says() -> None:
    found = pieces(PARTS["live"])
    assert len(set(found.values())) == 5
    assert [state for state, html in found.items() if "12:41:07" in html] == ["offline"]


def test_languages_are_closed_open_and_focused() -> None:
    found = pieces(PARTS["languages"])
    assert [state for state, html in found.items() if "<details open" in html] == ["open"]
    assert [state for state, html in found.items() if "data-focused" in html] == ["focus"]
    assert all("Suomi" in html for html in found.values())
