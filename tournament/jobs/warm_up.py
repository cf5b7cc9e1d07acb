"""Background loading of the API and the admin after the start."""

import gc
import logging
import time

from django.core.checks import Tags, run_checks

logger = logging.getLogger("tournament.warm_up")

AFTER = 5.0  # seconds; first pages come first


def warm_up() -> None:
    """Load all addresses once; failures are logged and recur on use."""
    time.sleep(AFTER)
    try:
        run_checks(tags=[Tags.urls])
    except Exception:  # not needed yet
        logger.exception("not everything could be loaded")
    gc.freeze()  # as in live/server.py
