"""What the command line shows as one clear line instead of a traceback."""


class ArenaError(Exception):
    """Something went wrong that its text explains to a person. The command ends with `exit_code`."""

    exit_code = 1


class ConfigError(ArenaError):
    """What was asked for cannot be: wrong arguments, configuration or files."""

    exit_code = 2
