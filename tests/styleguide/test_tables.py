"""The samples of standings, tables and clocks show what their states say."""

from tests.styleguide.pieces import parts_of, pieces
from tests.styleguide.samples import LONG, NAMES, ONE_WORD
from tests.styleguide.tables import STANDINGS, TABLES

PARTS = parts_of(*TABLES)


def test_only_the_tile_on_which_somebody_must_act_is_red() -> None:
    found = pieces(PARTS["tile"])
    assert [state for state, html in found.items() if "tile--act" in html] == ["somebody must act"]
    assert [state for state, html in found.items() if "tile__quiet" in html] == ["quiet for long"]
    assert NAMES[3] in found["running"]
    assert ONE_WORD in found["long names"]


def test_standings_have_rows_bars_and_none_where_nobody_is() -> None:
    found = pieces(STANDINGS)
    played = found["while it is played"]
    assert all(name in played for name in NAMES)
    assert (LONG in played, LONG in found["long names, finished"]) == (False, True)
    assert not any(name in found["nobody yet"] for name in NAMES)


def test_calls_stand_with_who_called() -> None:
    found = pieces(PARTS["calls"])
    assert not found["nobody: nothing"].strip()
    assert all(text in found["two"] for text in (NAMES[0], LONG, "Table 4", "Table 11"))


def test_clock_shows_its_face() -> None:
    found = pieces(PARTS["clock"])
    faces = {"waiting": "00:00", "running": "23:04", "stopped": "36:50", "limit": "60:00"}
    assert {state: face for state, face in faces.items() if face in found[state]} == faces
