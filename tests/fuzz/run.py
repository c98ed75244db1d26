"""`python run.py TARGET... [--seconds S | --count N] [--seed N] [--systematic]`: hostile bytes for readers.

Each case depends on the seed, the target and its number alone; what fails is printed with these, and once more with
the bytes. With `--systematic` every seed of the corpus is cut at each length and each of its bits is flipped (of its
bytes one bit each with `--count`).
"""

import argparse
import json
import logging
import random
import sys
import time
import warnings

import children
import targets

BATCH = 400
TRACE = 1500  # characters of a failure that are shown


def changed(name: str, seed: int, number: int) -> tuple[bytes, bytes]:
    """The bytes of a case, and what they were made of."""
    chance = random.Random(f"{seed} {name} {number}")
    own = targets.seeds(name)
    made_of = chance.choice(own)
    return targets.TARGETS[name].change(made_of, chance), made_of


def cut_or_flipped(name: str, number: int, every_bit: bool) -> tuple[bytes, bytes] | None:
    """The bytes of a systematic case, None behind the last."""
    ways = 9 if every_bit else 2
    for made_of in targets.seeds(name):
        if number < ways * len(made_of):
            at, way = divmod(number, ways)
            if way == 0:
                return made_of[:at], made_of
            flipped = made_of[at] ^ (1 << (way - 1 if every_bit else at % 8))
            return made_of[:at] + bytes([flipped]) + made_of[at + 1 :], made_of
        number -= ways * len(made_of)
    return None


def failures(name: str, options: argparse.Namespace) -> int:
    """Runs the cases of one target in batches; how many batches failed."""
    if options.systematic:
        total = sum(map(len, targets.seeds(name))) * (2 if options.count else 9)

        def made(number: int) -> tuple[bytes, bytes]:
            return cut_or_flipped(name, number, not options.count) or (b"", b"")
    else:
        total = options.count or sys.maxsize

        def made(number: int) -> tuple[bytes, bytes]:
            return changed(name, options.seed, number)

    targets.warm(name)
    stop = time.monotonic() + (options.seconds or 1e9)
    at = -len(targets.inputs(name)) if options.replay else 0
    failed = 0

    def case(number: int) -> None:
        if number < 0:
            replay(name, number)
        else:
            targets.check(name, *made(number))

    while at < total and time.monotonic() < stop and failed < 3:
        batch = range(at, min(at + BATCH, total))
        found = children.failure_of(case, batch)
        at = batch.stop
        if found:
            failed += 1
            data = made(found[0])[0] if found[0] >= 0 else b""
            print(f"{name}: case {found[0]} of seed {options.seed} failed: {found[1][-TRACE:]}")
            print(f"input: {data[:2000].hex()}")
            at = found[0] + 1
    print(json.dumps({"target": name, "cases": at, "failed": failed}), flush=True)
    return failed


def replay(name: str, number: int) -> None:
    """Reads an input of the corpus as it is: a good one, or one that once broke the reader."""
    path = targets.inputs(name)[number]
    targets.check(name, path.read_bytes())
    if path.name == "seed":
        error = targets.outcome(targets.TARGETS[name], path.read_bytes())[1]
        assert error is None, error


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=list(targets.TARGETS))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--systematic", action="store_true")
    parser.add_argument("--replay", action="store_true", help="the inputs of the corpus as they are, too")
    options = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    print("seed", options.seed)
    return min(1, sum(failures(name, options) for name in options.targets or targets.TARGETS))


if __name__ == "__main__":
    sys.exit(main())
