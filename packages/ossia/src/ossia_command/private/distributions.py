"""`distributions.util` and `special_math`: what distributions are made with, under the names that tests of them use."""

from __future__ import annotations

from ossia_distributions import checks, choice, multinomial, seeds

embed_check_nonnegative_integer_form = checks.counts
embed_check_categorical_event_shape = checks.at_least_two_events
assert_integer_form = checks.assert_integer_form
get_logits_and_probs = checks.logits_and_probs
log_combinations = multinomial.log_combinations
pick_vector = choice.pick_vector
gen_new_seed = seeds.further_seed
