"""The samples of forms show what their states say."""

from tests.styleguide.forms import COMPARISONS, FORMS
from tests.styleguide.pieces import parts_of, pieces
from tests.styleguide.samples import LONG, ONE_WORD

PARTS = parts_of(*FORMS, *COMPARISONS)


def test_fields_are_in_their_states() -> None:
    found = pieces(PARTS["field"])
    wrong = {state for state, html in found.items() if "field__error" in html}
    assert wrong == {"error", "error of a choice"}
    assert {state for state, html in found.items() if "data-focused" in html} == {"focus"}
    assert {state for state, html in found.items() if " disabled" in html} == {"disabled"}
    assert "field__help" in found["empty, with help"]
    assert "<textarea" in found["long text"]
    assert 'type="checkbox"' in found["yes or no"]


def test_errors_lead_to_their_fields() -> None:
    assert pieces(PARTS["errors"])["one"].count('href="#name"') == 1
    assert LONG in pieces(PARTS["errors"])["several, one without a field"]
    (both,) = pieces(PARTS["form_errors"]).values()
    assert both.count("<li>") == 2
    assert ONE_WORD not in both


def test_buttons_of_the_action_bar_are_in_their_states() -> None:
    found = pieces(PARTS["action_bar"])
    assert "Saving …</button>" in found["loading"]
    assert {state for state, html in found.items() if "<button disabled" in html} == {"loading", "disabled"}
    assert 'href="#"' in found["two ways, with a note"]


def test_comparison_shows_both_sides() -> None:
    for name in ("conflict", "change"):
        (html,) = pieces(PARTS[name]).values()
        assert all(text in html for text in (LONG, "7, 7, +4", "64", "57", "412", "405"))
