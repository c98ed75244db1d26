"""Prints the installed bytes of each package, and the lines of its modules.

`python tools/size.py [--lines]`; the bytes are those of the files that an installation holds, without compiled modules.
"""

import argparse
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", action="store_true", help="list every module with its lines")
    options = parser.parse_args()
    total_bytes = total_lines = 0
    print(f"{'package':<16}{'bytes':>12}{'modules':>9}{'lines':>8}")
    for source in sorted(ROOT.glob("packages/*/src")):
        files = [path for path in source.rglob("*") if path.is_file() and installed(path)]
        modules = {path: len(path.read_text().splitlines()) for path in files if path.suffix == ".py"}
        size, lines = sum(path.stat().st_size for path in files), sum(modules.values())
        total_bytes, total_lines = total_bytes + size, total_lines + lines
        print(f"{source.parent.name:<16}{size:>12,}{len(modules):>9}{lines:>8,}")
        if options.lines:
            for path, count in sorted(modules.items(), key=lambda item: -item[1]):
                print(f"{'':<16}{'':>21}{count:>8,}  {path.relative_to(source)}")
    print(f"{'all':<16}{total_bytes:>12,}{'':>9}{total_lines:>8,}")


def installed(path: Path) -> bool:
    """Whether a wheel holds this file."""
    return "__pycache__" not in path.parts and not any(part.endswith(".egg-info") for part in path.parts)


if __name__ == "__main__":
    main()
