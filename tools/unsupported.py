"""Writes docs/unsupported.md: which public names and ops of TensorFlow 1.15 are not there, in groups with reasons.

`OSSIA_TF115_PYTHON=/path/to/python python tools/unsupported.py`, in an environment with all packages; the variable
names an interpreter with TensorFlow 1.15, which lists its public names.
"""

import json
import lzma
import os
import re
import subprocess
import textwrap
from pathlib import Path

import ossia_testkit
from ossia_core.plugins import manager as plugins

TARGET = Path(__file__).parents[1] / "docs" / "unsupported.md"
SPACES = (
    " bitwise debugging initializers layers linalg lookup losses math metrics nn nn.rnn_cell quantization random sets "
    "signal sparse spectral strings"
).split(" ")
LISTING = """
import json, sys, types
import tensorflow as tf
names = {}
for space in json.loads(sys.argv[1]):
    module = tf
    for part in filter(None, space.split(".")):
        module = getattr(module, part)
    names[space] = [n for n in dir(module) if n[0] != "_" and not isinstance(getattr(module, n), types.ModuleType)]
print(json.dumps(names))
"""
NAMES: dict[str, tuple[str, str]] = {}  # group -> (names, why they are not there)
OPS = {
    "Test ops": ("ConstructionFails", "its kernel refuses to be made"),
    "TPU, XLA and collective ops": (
        r".*TPU.*|Xla.*|Infeed.*|Outfeed.*|Collective.*|Nccl.*|AllToAll|CrossReplicaSum|Prelinearize.*|WorkerHeartbeat",
        "for hardware that Ossia does not drive, and for their compiler",
    ),
    "Datasets and iterators": (
        r".*Dataset.*|.*Iterator.*|Optional.*|.*ThreadPool.*|(Experimental)?StatsAggregator.*|.*MemoryCache"
        r"|.*RandomSeedGenerator",
        "`tf.data` has what programs use most; these are not there",
    ),
    "Trees and forests": (r"BoostedTrees.*|IsBoostedTrees.*|TensorForest.*", "belong to estimators"),
    "Images and audio": (
        r"Adjust.*|.*Jpeg.*|.*(Png|Bmp|Gif|Wav)|.*BoundingBox.*|.*NonMaxSuppression.*|Resize.*|CropAndResize.*|ScaleAndTr.*"
        r"|ExtractGlimpse|Extract(Image|Volume)Patches|.*HSV.*|Audio.*|Mfcc|RandomCrop",
        "not there",
    ),
    "Quantized networks": (
        r"Quantized.*|Requanti.*|QuantizeDown.*",
        "the original has no CPU kernel for them but in builds with another library of kernels",
    ),
    "Fused recurrent cells": (
        r"Cudnn.*|(Block)?(LSTM|GRU).*",
        "the original has no CPU kernel for them; the cells in plain ops are there, and those in blocks",
    ),
    "Summaries in a database": (r"CreateSummaryDbWriter", "those in event files are there"),
    "Debugging": (r"Abort", "it ends the process"),
    "Batching of requests": (r"Batch(Function)?|Unbatch.*", "for servers of models"),
    "Cloud services and other sources": (
        r".*BigQuery.*|Gcs.*|Rpc|TryRpc|LMDB.*|RemoteFusedGraphExecute",
        "need services, libraries or hardware of others",
    ),
}


def grouped(names: list[str], groups: dict[str, tuple[str, str]]) -> str:
    """The names as Markdown, by the first group that each fits."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in names:
        reasons = ((title, why) for title, (pattern, why) in groups.items() if re.fullmatch(pattern, name))
        found.setdefault(next(reasons, ("Others", "not written yet")), []).append(name)
    titles = [*groups, "Others"]
    text = ""
    for (title, why), members in sorted(found.items(), key=lambda item: titles.index(item[0][0])):
        listing = textwrap.fill(", ".join(f"`{name}`" for name in members), 118, break_on_hyphens=False)
        text += f"**{title}** ({len(members)}): {why}.\n\n{listing}\n\n"
    return text


def main() -> None:
    """Writes the page."""
    listing = [os.environ["OSSIA_TF115_PYTHON"], "-c", LISTING, json.dumps(SPACES)]
    public = json.loads(subprocess.run(listing, check=True, capture_output=True, text=True).stdout)
    ours = plugins.api_table()
    names = sorted({f"{space}.{name}".lstrip(".") for space, members in public.items() for name in members})
    missing = [name for name in names if name not in ours]
    declared = json.loads(lzma.open(Path(ossia_testkit.__file__).with_name("op_defs.json.xz")).read())
    ops = sorted(kind for kind in declared if not kind.startswith("_"))
    types = plugins.op_table()
    absent = [kind for kind in ops if kind not in types]
    spaces = ", ".join(f"`tf.{space}`" for space in SPACES if space)
    there = textwrap.fill(f"{len(names) - len(missing)} of {len(names)} names in `tf` and in {spaces}", 118)
    TARGET.write_text(
        "# What is not there\n\n"
        "What of TensorFlow 1.15 the packages ossia-ops and ossia-nn do not have, and why. `python "
        "tools/unsupported.py` "
        "writes\nthis page. A name that is missing raises AttributeError; a graph with a missing op type is refused "
        "when it is "
        "imported.\n\n"
        f"## Public names\n\n{there} are there.{' These are not:' if missing else ''}\n\n{grouped(missing, NAMES)}"
        f"## Op types\n\n{len(ops) - len(absent)} of {len(ops)} registered op types are there; "
        f"`python tools/coverage_ops.py` says what each has. These are not:\n\n{grouped(absent, OPS).rstrip()}\n"
    )


if __name__ == "__main__":
    main()
