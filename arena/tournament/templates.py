"""The templates of `arena new`: one bot per language, with the message loop done."""

from __future__ import annotations

import re
import shutil
import tomllib
from difflib import get_close_matches
from pathlib import Path

from arena.errors import ConfigError
from arena.tournament.bots import BOT_FILE, BUILT, IGNORED, PRODUCTS, valid_name

ALIASES = {"c++": "cpp", "golang": "go", "js": "javascript", "py": "python", "ts": "typescript"}
"""Other words for a language."""


def _home() -> Path:
    """Where the templates are: in the installed package, or in the sources beside it."""
    package = Path(__file__).parents[1]
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "sample_bots"


def _template(language: str) -> Path:
    folder = _home() / language
    return folder / "template" if (folder / "template").is_dir() else folder


def languages() -> list[str]:
    """The languages there is a template for."""
    return sorted(
        folder.name for folder in _home().iterdir() if (_template(folder.name) / BOT_FILE).is_file()
    )


def copy_template(language: str, name: str, where: Path) -> Path:
    """A new folder `name` in `where` with a bot of that name. Raises `ConfigError`."""
    known = languages()
    language = ALIASES.get(language.lower(), language)
    if language.lower() not in known:
        near = get_close_matches(language.lower(), known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise ConfigError(f"there is no template for {language!r}; {hint}")
    if not valid_name(name):
        raise ConfigError(
            f"{name!r} must be 1 to 64 letters, digits, spaces or ._+-, a letter or digit first"
        )
    folder = where / name
    if folder.exists():
        raise ConfigError(f"{folder} exists already; choose another name")
    ignored = shutil.ignore_patterns(*IGNORED, *PRODUCTS, BUILT)
    try:
        shutil.copytree(_template(language.lower()), folder, ignore=ignored)
        about = folder / BOT_FILE
        text = re.sub(r'(?m)^author = ".*?"', 'author = ""', about.read_text(), count=1)
        about.write_text(text)
        old = f'"{tomllib.loads(text)["name"]}"'  # it stands in the program's hello too
        for path in folder.rglob("*"):
            if path.is_file() and old in (text := path.read_text(encoding="utf-8")):
                path.write_text(text.replace(old, f'"{name}"'), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {folder}: {error.strerror}") from None
    return folder
