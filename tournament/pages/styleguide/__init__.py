"""The styleguide: every fragment of templates/components in all its states, for who builds pages. Off by itself."""
