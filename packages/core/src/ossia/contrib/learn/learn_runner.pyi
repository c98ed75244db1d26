# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.learn.learn_runner import run as run, tune as tune
