"""How many examples a property that needs the database is tried with."""

import os


def examples(usual: int) -> int:
    """So many in a usual run, twenty times as many with LASTCARD_SOAK=1."""
    return usual * 20 if os.environ.get("LASTCARD_SOAK") == "1" else usual
