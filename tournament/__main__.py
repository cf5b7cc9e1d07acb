"""The `lastcard` command, also `python -m tournament`.

| command | effect |
| --- | --- |
| `lastcard` | `up`, opens browser |
| `lastcard demo` | `up --demo`, opens browser |
| `lastcard --help`, `--version`, `score FILE` | without Django |
| `lastcard backup`, any other | Django command |
"""

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command, by default sys.argv's. Exits with its code."""
    words = [*(sys.argv[1:] if arguments is None else arguments)]
    if words[:1] == ["score"]:
        from tournament.management.score import main as score

        sys.exit(score(words[1:]))
    if words in (["--help"], ["-h"], ["help"]):
        from tournament.management.listing import listing

        print(listing())
        return
    if words == ["--version"]:
        from tournament import __version__

        print(__version__)
        return
    if words[:1] == ["demo"]:
        words[:1] = ["--demo"]
    if not (words and words[0].isidentifier()):
        words[:0] = ["up", "--browser"]
    run(["lastcard", *words])


def run(words: list[str]) -> None:
    """Run a Django command; `words[0]` is the program."""
    if words[1:2] == ["up"] and not {"-h", "--help"} & {*words}:
        print("Starting Lastcard ...", flush=True)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        _ = settings.DATA_DIR
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    execute_from_command_line(words)


if __name__ == "__main__":
    main()
