# Written by tools/api_stubs.py; do not edit.
from ossia.random.experimental import (
 Generator as Generator, create_rng_state as create_rng_state, get_global_generator as get_global_generator,
 set_global_generator as set_global_generator
)
