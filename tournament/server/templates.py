"""The engine of the templates."""

from django.template.backends.django import DjangoTemplates


class Templates(DjangoTemplates):
    """Django's templates with the tags that the settings name, not those of every app: REST framework's, which no page
    uses, load all of it."""

    def get_templatetag_libraries(self, custom_libraries: dict[str, str]) -> dict[str, str]:
        """The modules of tags by the names under which templates load them."""
        return custom_libraries
