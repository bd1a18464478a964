"""What the command line shows as one clear line instead of a traceback; how it shows what bots wrote."""


class ArenaError(Exception):
    """Something went wrong that its text explains to a person. The command ends with `exit_code`."""

    exit_code = 1


class ConfigError(ArenaError):
    """What was asked for cannot be: wrong arguments, configuration or files."""

    exit_code = 2


def printable(text: str) -> str:
    """Without what would move the cursor of a terminal or colour it; new lines and tabs stay."""
    return "".join(each if each.isprintable() or each in "\n\t" else "?" for each in text)
