"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.logging import DEBUG as DEBUG
from ossia_core.logging import ERROR as ERROR
from ossia_core.logging import FATAL as FATAL
from ossia_core.logging import INFO as INFO
from ossia_core.logging import TaskLevelStatusMessage as TaskLevelStatusMessage
from ossia_core.logging import WARN as WARN
from ossia_core.logging import debug as debug
from ossia_core.logging import error as error
from ossia_core.logging import fatal as fatal
from ossia_core.logging import flush as flush
from ossia_core.logging import get_verbosity as get_verbosity
from ossia_core.logging import info as info
from ossia_core.logging import log as log
from ossia_core.logging import log_every_n as log_every_n
from ossia_core.logging import log_first_n as log_first_n
from ossia_core.logging import log_if as log_if
from ossia_core.logging import set_verbosity as set_verbosity
from ossia_core.logging import vlog as vlog
from ossia_core.logging import warning as _warn
warn = _warn
from ossia_core.logging import warning as warning
