# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.learn.modes import ModeKeys as ModeKeys
