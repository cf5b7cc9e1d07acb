"""`manage.py export_event` and `import_event`, and that an archive's sheets are score sheets."""

import io
import json
import stat
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.ledger.test_purge import whole
from tests.support.archives import forget_everything, taken_apart
from tests.support.factories import event, recorded_round, running_match
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


def told(*arguments: object) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        call_command(*map(str, arguments), stdout=out)
    return out.getvalue().strip()


def test_there_and_back(tmp_path: Path) -> None:
    made, file = running_match(players=3), tmp_path / "cup.zip"
    slug = made.tournament.slug
    assert told("export_event", slug, file) == str(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["cup.zip"]
    assert told("import_event", file) == f"The event already exists. Unchanged: {slug}"
    forget_everything()
    assert told("import_event", file) == f"Imported: {slug}"
    forget_everything()
    event(slug=slug)
    assert told("import_event", file).startswith(
        "Imported. Its public address was taken, so it has another: "
    )
    assert told("verify").count("clean") == 2


def test_an_event_that_is_not_there_and_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no event nowhere"):
        told("export_event", "nowhere")
    made = running_match(players=3)
    with pytest.raises(CommandError, match="No archive was made: No such file"):
        told("export_event", made.tournament.slug, tmp_path / "no" / "where.zip")
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        told("import_event", tmp_path / "nothing.zip")


def test_a_refusal_says_why(tmp_path: Path) -> None:
    file = tmp_path / "cup.zip"
    file.write_bytes(b"no archive")
    with pytest.raises(CommandError, match="This is not an archive of an event"):
        told("import_event", file)
    made = running_match(players=3)
    told("export_event", made.tournament.slug, file)
    recorded_round(made)
    with pytest.raises(
        CommandError, match=f"“{made.tournament.name}” is already here and differs from the archive"
    ):
        told("import_event", file)


@pytest.mark.parametrize(
    ("options", "people"),
    [
        ([], "everything"),
        (["--without-personal-data"], "public names"),
        (["--anonymous"], "anonymous"),
        (["--anonymous", "--without-personal-data"], "anonymous"),
    ],
    ids=["all", "public", "anonymous", "both"],
)
def test_how_much_of_the_people_it_tells(tmp_path: Path, options: list[str], people: str) -> None:
    made, file = running_match(players=3), tmp_path / "cup.zip"
    told("export_event", made.tournament.slug, file, *options)
    assert json.loads(taken_apart(file.read_bytes())["manifest.json"])["people"] == people


def test_each_score_sheet_gives_the_answer_that_lies_beside_it(tmp_path: Path) -> None:
    made, file, sheet = whole(), tmp_path / "cup.zip", tmp_path / "sheet.json"
    told("export_event", made.tournament.slug, file)
    files = taken_apart(file.read_bytes())
    sheets = [name for name in files if name.startswith("sheets/")]
    assert sheets == ["sheets/stage-1.json"]
    for name in sheets:
        sheet.write_bytes(files[name])
        assert json.loads(told("score", sheet)) == json.loads(files[name.replace("sheets/", "answers/")])


def test_without_a_name_the_file_is_called_as_the_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    slug = running_match(players=3).tournament.slug
    assert told("export_event", slug) == f"{slug}-with-personal-data.zip"
    assert Tournament.objects.filter(slug=slug).exists()
