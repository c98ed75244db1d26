"""Records what TensorFlow 1.15.5 prints for programs, or for those without a record: `record.py [NAME ...]`.

The environment variable `OSSIA_TF115_PYTHON` names a Python with TensorFlow 1.15.5.
"""
import os
import sys

import runs

for name in sys.argv[1:] or [name for name in runs.names() if not os.path.exists(runs.record(name))]:
    printed, errors = runs.run([os.environ["OSSIA_TF115_PYTHON"]], name)
    if "\nstatus " in printed:
        sys.exit(f"{name} fails:\n{errors}")
    with open(runs.record(name), "w", encoding="utf-8") as file:
        file.write(printed)
