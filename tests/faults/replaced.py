"""`python replaced.py --count N`: a checkpoint is read while processes replace it under one name, all the time.

Every reader finds one whole checkpoint, no older than the one that the reader before it found.
"""

import argparse
import json
import logging
import os
import signal
import sys
import tempfile

import kills


def reads(kind: str, count: int) -> int:
    """Reads so many times; how many different checkpoints were read."""
    with tempfile.TemporaryDirectory() as folder:
        number, pipe = kills.started(kind, folder, 1, 10**9)
        os.read(pipe, 8)  # the first checkpoint is there
        try:
            found = [kills.restored(folder) for _ in range(count)]
        finally:
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)
            os.close(pipe)
    assert all(found) and found == sorted(found), f"{kind}: {found}"
    return len(set(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="reads of each kind of checkpoint")
    options = parser.parse_args()
    logging.disable()
    kills.warm()
    for kind in ("one name", "sharded, one name", "V1, one name"):
        print(json.dumps({"kind": kind, "reads": options.count, "checkpoints": reads(kind, options.count)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
