"""A page's title, and what a message shows of a link to the page."""

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_block_tag(takes_context=True)
def titled(context: template.Context, content: str) -> SafeString:
    """The page's title from what stands between `{% titled %}` and `{% endtitled %}`, and for a page that everybody
    may see (`shared`) what a message shows of a link to it. No page holds the host's name: the addresses in it follow
    from PUBLIC_URL."""
    title = format_html("<title>{}</title>", content)
    if not context.get("shared"):
        return title
    home = settings.PUBLIC_URL
    more = {
        # Written by a template, so its signs are escaped, but for quotation marks of our own.
        "title": SafeString(content.replace('"', "&quot;")),
        "address": f"{home}{context['request'].path}" if home else "",
        "picture": f"{home}{static('lastcard/brand/share.png')}" if home else "",
    }
    return SafeString(f"{title}\n  {render_to_string('components/_share.html', more)}")
