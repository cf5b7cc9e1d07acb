"""WHAT is played: one typed data file for each revision of a rule sheet.

Imports nothing of the program's other packages.
"""

from collections.abc import Mapping
from types import MappingProxyType

from .kpgut_2016 import KPGUT_2016
from .mattel_108 import MATTEL_108
from .mattel_112 import MATTEL_112
from .ruleset import BLACK_CARDS, CARDS, NUMBERS, OWN_HAND, WINNER_TAKES, Ruleset
from .tite_2022 import TITE_2022

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {ruleset.id: ruleset for ruleset in (KPGUT_2016, MATTEL_108, MATTEL_112, TITE_2022)}
)

__all__ = [
    "BLACK_CARDS",
    "CARDS",
    "NUMBERS",
    "OWN_HAND",
    "RULESETS",
    "WINNER_TAKES",
    "Ruleset",
]
