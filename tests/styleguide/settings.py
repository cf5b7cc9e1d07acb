"""Settings of a server that shows the styleguide beside everything else."""

from pathlib import Path

from tournament.settings import *
from tournament.settings import TEMPLATES

HERE = Path(__file__).resolve().parent
ROOT_URLCONF = "tests.styleguide.urls"
TEMPLATES[0]["DIRS"] = [*TEMPLATES[0]["DIRS"], HERE / "templates"]
STATICFILES_DIRS = [HERE / "static"]
