"""Prints how much of TensorFlow 1.15's op registry there is: kernels, gradients, samples and golden graphs.

`python tools/coverage_ops.py [--missing] [--ours]`, in an environment with all packages; what the original has
stands in the test kit's `op_defs.json.xz`.
"""

import argparse
import importlib
import json
import lzma
from pathlib import Path

import ossia_testkit
from ossia_core.declare import opdef
from ossia_core.plugins import manager as plugins

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Prints the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", action="store_true", help="list the original's ops that are not there")
    parser.add_argument("--ours", action="store_true", help="list every op that is there, with what it lacks")
    options = parser.parse_args()
    original = json.loads(lzma.open(Path(ossia_testkit.__file__).with_name("op_defs.json.xz")).read())
    for module in sorted(set(plugins.op_table().values())):
        importlib.import_module(module)
    golden = golden_types()
    lacks = {kind: lacking(kind, original, golden) for kind in sorted(opdef.REGISTRY)}
    public = [kind for kind in original if not kind.startswith("_")]
    there = [kind for kind in public if kind in opdef.REGISTRY]
    print(f"ops of TensorFlow 1.15: {len(there)} of {len(public)}; {len(set(lacks) - set(original))} of our own")
    for what in ("kernel", "gradient", "samples", "golden"):
        print(f"  with {what + ':':<10} {sum(what not in lacks[kind] for kind in there):>5} of {len(there)}")
    if options.ours:
        for kind, missing in lacks.items():
            print(f"  {kind}" + (f": no {', '.join(missing)}" if missing else ""))
    if options.missing:
        print("not there:", *(kind for kind in public if kind not in opdef.REGISTRY))


def lacking(kind: str, original: dict, golden: set[str]) -> list[str]:
    """What an op of ours has not, though it should."""
    definition = opdef.REGISTRY[kind]
    differentiable = definition.gradient_fn not in (None, opdef.MISSING) or kind in plugins.gradient_table()
    wanted = original.get(kind, {}).get("gradient") == "registered"
    return [
        what
        for what, absent in (
            ("kernel", not (definition.kernel_fn or definition.kernel_factory)),
            ("gradient", wanted and not differentiable),
            ("samples", not definition.sample_table),
            ("golden", kind in original and kind not in golden),  # ops of our own cannot be recorded
        )
        if absent
    ]


def golden_types() -> set[str]:
    """The op types that stand in some golden graph."""
    found: set[str] = set()
    for folder in (ROOT / "tests" / "golden", *ROOT.glob("packages/*/tests/golden")):
        for path in folder.glob("*_golden.json.xz"):
            for case in json.loads(lzma.open(path).read())["cases"].values():
                found.update(node[1] for node in case.get("graph", {}).get("nodes", ()))
    return found


if __name__ == "__main__":
    main()
