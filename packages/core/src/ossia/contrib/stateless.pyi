# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import (
 stateless_multinomial as stateless_multinomial, stateless_random_normal as stateless_random_normal,
 stateless_random_uniform as stateless_random_uniform, stateless_truncated_normal as stateless_truncated_normal
)
