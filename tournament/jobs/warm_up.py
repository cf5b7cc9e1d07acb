"""Load in the background, soon after the start, what waits for its first use: whoever uses it first need not wait."""

import gc
import logging
import time

from tournament.server.first_use import load_all

logger = logging.getLogger("tournament.warm_up")

AFTER = 5.0  # seconds: the first pages come first
REST = 0.02  # seconds after each module, for those who ask meanwhile


def warm_up() -> None:
    """Load everything, once; what fails is logged, and fails again for who uses it."""
    time.sleep(AFTER)
    try:
        load_all(lambda: time.sleep(REST))
    except Exception:  # nobody asked for it yet
        logger.exception("not everything could be loaded")
    gc.freeze()  # as once the program was loaded (live/server.py)
