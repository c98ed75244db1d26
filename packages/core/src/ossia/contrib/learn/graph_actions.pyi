# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.learn import infer as infer, run_feeds as run_feeds, run_n as run_n, train as train
from ossia_contrib.learn.graph_actions import run_feeds_iter as run_feeds_iter
