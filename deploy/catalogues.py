"""A step of building the wheel (pyproject.toml): compile the translations, which the wheel holds."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's names
        sys.path.insert(0, self.root)  # a builder may run elsewhere
        from tournament.server.environment import compile_catalogues

        compile_catalogues(Path(self.root) / "locale")
