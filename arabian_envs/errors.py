"""Every exception this package raises on purpose.

Each is also the built-in exception a caller would expect, so `except ValueError` keeps working.
"""


class ArabianError(Exception):
    """Base of all errors of this package."""


class UnknownGameError(ArabianError, KeyError):
    """No game has that id."""

    def __str__(self) -> str:
        # KeyError would show the message in quotes.
        return str(self.args[0])


class IllegalActionError(ArabianError, ValueError):
    """An action that the rules do not allow now; nothing has changed."""


class GameOverError(IllegalActionError):
    """A step on a table whose game has ended; nothing has changed."""


class ComponentError(ArabianError, ValueError):
    """A component file that does not describe a playable box."""


class MismatchError(ArabianError, ValueError):
    """A saved file that belongs to another game, version or size."""
