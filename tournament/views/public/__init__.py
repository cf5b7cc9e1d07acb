"""Pages without a sign-in: the published ones, and the table of friends."""
