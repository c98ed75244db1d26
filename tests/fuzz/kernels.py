"""`python kernels.py [--seconds S | --count N] [--seed N] [--family F]`: hostile calls of ops, in child processes.

The samples that stand with the ops are run with other inputs than were meant: other ranks and sizes, numbers out of
range, numbers that are none, views with odd strides. Each case depends on the seed and its number alone. A run gives
values or a documented error, on every backend, within limits of memory and time.
"""

import argparse
import json
import logging
import random
import sys
import time
import warnings
from typing import Any

import children
import numpy as np

import ossia as tf
from ossia_core.plugins import manager as plugins
from ossia_testkit import op_samples, op_table, watching

BATCH = 50
SECONDS = 30.0  # for a case on all backends
BACKENDS = ["numpy", *op_table.backends()]
EXTREMES = {
    "f": [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e38, 1e-42, 2.0**31, 2.0**63],
    "i": [0, 1, 2, 3, 7, -1, -2, 127, -128, 2**15, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)],
    "u": [0, 1, 2, 7, 255, 2**16 - 1, 2**32 - 1, 2**64 - 1],
    "O": [b"", b"\xff", b"1", b"-", b"nan", b"\x00" * 9, b"a" * 300, b"%s%n", b"99999999999999999999", "ä".encode()],
}


def samples() -> dict[str, tuple[Any, Any]]:
    """The samples that may be fed, by name."""
    packages = sorted({module.split(".")[0] for module in plugins.op_table().values()})
    table = op_samples.package_samples(*packages)
    return {
        name: found
        for name, found in table.items()
        if not name.endswith("-unset") and not name.split("-")[1].startswith("refused") and op_samples.is_fed(*found)
    }


def hostile(value: np.ndarray, chance: random.Random) -> np.ndarray:
    """An array of the dtype of another one, of a shape and with values that were not meant."""
    way = chance.randrange(8)
    if way == 0:
        return op_table.HOSTILE[chance.choice(sorted(op_table.HOSTILE))](value)
    shape = list(value.shape)
    if way <= 2:
        if shape and chance.random() < 0.7:
            shape[chance.randrange(len(shape))] = chance.choice((0, 1, 2, 3, 5, 9))
        elif chance.random() < 0.5:
            shape.insert(chance.randrange(len(shape) + 1), chance.choice((0, 1, 2)))
        else:
            shape = [chance.randrange(5) for _ in range(chance.randrange(6))]
        value = np.resize(value, shape) if value.size else np.zeros(shape, value.dtype)
        if value.dtype == object and not all(isinstance(item, bytes) for item in value.flat):
            value = np.full(shape, b"", object)
    if way in (2, 3, 4, 5) and value.size:
        value = value.copy()
        some = value.reshape(-1)
        for _ in range(chance.choice((1, 1, some.size))):
            some[chance.randrange(some.size)] = extreme(value.dtype, chance)
    if way == 6 and value.ndim:
        value = np.repeat(value, 2, axis=-1)[..., ::2]
    if way == 7:
        value = np.asfortranarray(value)[..., ::-1] if value.ndim else value
    return value


def extreme(dtype: np.dtype, chance: random.Random) -> Any:
    """A number, or text, that a dtype can hold and few expect."""
    found = chance.choice(EXTREMES.get(dtype.kind, [0, 1]))
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return max(int(limits.min), min(int(limits.max), found))
    return found


def check(table: dict[str, tuple[Any, Any]], names: list[str], seed: int, number: int) -> None:
    """Runs one sample with hostile inputs; raises what may not be raised."""
    chance = random.Random(f"{seed} {number}")
    name = chance.choice(names)
    sys.stderr.write(f"{name}\n")
    with op_samples.sample_graph(*table[name], "unknown") as built, np.errstate(all="ignore"):
        feeds = {}
        for tensor, value in built.feeds.items():
            if chance.random() < 0.6:
                feeds[tensor] = hostile(value, chance)
        for backend in BACKENDS:
            try:
                with watching.chosen(backend):
                    op_table.execute(built, feeds=feeds, milliseconds=op_table.HOSTILE_MILLISECONDS)
            except (tf.errors.InternalError, tf.errors.UnknownError) as error:
                given = {tensor.name: value for tensor, value in feeds.items()}
                raise AssertionError(f"{name} on {backend}: {error.message[:500]}, given {given}"[:2000]) from error
            except (tf.errors.OpError, ValueError, TypeError):
                continue


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--family", default="", help="a module or folder of ops, ossia_ops.math; all by default")
    options = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    print("seed", options.seed)
    table = samples()
    modules = plugins.op_table()
    names = [name for name in table if modules[name.split("-")[0]].startswith(options.family)]
    children.MEMORY = op_table.HOSTILE_BYTES
    stop = time.monotonic() + (options.seconds or 1e9)
    total = options.count or sys.maxsize
    at = failed = 0
    while at < total and failed < 10 and time.monotonic() < stop:
        batch = range(at, min(at + BATCH, total))
        found = children.failure_of(lambda number: check(table, names, options.seed, number), batch, SECONDS)
        at = batch.stop
        if found:
            failed += 1
            at = found[0] + 1
            print(f"case {found[0]} of seed {options.seed} failed: {found[1][-2500:]}")
    print(json.dumps({"target": options.family or "kernels", "cases": at, "failed": failed}))
    return min(1, failed)


if __name__ == "__main__":
    sys.exit(main())
