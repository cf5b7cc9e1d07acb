"""How static files are named: by their content, so that a browser keeps each for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # its base has no types
    """Our own scripts too, where one imports from another: under two names it would run twice on one page.

    Django's switch for this (`support_js_module_import_aggregation`) stumbles over comments in others' scripts.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            "lastcard/js/*.js",
            (
                (r'(?P<matched>from "(?P<url>\.{1,2}/[\w./-]+\.js)";)', 'from "%(url)s";'),
                (r'(?P<matched>import\("(?P<url>\./\w+\.js)"\))', 'import("%(url)s")'),
            ),
        ),
    )
