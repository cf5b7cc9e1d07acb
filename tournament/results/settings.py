"""A stage's settings, checked by scoring before anything is played."""

from collections.abc import Mapping

from scoring import SheetInvalid, score
from tournament.models import Stage
from tournament.results.bridge import ROWS, SHEET_KINDS
from tournament.results.faults import Fault, Refused

# The settings that each kind of sheet knows.
SETTINGS = {
    "session": frozenset({"min_games", "decks"}),
    "heats": frozenset({"advance"}),
    "match": frozenset({"target", "scoring", "decks", "custom_cards"}),
}


def check_settings(stage: Stage, *, whole: bool) -> None:
    """Score a sheet without rounds: the settings' faults are scoring's. While a stage is only planned, what
    is not chosen yet may be missing."""
    kind = SHEET_KINDS[stage.kind]
    unknown = stage.settings.keys() - SETTINGS[kind]
    if unknown:
        raise Refused(*(Fault("unknown_setting", f"/settings/{name}") for name in sorted(unknown)))
    sheet = {
        "sheet": 1,
        "kind": kind,
        "ruleset": stage.tournament.ruleset,
        "settings": stage.settings,
        "players": [{"id": "1", "name": "1"}, {"id": "2", "name": "2"}],
        ROWS[kind]: [],
    }
    faults = settings_faults(sheet)
    if not whole:
        faults = [fault for fault in faults if fault.code != "missing_target"]
    if faults:
        raise Refused(*faults)


def settings_faults(sheet: Mapping[str, object]) -> list[Fault]:
    """The faults of a sheet as scoring finds them."""
    try:
        score(sheet)
    except SheetInvalid as invalid:
        return [Fault(error.code, error.path, error.parameters) for error in invalid.errors]
    return []
