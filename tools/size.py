"""Prints the bytes of each package, the lines of its modules, and what an installation of the basic packages takes.

`python tools/size.py [--lines]`; the bytes are those of the files that an installation holds, without and with the
modules that pip compiles, in this interpreter. The last lines add up the packages that a training program needs,
`BASIC`, and those with the packages that they depend on; both should stay below 10 MB over NumPy and protobuf.
"""

import argparse
import marshal
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
BASIC = ("core", "ops", "nn", "optimizers", "schedules", "checkpoint", "session", "summary")
BASIC_BYTES = 10_000_000
_HEADER = 16  # of a compiled module, before its code


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", action="store_true", help="list every module with its lines")
    options = parser.parse_args()
    total_bytes = total_compiled = total_lines = basic = needed = 0
    brought = with_dependencies(BASIC)
    print(f"{'package':<18}{'bytes':>12}{'compiled too':>14}{'modules':>9}{'lines':>8}")
    for source in sorted(ROOT.glob("packages/*/src")):
        name = source.parent.name
        files = [path for path in source.rglob("*") if path.is_file() and installed(path)]
        modules = {path: len(path.read_text().splitlines()) for path in files if path.suffix == ".py"}
        size, lines = sum(path.stat().st_size for path in files), sum(modules.values())
        with_compiled = size + sum(map(compiled, modules)) + described(files, source)
        total_bytes, total_lines = total_bytes + size, total_lines + lines
        total_compiled += with_compiled
        basic += with_compiled * (name in BASIC)
        needed += with_compiled * (name in brought)
        print(f"{name:<18}{size:>12,}{with_compiled:>14,}{len(modules):>9}{lines:>8,}")
        if options.lines:
            for path, count in sorted(modules.items(), key=lambda item: -item[1]):
                print(f"{'':<18}{'':>35}{count:>8,}  {path.relative_to(source)}")
    print(f"{'all':<18}{total_bytes:>12,}{total_compiled:>14,}{'':>9}{total_lines:>8,}")
    print(f"{'basic packages':<18}{'':>12}{basic:>14,} of {BASIC_BYTES:,}: {', '.join(BASIC)}")
    others = ", ".join(sorted(brought - {*BASIC}))
    print(f"{'and what they need':<18}{'':>12}{needed:>14,} of {BASIC_BYTES:,}: {others}")


def with_dependencies(names: tuple[str, ...]) -> set[str]:
    """These packages and all that pip installs with them."""
    found: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            text = (ROOT / "packages" / name / "pyproject.toml").read_text()
            waiting += re.findall(r'"ossia-([\w-]+)', text[text.index("dependencies = ["):].partition("]")[0])
    return found


def installed(path: Path) -> bool:
    """Whether a wheel holds this file."""
    left_out = "__pycache__" in path.parts or path.suffix in (".proto", ".c", ".h", ".so")
    return not left_out and not any(part.endswith(".egg-info") for part in path.parts)


def compiled(path: Path) -> int:
    """The bytes of a compiled module."""
    code = compile(path.read_bytes(), f"/usr/lib/python3/site-packages/{path.name}", "exec")
    return len(marshal.dumps(code)) + _HEADER


def described(files: list[Path], source: Path) -> int:
    """The bytes of a distribution's metadata: its README, and a line with a hash for each file, compiled ones too."""
    lines = sum((len(str(path.relative_to(source))) + 60) + (path.suffix == ".py") * 30 for path in files)
    compiled_lines = sum(len(str(path.relative_to(source))) for path in files if path.suffix == ".py")
    return (source.parent / "README.md").stat().st_size + lines + compiled_lines


if __name__ == "__main__":
    main()
