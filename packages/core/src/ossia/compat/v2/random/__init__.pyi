# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia.nn import (
 all_candidate_sampler as all_candidate_sampler, fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
 learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
 log_uniform_candidate_sampler as log_uniform_candidate_sampler, uniform_candidate_sampler as uniform_candidate_sampler
)
from ossia.random import (
 categorical as categorical, gamma as gamma, normal as normal, shuffle as shuffle,
 stateless_categorical as stateless_categorical, stateless_normal as stateless_normal,
 stateless_truncated_normal as stateless_truncated_normal, stateless_uniform as stateless_uniform,
 truncated_normal as truncated_normal, uniform as uniform
)
from ossia_core.graph.seeds import set_random_seed as _set_seed
from ossia_ops.random.rejection import random_poisson_v2 as _poisson
poisson = _poisson
set_seed = _set_seed
