"""Pages without sign-in."""
