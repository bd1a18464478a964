"""TOML files as people write them: every complaint names file, line and key, and the nearest key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.errors import ConfigError

_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?")


class Document:
    """A parsed file. `at` names a table in it: "" the top, "options", "bots.1" the second of a list."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = path.read_text(encoding="utf-8")
            self.table: dict[str, Any] = tomllib.loads(self._text)
        except FileNotFoundError:
            raise ConfigError(f"{path} does not exist") from None
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ConfigError(f"{path} is not a text in UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path}: this is no TOML: {error}") from None

    def line(self, key: str, at: str = "") -> int | None:
        """The line, from 1, on which this key of this table stands; None if it is not found."""
        begins = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""")
        table, seen = "", dict[str, int]()
        for number, line in enumerate(self._text.splitlines(), 1):
            header = _HEADER.fullmatch(line)
            if header:
                table = header[1].replace(" ", "")
                if line.lstrip().startswith("[["):
                    seen[table] = seen.get(table, -1) + 1
                    table = f"{table}.{seen[table]}"
                if key == table.rpartition(".")[2] and at == table.rpartition(".")[0]:
                    return number
            elif table == at and begins.match(line):
                return number
        return None

    def error(self, key: str, message: str, at: str = "") -> ConfigError:
        """A complaint about a key, for raising."""
        line = self.line(key, at)
        where = f"{self.path} line {line}" if line else str(self.path)
        name = f"{at}.{key}" if at and key else key
        return ConfigError(f"{where}: {name}: {message}" if name else f"{where}: {message}")

    def known(self, table: dict[str, Any], keys: Iterable[str], at: str = "") -> None:
        """Raises `ConfigError` for a key that is not one of `keys`."""
        for key in table:
            if key not in keys:
                near = get_close_matches(key, keys, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(keys)}"
                raise self.error(key, f"there is no such key; {hint}", at)

    def value(self, table: dict[str, Any], key: str, kind: type, default: Any, at: str = "") -> Any:
        """The value of a key, checked for its type; `default` where it is missing."""
        value = table.get(key, default)
        if key in table and type(value) is not kind:
            words = {str: 'a text in "quotes"', int: "a whole number", bool: "true or false"}
            words |= {list: "a list in [brackets]", dict: "a table"}
            raise self.error(key, f"must be {words[kind]}, not {value!r}", at)
        return value
