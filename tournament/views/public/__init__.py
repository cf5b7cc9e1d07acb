"""What everybody may see without signing in: published pages, and the table of friends."""
