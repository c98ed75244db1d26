# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_program import flags as flags
from ossia_program.app import run as run
