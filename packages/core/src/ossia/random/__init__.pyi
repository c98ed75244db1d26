"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.candidate_sampling import all_candidate_sampler as all_candidate_sampler
from ossia_ops.random_choice import categorical as categorical
from . import experimental as experimental
from ossia_ops.candidate_sampling import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from ossia_ops.random_rejection import random_gamma as _gamma
gamma = _gamma
from ossia_core.random.seeds import get_seed as get_seed
from ossia_ops.candidate_sampling import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from ossia_ops.candidate_sampling import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from ossia_ops.random_choice import multinomial as multinomial
from ossia_ops.random_normal import random_normal as _normal
normal = _normal
from ossia_ops.random_rejection import random_poisson as _poisson
poisson = _poisson
from ossia_core.random.seeds import set_random_seed as set_random_seed
from ossia_ops.random_choice import random_shuffle as _shuffle
shuffle = _shuffle
from ossia_ops.random_choice import stateless_categorical as stateless_categorical
from ossia_ops.random_choice import stateless_multinomial as stateless_multinomial
from ossia_ops.random_stateless import stateless_random_normal as _stateless_normal
stateless_normal = _stateless_normal
from ossia_ops.random_stateless import stateless_truncated_normal as stateless_truncated_normal
from ossia_ops.random_stateless import stateless_random_uniform as _stateless_uniform
stateless_uniform = _stateless_uniform
from ossia_ops.random_normal import truncated_normal as truncated_normal
from ossia_ops.random_uniform import random_uniform as _uniform
uniform = _uniform
from ossia_ops.candidate_sampling import uniform_candidate_sampler as uniform_candidate_sampler
