"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from . import experimental as experimental
from ossia_core.random.seeds import set_random_seed as _set_seed
from ossia_ops.candidate_sampling import (
 all_candidate_sampler as all_candidate_sampler, fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler,
 learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
 log_uniform_candidate_sampler as log_uniform_candidate_sampler, uniform_candidate_sampler as uniform_candidate_sampler
)
from ossia_ops.random_choice import (
 categorical as categorical, random_shuffle as _shuffle, stateless_categorical as stateless_categorical
)
from ossia_ops.random_normal import random_normal as _normal, truncated_normal as truncated_normal
from ossia_ops.random_rejection import random_gamma as _gamma, random_poisson_v2 as _poisson
from ossia_ops.random_stateless import (
 stateless_random_normal as _stateless_normal, stateless_truncated_normal as stateless_truncated_normal,
 stateless_random_uniform as _stateless_uniform
)
from ossia_ops.random_uniform import random_uniform as _uniform
gamma = _gamma
normal = _normal
poisson = _poisson
set_seed = _set_seed
shuffle = _shuffle
stateless_normal = _stateless_normal
stateless_uniform = _stateless_uniform
uniform = _uniform
