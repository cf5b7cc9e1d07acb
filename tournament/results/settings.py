"""A stage's settings, checked by scoring before anything is played."""

from collections.abc import Mapping

from scoring import SheetInvalid, score
from tournament.models import Stage
from tournament.results.faults import Fault, Refused
from tournament.results.kinds import KINDS, kind_of

SETTINGS = {each.sheet: each.settings for each in KINDS.values()}


def check_settings(stage: Stage, *, whole: bool) -> None:
    """Score a sheet without rounds: the settings' faults are scoring's. While a stage is only planned, what
    is not chosen yet may be missing."""
    kind = kind_of(stage.kind)
    unknown = stage.settings.keys() - kind.settings
    if unknown:
        raise Refused(*(Fault("unknown_setting", f"/settings/{name}") for name in sorted(unknown)))
    sheet = {
        "sheet": 1,
        "kind": kind.sheet,
        "ruleset": stage.tournament.ruleset,
        "settings": stage.settings,
        "players": [{"id": "1", "name": "1"}, {"id": "2", "name": "2"}],
        kind.rows: [],
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
