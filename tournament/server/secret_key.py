"""The key that signs sessions and links, made at the first start."""

import os
import secrets
import tempfile
from pathlib import Path


def kept_key(path: Path) -> str:
    """The key in the file, which its owner alone can read. Where there is none one is made; of several processes that
    start at once the first one's holds for all, and nobody reads half of it. Raises OSError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    return path.read_text().strip()


def _make(path: Path) -> None:
    with tempfile.NamedTemporaryFile("w", prefix=f"{path.name}-", dir=path.parent, delete=False) as file:
        file.write(secrets.token_urlsafe(50))
        file.flush()
        os.fsync(file.fileno())
    own = Path(file.name)
    try:
        path.hardlink_to(own)
    except FileExistsError:
        pass  # another process was first
    except OSError:
        own.replace(path)  # a disk that has no hard links
    finally:
        own.unlink(missing_ok=True)
