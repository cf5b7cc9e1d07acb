"""Settings of a server that shows the styleguide with everything else."""

from pathlib import Path
from typing import Any

from tournament.settings import *
from tournament.settings import STATICFILES_DIRS, TEMPLATES as PRODUCT

HERE = Path(__file__).resolve().parent
PAGES: Any = PRODUCT[0]
ROOT_URLCONF = "tests.styleguide.urls"
TEMPLATES = [PAGES | {"DIRS": [*PAGES["DIRS"], HERE / "templates"]}]
STATICFILES_DIRS = [*STATICFILES_DIRS, ("lastcard", HERE / "static" / "lastcard")]
