"""docs/life_of_a_run.md names the modules that a call and a run pass, in the order in which they are first entered."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "life_of_a_run.md"
PROGRAM = """
import sys
import ossia as tf

def program(watch):
    with tf.Graph().as_default():
        a = tf.placeholder(tf.float32, [1, 2])
        b = tf.constant([[3.0], [4.0]])
        session = tf.Session()
        x = watch(lambda: tf.matmul(a, b))
        for value in ([[1.0, 2.0]], [[5.0, 6.0]]):
            watch(lambda: session.run(x, {a: value}))

def watched(function):
    seen = {}
    def note(frame, event, _):
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith("ossia") and frame.f_code.co_name != "<module>":
            seen[name] = None
    sys.setprofile(note)
    try:
        return function()
    finally:
        sys.setprofile(None)
        print(*seen)

program(lambda function: function())  # what is imported late is there
program(watched)
"""


def test_the_page_names_the_modules_in_order(monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    sections = re.split(r"^## ", PAGE.read_text(), flags=re.M)[-3:]
    named = [re.findall(r"^\d+\. `(\S+?)`", section, flags=re.M) for section in sections]
    assert named == [line.split() for line in done.stdout.splitlines()]
