"""Compiled to machine code (see `hatch_build.py`) rules and referee pass their tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PASS = (
    *(f"game/test_{name}.py" for name in ("cases", "dice", "laws", "policy", "texts", "why")),
    *(
        f"referee/test_{name}.py"
        for name in ("batches", "clock", "door", "link", "messages", "penalties", "starts", "zmtp")
    ),
)
WHERE = "import arena.game.game as game; print(game.__file__)"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler here")
def test_compiled_is_the_same(tmp_path: Path) -> None:
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "-w",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(build, env=os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(wheel).extractall(unpacked)

    # -P and an empty pythonpath: the sources in the current folder must not stand before the wheel.
    python = [sys.executable, "-P"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(unpacked), str(ROOT)])}
    used = subprocess.run([*python, "-c", WHERE], env=env, check=True, capture_output=True, text=True)
    assert used.stdout.startswith(str(unpacked))
    assert used.stdout.strip().endswith(".so")
    files = [f"tests/{name}" for name in PASS]
    tests = [*python, "-m", "pytest", "-o", "pythonpath=", "-p", "no:cacheprovider", *files]
    done = subprocess.run(tests, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
