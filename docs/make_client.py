"""`make client`: a Python client of the API, from its OpenAPI document, in a folder of its own.

    python docs/make_client.py [FOLDER]

The folder is a package, `lastcard_client` by default in var/client: it needs httpx and attrs. It is made, not kept, so
that it always agrees with the document; docs/api.md shows its use.
"""

import json
import os
import subprocess
import sys
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "var" / "client"
PACKAGE = "lastcard_client"


def main(folder: Path = FOLDER) -> Path:
    """Write the package into this folder, in the place of an older one; give the package's own folder.

    Raises CalledProcessError where the document has something that the generator does not understand.
    """
    package = folder / PACKAGE
    package.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        document, config = Path(work) / "api.json", Path(work) / "config.json"
        document.write_text(json.dumps(described(), default=str), encoding="utf-8")
        config.write_text(json.dumps({"package_name_override": PACKAGE}), encoding="utf-8")
        generate = [
            sys.executable,
            "-m",
            "openapi_python_client",
            "generate",
            "--meta",
            "none",
            "--overwrite",
        ]
        paths = ["--path", str(document), "--config", str(config), "--output-path", str(package)]
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        subprocess.run([*generate, "--fail-on-warning", *paths], env=environment, check=True)
    return package


def described() -> dict[str, Any]:
    """The API's OpenAPI document, with uuids in headers as text: the client would not turn those into text itself."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    import django

    django.setup()
    from tournament.extras.programs.api.schema import document

    made = deepcopy(document())
    for operations in made["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "header":
                    parameter["schema"].pop("format", None)
    return made


if __name__ == "__main__":
    print(main(*map(Path, sys.argv[1:])))
