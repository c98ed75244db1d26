# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.learn.learn_runner import run as run, tune as tune
