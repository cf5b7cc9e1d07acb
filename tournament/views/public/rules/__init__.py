"""The rules at hand: a page for each ruleset, in our own words."""
