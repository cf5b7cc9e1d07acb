"""The samples of what a referee enters show what their states say."""

from tests.styleguide.entry import CARDS, ENTRY, PHONE
from tests.styleguide.pieces import parts_of, pieces
from tests.styleguide.samples import LONG, NAMES

PARTS = parts_of(*ENTRY, *PHONE)


def test_pad_asks_who_went_out_and_keeps_what_was_typed() -> None:
    found = pieces(PARTS["card_pad"])
    assert {state for state, html in found.items() if 'name="winner"' in html} == {"who went out?", "hands"}
    assert "There are only 8 of Draw Two." in found["error"]
    assert all(f'name="hand-p1-{kind}"' in found["hands"] for kind in CARDS)


def test_heat_has_everybody_in_the_order_so_far() -> None:
    found = pieces(PARTS["heat"])
    assert all(name in html for html in found.values() for name in (*NAMES, LONG))
    chosen = {state: html.count(" selected") for state, html in found.items()}
    assert chosen == {"nobody is out": 0, "one is out": 1, "enough are through": 2, "error": 2}
    assert [state for state, html in found.items() if "Two players are first." in html] == ["error"]


def test_outbox_says_where_the_entries_are() -> None:
    parts = {state: html.count('class="outbox__part ') for state, html in pieces(PARTS["outbox"]).items()}
    assert parts == {
        "connected": 2,
        "sending": 2,
        "offline": 3,
        "to be decided": 2,
        "somebody else’s": 2,
        "signed out": 1,
    }
    assert NAMES[1] in pieces(PARTS["outbox"])["somebody else’s"]


def test_keyboard_is_closed_and_open() -> None:
    found = pieces(PARTS["keyboard"])
    assert [state for state, html in found.items() if "<details open" in html or "<dialog open" in html] == [
        "open"
    ]
