"""`manage.py export_workbook`: results and data, for either audience."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from openpyxl import load_workbook

from tests.extras.workbook.files.workbook_jobs import played, rounds_in
from tests.support.factories import recorded_round
from tournament import actions


@pytest.mark.django_db
def test_an_operator_writes_a_workbook_for_either_audience_in_a_language(tmp_path: Path) -> None:
    made = played()
    command = ("export_workbook", made.tournament.slug)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    for audience, rounds in [("everybody", 1), ("organisers", 2)]:
        file = tmp_path / f"{audience}.xlsx"
        call_command(*command, "--data", "xlsx", "--as", audience, "--to", file, verbosity=0)
        assert rounds_in(file.read_bytes()) == rounds
    call_command(*command, "--data", "zip", "--to", tmp_path / "data.zip", verbosity=0)
    assert "rounds.csv" in ZipFile(tmp_path / "data.zip").namelist()
    call_command(*command, "--language", "fi", "--to", file, verbosity=0)
    assert load_workbook(file).sheetnames
    with pytest.raises(CommandError, match="No file was made"):
        call_command(*command, "--to", tmp_path / "none" / "x.xlsx")
