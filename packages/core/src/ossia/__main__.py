"""`python -m ossia`: the `ossia` command, which the distribution `ossia` brings."""

import sys
from importlib import metadata

commands = metadata.entry_points(group="console_scripts", name="ossia")
if not commands:
    sys.exit("python -m ossia: the command is in the package ossia; `pip install ossia` adds it")
sys.argv[0] = "ossia"
sys.exit(next(iter(commands)).load()())
