"""Cases run in child processes with limits of memory and time: what kills one is found, and the rest goes on."""

import faulthandler
import os
import resource
import signal
import struct
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable

MEMORY = 4 << 30  # bytes of addresses that a case may have beyond what the process starts with
SECONDS = 20.0  # that one case may take


def limit_memory(size: int) -> None:
    """Lets allocations fail beyond so many more bytes than are in use."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + size, resource.getrlimit(resource.RLIMIT_AS)[1]))


def failure_of(case: Callable[[int], None], numbers: Iterable[int], seconds: float = SECONDS) -> tuple[int, str] | None:
    """Runs the cases of these numbers in one child; the number of the first that fails and why, None if none does."""
    numbers = list(numbers)
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as errors:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _run(case, numbers, seconds, writing, errors.fileno())
        os.close(writing)
        last = numbers[0]
        with os.fdopen(reading, "rb") as stream:
            while report := stream.read(8):
                (last,) = struct.unpack("<q", report)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return None
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        why = f"took more than {seconds} s" if number == signal.SIGALRM else signal.Signals(number).name
        return last, f"{why}\n{text}"
    return last, text


def _run(case: Callable[[int], None], numbers: list[int], seconds: float, writing: int, errors: int) -> None:
    """The child: ends the process."""
    try:
        os.dup2(errors, 2)
        faulthandler.enable()
        limit_memory(MEMORY)
        for number in numbers:
            os.write(writing, struct.pack("<q", number))
            signal.setitimer(signal.ITIMER_REAL, seconds)
            case(number)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException:
        os.write(2, traceback.format_exc().encode(errors="replace"))
        os._exit(1)
    os._exit(0)
