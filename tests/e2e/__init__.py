"""Lastcard as people meet it: a real server process and a real browser."""
