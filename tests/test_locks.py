"""Locks that last are those that a forked child gets anew."""
import re
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[1] / "packages"
_MADE = re.compile(r"threading\.(?:R?Lock|Condition|Semaphore)\(")
_RENEWED = re.compile(r"renewed\(threading\.(?:R?Lock|Condition|Semaphore)\(")
_OF_ONE_CALL = {"event_file.py": 2, "replicas.py": 2}  # how many locks of a module last no longer than a call
_OF_PROGRAMS = {"ossia_command", "ossia_tensorflow_paths"}  # what programs of the original are given


SOURCES = sorted({path.parent for path in PACKAGES.glob("*/src/*/__init__.py")})


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_locks_are_renewed_in_forked_children(source):
    if source.name in _OF_PROGRAMS:
        return
    for path in source.rglob("*.py"):
        text = path.read_text()
        plain = len(_MADE.findall(text)) - len(_RENEWED.findall(text))
        assert plain == _OF_ONE_CALL.get(path.name, 0), path
