"""Compiles translations in checkouts, where .mo files are not in git; wheel and image contain them."""

import logging
import os
from pathlib import Path

logger = logging.getLogger(__name__)


def compile_catalogues(folder: Path) -> None:
    """Compile each outdated LANGUAGE/LC_MESSAGES/django.po, by atomic replacement (safe in parallel)."""
    for text in folder.glob("*/LC_MESSAGES/django.po"):
        compiled = text.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime_ns >= text.stat().st_mtime_ns:
            continue
        import polib  # 0.2 s CPU per catalogue

        own = text.with_name(f"django.{os.getpid()}.mo")
        try:
            own.write_bytes(polib.pofile(str(text)).to_binary())
            own.replace(compiled)
        except OSError as error:
            logger.warning("%s cannot be compiled, so its texts may be old or English: %s", text, error)
