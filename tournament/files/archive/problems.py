"""What keeps a file from being imported: a code and where, worded in `words`."""


class NotImported(Exception):
    """The file was refused and nothing was stored. `code` is a key of `words.REFUSALS`, `where` a file in the archive
    and a line of it (`rows/play.jsonl:7`) or "", `parameters` what the words need."""

    def __init__(self, code: str, where: str = "", **parameters: str | int) -> None:
        super().__init__(f"{code} {where}".strip())
        self.code, self.where, self.parameters = code, where, parameters
