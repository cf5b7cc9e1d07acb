"""The table of friends: score a game without an account. The whole state is the score sheet in the page's form; nothing
is stored on the server unless they ask to make it an event."""
