# Written by ossia_core.plugins.api_stubs; do not edit.
from . import datasets as datasets, python as python
from ossia_contrib.learn.modes import ModeKeys as ModeKeys
