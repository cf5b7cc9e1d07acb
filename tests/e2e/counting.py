"""Counts what somebody does to a page: every click (or tap) and every key, except those that write a name."""

from playwright.sync_api import BrowserContext, Page

# Told of each event that a person made (not a script), in the page and its frames, before the page can stop it.
LISTEN = """
for (const kind of KINDS)
  addEventListener(kind, (event) => event.isTrusted && window.countOne(kind), {capture: true});
"""


class Counted:
    """A browser whose clicks and keys are counted. `names` writes names into a field, as pasting does: uncounted.

    With `touch`, a tap is a finger that comes up: a tap on a label clicks its field too, and is one tap.
    """

    def __init__(self, context: BrowserContext, *, touch: bool = False) -> None:
        self.clicks = 0
        self.keys = 0
        context.expose_function("countOne", self._count)
        kinds = ["pointerup" if touch else "click", "keydown"]
        context.add_init_script(LISTEN.replace("KINDS", str(kinds)))
        self.page: Page = context.new_page()

    @property
    def all(self) -> int:
        """How many clicks and keys there were."""
        return self.clicks + self.keys

    def names(self, text: str) -> None:
        """Write names where the cursor is, which makes no key count."""
        self.page.keyboard.insert_text(text)

    def _count(self, kind: str) -> None:
        if kind == "keydown":
            self.keys += 1
        else:
            self.clicks += 1
