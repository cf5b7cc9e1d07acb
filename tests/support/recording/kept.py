"""A record: texts by key, a file for each group of keys. Equal texts of one file are written once, below all their
keys, so a record of many roles and languages stays small and two records can be read with diff."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

MARK = "#### "
STATIC = re.compile(r"/static/(?:[\w.-]+/)*([\w-]+(?:\.[a-z][\w-]*)*?)(?:\.[0-9a-f]{12})?\.(\w+)\b")

ETAG = re.compile(
    r'(?im)^(etag: ")[0-9a-f]{32}(?=")'
)  # of all that the answer says, the program's digest included
SECRET = re.compile(r"""(csrfmiddlewaretoken"? value="|csrftoken=|sessionid=)\w+""")


class Normaliser:
    """Replaces what differs between two checkouts of one program by a placeholder."""

    def __init__(self, texts: dict[str, str]) -> None:
        """`texts`: the placeholder by the text that stands for it in this checkout."""
        self._texts = {text: placeholder for text, placeholder in texts.items() if text}
        ordered = sorted(self._texts, key=len, reverse=True)
        joined = "|".join(rf"(?<![\w.]){re.escape(text)}(?!\w|\.\d)" for text in ordered)
        self._known = re.compile(joined) if joined else None

    def __call__(self, text: str) -> str:
        if self._known:
            text = self._known.sub(lambda found: self._texts[found[0]], text)
        text = SECRET.sub(r"\1<secret>", text)
        text = ETAG.sub(r"\1<digest>", text)
        return STATIC.sub(r"/static/…/\1.\2", text)


class Record:
    """Texts by key; a key is `group | what | more`, and its group names its file."""

    def __init__(self, normalise: Normaliser) -> None:
        self._normalise = normalise
        self._texts: dict[str, dict[str, str]] = defaultdict(dict)

    def keep(self, group: str, key: str, text: str) -> None:
        if key in self._texts[group]:
            raise ValueError(f"{group} | {key} is kept twice")
        self._texts[group][key] = self._normalise(text)

    def write(self, folder: Path) -> int:
        """Write every group into the folder; gives the number of keys."""
        for group, texts in self._texts.items():
            file = folder / f"{name_of(group)}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(_blocks(group, texts)), encoding="utf-8", newline="\n")
        return sum(map(len, self._texts.values()))


def name_of(group: str) -> str:
    """A file's path for a group: `get /t/<slug:slug>/` becomes `get/t.SLUG.txt`."""
    kind, _, rest = group.partition(" ")
    rest = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: found[1].upper(), rest).strip("/")
    return f"{kind}/{re.sub(r'[^0-9A-Za-z_.+-]+', '.', rest) or 'index'}"


def _blocks(group: str, texts: dict[str, str]) -> Iterable[str]:
    keys_of: dict[str, list[str]] = defaultdict(list)
    for key, text in texts.items():
        keys_of[text].append(key)
    for text, keys in keys_of.items():
        yield "".join(f"{MARK}{group} | {key}\n" for key in keys)
        yield "".join(f" {line}\n" for line in text.split("\n"))


def read(folder: Path) -> dict[str, str]:
    """Every text of a record by its whole key. FileNotFoundError where there is no record."""
    files = sorted(folder.rglob("*.txt"))
    if not files:
        raise FileNotFoundError(f"{folder} holds no record")
    texts: dict[str, str] = {}
    for file in files:
        keys: list[str] = []
        lines: list[str] = []
        for line in file.read_bytes().decode().split("\n"):
            if line.startswith(MARK):
                if lines:
                    texts |= dict.fromkeys(keys, "\n".join(lines))
                    keys, lines = [], []
                keys.append(line.removeprefix(MARK))
            elif line:
                lines.append(line[1:])
        texts |= dict.fromkeys(keys, "\n".join(lines))
    return texts
