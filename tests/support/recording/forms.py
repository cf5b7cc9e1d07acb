"""The forms of a page, as a browser without script would send them: untouched, and with everything filled in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from urllib.parse import urlsplit

TYPED = {
    "date": "2026-06-01",
    "datetime-local": "2026-06-01T12:30",
    "time": "12:30",
    "number": "3",
    "url": "https://b.example/",
    "email": "b@b.example",
    "password": "Zeta 9 passes by",
}
UID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}")
UNSENT = {"submit", "button", "reset", "image", "file"}
KEPT = {"hidden", *UNSENT}


@dataclass
class Field:
    name: str
    kind: str
    value: str = ""
    checked: bool = False
    options: list[str] = field(default_factory=list)


@dataclass
class Form:
    """One form with the button that sends it."""

    address: str
    fields: list[Field] = field(default_factory=list)
    button: tuple[str, str] = ("", "")

    @property
    def looks(self) -> tuple[str, ...]:
        """The marks that tell the form from others of its address: its button and the names of its fields, without
        ids."""
        told = (*self.button, *sorted({each.name for each in self.fields}))
        return tuple(dict.fromkeys(UID.sub("ID", each) for each in told))

    def sent(self, *, filled: bool) -> dict[str, list[str]]:
        """Give what the browser sends; `filled` types into what is empty, ticks every box and chooses the last
        option."""
        values: dict[str, list[str]] = {}
        for each in self.fields:
            value = _filled(each) if filled else _untouched(each)
            if each.name and value is not None:
                values.setdefault(each.name, []).append(value)
        if self.button[0]:
            values.setdefault(self.button[0], []).append(self.button[1])
        return values


def _untouched(each: Field) -> str | None:
    if each.kind in UNSENT or (each.kind in {"checkbox", "radio"} and not each.checked):
        return None
    return each.value


def _filled(each: Field) -> str | None:
    if each.kind in UNSENT or (each.kind == "radio" and not each.checked):
        return None
    if each.kind == "select":
        return each.options[-1] if each.options else each.value
    if each.kind in KEPT or each.kind == "checkbox" or each.value:
        return each.value
    return TYPED.get(each.kind, "Zeta")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, Form] = {}
        self.buttons: list[tuple[str, str, tuple[str, str]]] = []
        self.loose: list[tuple[str, Field]] = []
        self._here = ""
        self._text: Field | None = None
        self._select: Field | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._here = said.get("id") or f"form {len(self.forms)}"
            if said.get("method", "").lower() == "post":
                self.forms[self._here] = Form(said.get("action", ""))
        elif tag == "option" and self._select is not None:
            value = said.get("value", "")
            self._select.options.append(value)
            if "selected" in said or len(self._select.options) == 1:
                self._select.value = value
        elif tag in {"input", "textarea", "select", "button"} and "disabled" not in said:
            self._control(tag, said)

    def _control(self, tag: str, said: dict[str, str]) -> None:
        kind = {"textarea": "textarea", "select": "select"}.get(
            tag, said.get("type", "submit" if tag == "button" else "text")
        )
        value = said.get("value", "on" if kind in {"checkbox", "radio"} else "")
        made = Field(said.get("name", ""), kind, value, "checked" in said)
        where = said.get("form", self._here)
        if kind == "submit":
            self.buttons.append((where, said.get("formaction", ""), (made.name, made.value)))
            return
        self.loose.append((where, made))
        self._text = made if tag == "textarea" else self._text
        self._select = made if tag == "select" else self._select

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.value += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._here = ""
        elif tag == "textarea" and self._text is not None:
            self._text.value, self._text = self._text.value.removeprefix("\n"), None
        elif tag == "select":
            self._select = None


def forms_of(page: str, address: str) -> Iterator[Form]:
    """Every form of a page that is sent by POST to this site, once for each of its buttons."""
    reader = _Reader()
    reader.feed(page)
    for where, each in reader.loose:
        if where in reader.forms:
            reader.forms[where].fields.append(each)
    for name, form in reader.forms.items():
        buttons = [(action, button) for where, action, button in reader.buttons if where == name]
        for action, button in buttons or [("", ("", ""))]:
            target = urlsplit(action or form.address or address)
            if not target.netloc:
                yield replace(
                    form, address=target.path + (f"?{target.query}" if target.query else ""), button=button
                )
