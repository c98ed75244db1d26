# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia.nn import (
 all_candidate_sampler as all_candidate_sampler, fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
 learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
 log_uniform_candidate_sampler as log_uniform_candidate_sampler, uniform_candidate_sampler as uniform_candidate_sampler
)
from ossia_core.graph.seeds import get_seed as get_seed, set_random_seed as set_random_seed
from ossia_ops.random.choice import (
 categorical as categorical, multinomial as multinomial, random_shuffle as _shuffle,
 stateless_categorical as stateless_categorical, stateless_multinomial as stateless_multinomial
)
from ossia_ops.random.normal import random_normal as _normal, truncated_normal as truncated_normal
from ossia_ops.random.rejection import random_gamma as _gamma, random_poisson as _poisson
from ossia_ops.random.stateless import (
 stateless_random_normal as _stateless_normal, stateless_truncated_normal as stateless_truncated_normal,
 stateless_random_uniform as _stateless_uniform
)
from ossia_ops.random.uniform import random_uniform as _uniform
gamma = _gamma
normal = _normal
poisson = _poisson
shuffle = _shuffle
stateless_normal = _stateless_normal
stateless_uniform = _stateless_uniform
uniform = _uniform
