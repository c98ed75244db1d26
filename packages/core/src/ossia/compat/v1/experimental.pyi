# Written by ossia_core.api_stubs; do not edit.
from ossia.experimental import *
