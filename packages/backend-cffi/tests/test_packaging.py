"""The wheel is one for all Pythons of the platform, holds the module, and installs where there is no compiler."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


def wheel(folder: Path, **environment: str) -> Path:
    """Build the wheel from a copy of the package."""
    source = folder / "source"
    shutil.copytree(
        PACKAGE, source, ignore=shutil.ignore_patterns("*.so", "build", "*.egg-info", "__pycache__", "tests")
    )
    command = [sys.executable, "-c", "from setuptools import build_meta; print(build_meta.build_wheel('.'))"]
    done = subprocess.run(
        command, cwd=source, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return next(source.glob("*.whl"))


@pytest.mark.faults
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a compiler")
def test_wheel(tmp_path):
    built = wheel(tmp_path)
    assert "-cp310-abi3-" in built.name
    names = zipfile.ZipFile(built).namelist()
    assert "ossia_backend_cffi/_native.abi3.so" in names
    assert not any(name.endswith((".c", ".h")) for name in names)


@pytest.mark.faults
def test_without_a_compiler(tmp_path):
    built = wheel(tmp_path, CC="/nonexistent/cc", CXX="/nonexistent/cc")
    names = zipfile.ZipFile(built).namelist()
    assert {"ossia_backend_cffi/backend.py", "ossia_backend_cffi/program/instructions.py"} <= {*names}
    assert not any(name.endswith(".so") for name in names)
