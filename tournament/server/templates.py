"""Template engine."""

from django.template.backends.django import DjangoTemplates


class Templates(DjangoTemplates):
    """Django's templates with the settings' tags alone: REST framework's would import all of it."""

    def get_templatetag_libraries(self, custom_libraries: dict[str, str]) -> dict[str, str]:
        """Tag modules by library name."""
        return custom_libraries
