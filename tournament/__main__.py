"""The command `lastcard`, which is `python -m tournament` too: Lastcard's commands by their names.

| typed | done |
| --- | --- |
| `lastcard` | `up`, and the browser opens |
| `lastcard demo` | `up --demo`, and the browser opens |
| `lastcard --help` | the commands are listed, without Django |
| `lastcard --version` | its version |
| `lastcard score FILE` | a score sheet is answered, without Django |
| `lastcard backup`, any other | that command of management/commands/ |
"""

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that these words name, by default those typed. Exits with the command's code."""
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
    """Run a command of Django's command line; the first word is the program's name."""
    if words[1:2] == ["up"]:
        print("Starting Lastcard ...", flush=True)  # a slow computer takes some seconds before it says more
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
