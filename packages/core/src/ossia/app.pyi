# Written by tools/api_stubs.py; do not edit.
from ossia_program import flags as flags
from ossia_program.app import run as run
