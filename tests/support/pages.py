"""Reading a page as a browser does, wherever its template breaks a line."""

from django.http import HttpResponse


def folded(page: HttpResponse) -> str:
    """The page's HTML with every run of white space as one space."""
    return " ".join(page.content.decode().split())
