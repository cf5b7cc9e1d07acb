"""Bounds of moments of play (`tournament.actions.kernel.plays`) for tests that play an evening in a moment."""

from collections.abc import Callable

from tournament.actions.kernel import plays

QUICK_S = 2 * 3600


def allow_quick_games(put: Callable[[object, str, object], None]) -> None:
    """Let games begin two hours before their stage, and be over two hours from now; `put` sets a module's name."""
    for name in ("AHEAD_S", "EARLY_S"):
        put(plays, name, QUICK_S)
