"""Runs a program of `programs/` in an empty folder: what it prints, what warnings it logs, what files it leaves."""
import os
import re
import subprocess
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+)")
_RECORDED = {"OSSIA_RUN": "", "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONHASHSEED": "0"}


def run(command, name, timeout=300):
    """What `command programs/NAME.py` does.

    Args:
        command: The Python, or `ossia run` as a list of arguments.
        name: Name of the program.
        timeout: Seconds that it may take.

    Returns:
        The text of standard output, with the files that the program left behind it; and that of standard error.
    """
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, os.path.join(FOLDER, name + ".py")], cwd=folder, capture_output=True, text=True, check=False,
            timeout=timeout, env={**os.environ, **_RECORDED},
        )
        printed = done.stdout + "".join(f"file {line}\n" for line in _files(folder))
    return printed + (f"status {done.returncode}\n" if done.returncode else ""), done.stderr


def _files(folder):
    """The files in a folder, with the sizes of those in which every byte is decided by the program."""
    found = []
    for parent, _, names in os.walk(folder):
        if "__pycache__" in parent:
            continue
        for name in names:
            path = os.path.join(parent, name)
            inner = os.path.relpath(path, folder)
            if "tfevents" in name:
                inner = re.sub(r"tfevents\..*", "tfevents", inner)
            elif re.search(r"\.(data-\d+-of-\d+|index|txt|csv|tsv|tfrecords?)$", name):
                inner += f" {os.path.getsize(path)}"
            found.append(inner)
    return sorted(found)


def differences(printed, expected):
    """The first line in which what is printed differs from what is expected beyond rounding; None if none does."""
    ours, theirs = _lines(printed), _lines(expected)
    for number in range(max(len(ours), len(theirs))):
        pair = [lines[number] if number < len(lines) else "(nothing)" for lines in (ours, theirs)]
        if NUMBER.sub("#", pair[0]) != NUMBER.sub("#", pair[1]) or not _near(*map(NUMBER.findall, pair)):
            return f"line {number + 1}\n  printed:  {pair[0]}\n  expected: {pair[1]}"
    return None


def _lines(text):
    return [re.sub(r"\[ ", "[", " ".join(line.split())) for line in text.splitlines()]


def _near(ours, theirs):
    return all(
        abs(a - b) <= 5e-3 * max(1e-2, abs(a), abs(b)) for a, b in zip(map(float, ours), map(float, theirs))
    )


def names():
    """The names of the programs."""
    return sorted(name[:-3] for name in os.listdir(FOLDER) if name.endswith(".py"))



def record(name):
    """The file with what TensorFlow 1.15.5 printed for a program."""
    return os.path.join(os.path.dirname(FOLDER), "printed", name + ".txt")
