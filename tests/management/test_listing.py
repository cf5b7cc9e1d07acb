"""`lastcard --help`: every command with what it does, without Django."""

import subprocess
import sys

import pytest
from django.core.management import get_commands, load_command_class

from tournament.__main__ import main
from tournament.management.listing import HERE, listing


def test_every_command_is_listed_with_the_sentence_it_gives_itself() -> None:
    """But for those that Django has too, which say nothing of their own."""
    lines = dict(line.strip().split(maxsplit=1) for line in listing().splitlines() if line.startswith("  "))
    ours = {name: app for name, app in get_commands().items() if app.startswith("tournament")}
    assert ours.keys() - lines.keys() == {"createsuperuser", "migrate"}
    for name, words in lines.items():
        assert load_command_class(ours[name], name).help.startswith(words.rstrip("."))


@pytest.mark.parametrize("asked", ["--help", "-h", "help"])
@pytest.mark.parametrize("program", [["-m", "tournament"], ["manage.py"]])
def test_listing_needs_no_django(asked: str, program: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *program, asked], cwd=HERE.parents[1],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, listing())
    assert " django" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"), [(["up"], "Starting Lastcard ...\n"), (["demo", "--help"], ""), (["up", "-h"], "")]
)
def test_help_does_not_begin_with_a_start(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.core.management.execute_from_command_line", lambda _: None)
    main(words)
    assert capsys.readouterr().out == said
