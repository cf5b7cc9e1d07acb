"""The secret key of a folder, and what a password may not be."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError

from tournament.models import User
from tournament.server.secrets import NotOurWords, kept_key

ROOT = Path(__file__).resolve().parents[2]
STARTS = 200

KEEP = """
import sys
from pathlib import Path
from tournament.server.secrets import kept_key
for line in sys.stdin:
    print(kept_key(Path(line.strip())), flush=True)
"""


def test_servers_that_start_at_once_on_an_empty_folder_have_one_secret_key(tmp_path: Path) -> None:
    servers = [
        subprocess.Popen(
            [sys.executable, "-c", KEEP], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    try:
        for start in range(STARTS):
            path = tmp_path / str(start) / "secret-key"
            for server in servers:
                assert server.stdin
                server.stdin.write(f"{path}\n")
                server.stdin.flush()
            told = [server.stdout.readline().strip() for server in servers if server.stdout]
            assert told == [path.read_text()] * 2
            assert len(told[0]) >= 50
            assert [each.name for each in path.parent.iterdir()] == ["secret-key"]
            assert path.stat().st_mode & 0o077 == 0
    finally:
        for server in servers:
            server.communicate()


def test_disk_without_hard_links_keeps_the_secret_key_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("tournament.server.secrets.os.link", no_links)
    first = kept_key(tmp_path / "secret-key")
    assert kept_key(tmp_path / "secret-key") == first
    assert [each.name for each in tmp_path.iterdir()] == ["secret-key"]


@pytest.mark.parametrize(
    "password", ["lastcard2026", "Referee-Referee", "UNO!!!1234", "tuomari_mattel", "korttipeli", "Kortspel1"]
)
def test_password_of_words_that_stand_on_every_page_is_refused(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        NotOurWords().validate(password)
    assert refused.value.code == "password_our_words"


@pytest.mark.parametrize("password", ["headyheady1", "Heady-2026", "lamarr.heady", "referee-lamarr"])
def test_password_of_nothing_but_the_persons_name_is_refused(password: str) -> None:
    person = User(username="heady", last_name="Lamarr")
    with pytest.raises(ValidationError) as refused:
        NotOurWords().validate(password, person)
    assert refused.value.code == "password_our_words"
    NotOurWords().validate(f"{password} and a horse", person)


@pytest.mark.parametrize("password", ["correct horse battery", "referee of Kuopio", "12345678"])
def test_password_with_enough_of_its_own_is_taken(password: str) -> None:
    NotOurWords().validate(password)
