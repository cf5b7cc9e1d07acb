"""What every page to be printed has: the size of its paper, and its address for another size."""

from typing import Any

from django.http import HttpRequest

PAPERS = {"a4": "A4", "letter": "Letter"}  # names of sizes, the same in every language


def paper_context(request: HttpRequest) -> dict[str, Any]:
    """`section`, and what templates/organiser/print/_bar.html wants: the `papers` to choose from and the `paper` that
    the address names, A4 where it names none."""
    paper = request.GET.get("paper", "")
    return {"section": "events", "papers": PAPERS.items(), "paper": paper if paper in PAPERS else "a4"}


def number_in(request: HttpRequest, field: str, usual: int, most: int) -> int:
    """The whole number, 1 to `most`, that the address gives for the field; else the usual one."""
    text = request.GET.get(field, "")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        return usual
    return min(max(int(text), 1), most)
