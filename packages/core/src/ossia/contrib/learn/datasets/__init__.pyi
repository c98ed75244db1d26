# Written by tools/api_stubs.py; do not edit.
from . import mnist as mnist
from ossia_contrib.learn.datasets.base import load_boston as load_boston, load_iris as load_iris
from ossia_contrib.learn.datasets.collection import (
 DATASETS as DATASETS, SYNTHETIC as SYNTHETIC, load_dataset as load_dataset, make_dataset as make_dataset
)
