"""Compiles the rules and the referee's loop to machine code while a wheel is built, if asked to.

    HATCH_BUILD_HOOK_ENABLE_CUSTOM=true pip install .

The modules of `COMPILED` go through mypyc (it needs a C compiler) and the wheel holds both forms; Python
prefers the compiled one. What they do is the same, about twice as fast. An editable install stays
plain, so that edits take effect.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = {
    "game": ("ask", "bidding", "dice", "game", "seeds"),
    "record": ("columns",),
    "referee": ("composer", "door", "link", "loop", "player", "sessions", "table", "zmtp"),
}
"""The modules of each room that every decision passes through."""


class CompileRules(BuildHookInterface[Any]):  # type: ignore[misc]  # not there when types are checked
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self._room = tempfile.TemporaryDirectory()
        room = Path(self._room.name)
        # Beside a pyproject.toml setuptools would build what that describes, so it works on a copy.
        shutil.copytree(Path(self.root, "arena"), room / "arena")
        modules = [f"arena/{folder}/{name}.py" for folder, names in COMPILED.items() for name in names]
        command = [sys.executable, "-m", "mypyc", "--strict", *modules]
        done = subprocess.run(command, cwd=room, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the rules cannot be compiled:\n{done.stdout}{done.stderr}")
        for library in room.glob("**/*.so"):
            if "build" not in library.relative_to(room).parts:
                build_data["force_include"][str(library)] = str(library.relative_to(room))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._room.cleanup()
