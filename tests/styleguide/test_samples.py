"""A sample is drawn in light and in dark, in a state that a browser or a script gives it."""

import re
from collections.abc import Callable

import pytest

from tests.styleguide.samples import (
    Part,
    Sample,
    busy,
    disabled,
    draw,
    focused,
    opened,
    taken_out,
)

FIELD = '<label for="a">Name</label><input type="hidden" name="b"><input id="a" data-focus aria-describedby="h i">'


@pytest.mark.parametrize(
    ("done", "before", "after"),
    [
        (focused, FIELD, FIELD.replace('<input id="a"', '<input data-focused id="a"')),
        (disabled, "<button>Save</button>", "<button disabled>Save</button>"),
        (
            busy,
            '<button data-busy="Saving" class="button">Save</button>',
            '<button disabled aria-busy="true" data-busy="Saving" class="button">Saving</button>',
        ),
        (opened, "<details><dialog></dialog></details>", "<details open><dialog open></dialog></details>"),
        (taken_out, '<template id="t"><p>1</p></template>', "<p>1</p>"),
    ],
)
def test_fragment_is_as_a_browser_leaves_it(done: Callable[[str], str], before: str, after: str) -> None:
    assert done(before) == after


def test_drawn_sample_has_ids_of_its_own_in_each_scheme() -> None:
    part = Part("field", "A label.", [Sample(state="plain"), Sample(state="open", context={"word": "x"})])
    drawn = draw(part, 1, lambda template, context: f'{FIELD}<a href="#a">{template} {context["word"]}</a>')
    assert drawn.sample == part.samples[1]
    assert "components/_field.html x" in drawn.light
    for html, scheme in ((drawn.light, "light"), (drawn.dark, "dark")):
        end = f"field-1-{scheme}"
        assert set(re.findall(r' id="([^"]+)"', html)) == {f"a-{end}"}
        assert f'for="a-{end}"' in html
        assert f'aria-describedby="h-{end} i-{end}"' in html
        assert f'href="#a-{end}"' in html
        assert " data-focus " not in html


@pytest.mark.parametrize(("name", "size"), [("mark", "narrow"), ("heat", "wide"), ("field", "")])
def test_part_is_laid_out_by_its_size(name: str, size: str) -> None:
    assert Part(name, "", []).size == size
