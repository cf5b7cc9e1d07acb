"""How deep a property that needs the database is tried."""

import os

from hypothesis import Phase, settings

SOAK = os.environ.get("LASTCARD_SOAK") == "1"


def examples(usual: int) -> settings:
    """So many examples in a usual run, which does not look for the smallest one that fails, since each takes a while;
    with LASTCARD_SOAK=1 twenty times as many, and the smallest."""
    if SOAK:
        return settings(max_examples=usual * 20)
    return settings(max_examples=usual, phases=[Phase.explicit, Phase.reuse, Phase.generate])
