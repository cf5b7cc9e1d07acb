"""Fragment cache: a save leaves most of a page's hundreds of rows as they were."""

from threading import Lock
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

register = template.Library()

CACHED_PIECES = 2_000  # entries per place; a standings row takes 2 kB


class KeptNode(template.Node):
    """One place in a template, with its cache."""

    def __init__(self, nodelist: NodeList, values: dict[str, FilterExpression]) -> None:
        self.nodelist = nodelist
        self._values = values
        self._kept: dict[object, SafeString] = {}
        self._lock = Lock()

    def render(self, context: template.Context) -> SafeString:
        """Render, or take from the cache. Raises TypeError for unhashable values."""
        values: dict[str, Any] = {name: value.resolve(context) for name, value in self._values.items()}
        key = (get_language(), get_current_timezone_name(), *values.values())
        if (found := self._kept.get(key)) is not None:
            return found
        rendered = self.nodelist.render(context.new(values))
        with self._lock:
            self._kept[key] = rendered
            while len(self._kept) > CACHED_PIECES:
                del self._kept[next(iter(self._kept))]
        return rendered


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    """`{% kept name=value … %}…{% endkept %}`; the content sees these hashable values alone."""
    tag, *bits = token.split_contents()
    values = token_kwargs(bits, parser)
    if not values or bits:
        raise template.TemplateSyntaxError(f"{{% {tag} %}} takes name=value, at least one")
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(nodelist, values)
