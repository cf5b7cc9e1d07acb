"""The XML parts of a workbook, read as a stream: no tree is built, and a part that asks for anything is refused.

A document type declaration is what entity bombs and files of others begin with; no workbook has one, so the parser
(defusedxml) refuses each. Names of elements come without their namespace: the two flavours of the format differ in it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from tournament.files.lists.limits import DEEPEST, LONGEST_CELL, LONGEST_TAG, MOST_ELEMENTS
from tournament.files.lists.problems import Refusal

_SLICE = 64 * 1024  # bytes


@dataclass(slots=True)
class Budget:
    """What all the parts of one file may have together."""

    elements: int = MOST_ELEMENTS


class Part:
    """What is done with one part's elements: subclasses say so in `opened` and `closed`, and call `keep` to be given
    the text up to the element's end."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._depth = 0
        self._kept: list[str] | None = None
        self._length = 0

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def closed(self, name: str, text: str) -> None:
        """An element ends; `text` is what was kept."""

    def keep(self) -> None:
        """Keep the text from here to the end of this element."""
        self._kept, self._length = [], 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._budget.elements -= 1
        if self._depth > DEEPEST:
            raise Refusal("damaged")
        if self._budget.elements < 0:
            raise Refusal("too_much_inside")
        self.opened(tag.rpartition("}")[2], attributes)

    def end(self, tag: str) -> None:
        self._depth -= 1
        text, self._kept = "".join(self._kept or ()), None
        self.closed(tag.rpartition("}")[2], text)

    def data(self, text: str) -> None:
        if self._kept is not None:
            self._length += len(text)
            if self._length > LONGEST_CELL:
                raise Refusal("cell_too_long", most=LONGEST_CELL)
            self._kept.append(text)

    def close(self) -> None:
        pass


def parse(chunks: Iterable[bytes], part: Part) -> None:
    """Read a part. Raises Refusal: `entities`, `damaged`, or what the part itself refuses."""
    parser = DefusedXMLParser(target=part, forbid_dtd=True)
    expat = parser.parser  # asks the part itself: a workbook of results has a million elements
    expat.ordered_attributes = False
    expat.StartElementHandler, expat.EndElementHandler = part.start, part.end
    expat.CharacterDataHandler = part.data
    try:
        for piece in _bounded(chunks):
            parser.feed(piece)
        parser.close()
    except DefusedXmlException:
        raise Refusal("entities") from None
    except (ParseError, ValueError, LookupError):  # also an encoding that nobody knows
        raise Refusal("damaged") from None


def _bounded(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes, until one tag or text goes on and on: a tag of a million attributes is one element, and takes the
    memory of a million. Only in UTF-8, as every program writes it, does the byte > stand for nothing else."""
    since, first = 0, True
    for chunk in chunks:
        if first and (chunk.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in chunk[:4]):
            raise Refusal("damaged")
        first = False
        for at in range(0, len(chunk), _SLICE):
            piece = chunk[at : at + _SLICE]
            since = 0 if b">" in piece else since + len(piece)
            if since > LONGEST_TAG:
                raise Refusal("too_much_inside")
        yield chunk


def attribute(attributes: dict[str, str], name: str) -> str:
    """An attribute by its name without the namespace; "" where there is none."""
    if name in attributes:
        return attributes[name]
    return next((value for key, value in attributes.items() if key.rpartition("}")[2] == name), "")
