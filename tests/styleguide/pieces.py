"""Samples of the styleguide as a page shows them."""

from types import SimpleNamespace

from django.template.loader import render_to_string

from tests.styleguide.samples import Part

SIGNED_IN = SimpleNamespace(user=SimpleNamespace(is_authenticated=True, uid="somebody"))


def pieces(part: Part) -> dict[str, str]:
    """The HTML of each sample of the part, by its state, as somebody who is signed in sees it."""
    return {
        sample.state: sample.done(render_to_string(part.template, {"request": SIGNED_IN, **sample.context}))
        for sample in part.samples
    }


def parts_of(*parts: Part) -> dict[str, Part]:
    return {part.name: part for part in parts}
