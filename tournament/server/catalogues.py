"""Compiled translations, which are not in git: a checkout compiles each that is missing or older than its text, before
the first translation; the wheel and the image hold compiled ones."""

import logging
import os
from pathlib import Path

logger = logging.getLogger(__name__)


def compile_catalogues(folder: Path) -> None:
    """Compile each LANGUAGE/LC_MESSAGES/django.po in the folder that is newer than its django.mo. Several processes may
    do so at once: each replaces the whole file."""
    for text in folder.glob("*/LC_MESSAGES/django.po"):
        compiled = text.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime_ns >= text.stat().st_mtime_ns:
            continue
        import polib  # 0.2 s of processor time for each catalogue

        own = text.with_name(f"django.{os.getpid()}.mo")
        try:
            own.write_bytes(polib.pofile(str(text)).to_binary())
            own.replace(compiled)
        except OSError as error:
            logger.warning("%s cannot be compiled, so its texts may be old or English: %s", text, error)
