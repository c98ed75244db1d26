"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.random_generator import Generator as Generator
from ossia_ops.random_generator import create_rng_state as create_rng_state
from ossia_ops.random_generator import get_global_generator as get_global_generator
from ossia_ops.random_generator import set_global_generator as set_global_generator
