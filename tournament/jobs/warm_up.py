"""Background loading of lazy imports after the start."""

import gc
import logging
import time

from tournament.server.first_use import load_all

logger = logging.getLogger("tournament.warm_up")

AFTER = 5.0  # seconds; first pages come first
MODULE_PAUSE_S = 0.02  # seconds per module, for requests meanwhile


def warm_up() -> None:
    """Load everything once; failures are logged and recur on use."""
    time.sleep(AFTER)
    try:
        load_all(lambda: time.sleep(MODULE_PAUSE_S))
    except Exception:  # not needed yet
        logger.exception("not everything could be loaded")
    gc.freeze()  # as in live/server.py
