# Written by tools/api_stubs.py; do not edit.
from ossia_core.names.logging import (
 DEBUG as DEBUG, ERROR as ERROR, FATAL as FATAL, INFO as INFO, TaskLevelStatusMessage as TaskLevelStatusMessage,
 WARN as WARN, debug as debug, error as error, fatal as fatal, flush as flush, get_verbosity as get_verbosity,
 info as info, log as log, log_every_n as log_every_n, log_first_n as log_first_n, log_if as log_if,
 set_verbosity as set_verbosity, vlog as vlog, warning as _warn, warning as warning
)
warn = _warn
