"""Every Python block of the documentation runs; the blocks of one file run one after the other, in one process."""

import re
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = [path for path in ROOT.glob("docs/examples/*/README.md") if find_spec(path.parent.name.replace("-", "_"))]
FILES = [
    ROOT / "README.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/guide/*.md")),
    *sorted(ROOT.glob("docs/decisions/*.md")),
    *sorted(ROOT.glob("packages/*/README.md")),
    *EXAMPLES,  # those that are installed
]
BLOCK = re.compile(r"^( *)```python\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks(path):
    """The Python blocks of a file, each at its own line, so that a traceback shows where it stands."""
    text = path.read_text()
    code, line = "", 1
    for match in BLOCK.finditer(text):
        start = text.count("\n", 0, match.start(2)) + 1
        code += "\n" * (start - line) + textwrap.dedent(match[2])
        line = start + match[2].count("\n")
    return code


@pytest.mark.parametrize("path", [path for path in FILES if blocks(path)], ids=lambda path: str(path.relative_to(ROOT)))
def test_code_blocks(path, tmp_path):
    source = f"exec(compile({blocks(path)!r}, {str(path)!r}, 'exec'), {{'__name__': '__main__'}})"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links(path):
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        assert (path.parent / target).exists(), target
