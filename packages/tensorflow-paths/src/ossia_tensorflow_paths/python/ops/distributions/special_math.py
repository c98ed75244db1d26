"""`distributions.util` and `special_math`: what distributions are made with, under the names that tests of them use."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from ossia_distributions import checks, choice, divergence, multinomial, seeds

# Beyond these arguments, series stand for the logarithm of the normal distribution function.
LOGNDTR_FLOAT32_LOWER = np.array(-10, np.float32)
LOGNDTR_FLOAT32_UPPER = np.array(5, np.float32)
LOGNDTR_FLOAT64_LOWER = np.array(-20, np.float64)
LOGNDTR_FLOAT64_UPPER = np.array(8, np.float64)

for _kind in ("bernoulli", "beta", "categorical", "dirichlet", "gamma", "normal"):
    import_module(f"ossia_distributions.{_kind}")  # which registers divergences
_DIVERGENCES = divergence.registered
_registered_kl = divergence.registered_for

embed_check_nonnegative_integer_form = checks.counts
embed_check_categorical_event_shape = checks.at_least_two_events
assert_integer_form = checks.assert_integer_form
get_logits_and_probs = checks.logits_and_probs
log_combinations = multinomial.log_combinations
pick_vector = choice.pick_vector
gen_new_seed = seeds.further_seed
