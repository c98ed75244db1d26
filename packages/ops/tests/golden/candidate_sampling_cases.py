"""Candidate samplers."""
import numpy as np
from golden_case import Case, raises

TRUE = np.array([[1, 5], [7, 2], [0, 49]], np.int64)
WEIGHTS = [float(i % 7 + 1) for i in range(50)]


def samples(sampler, **kwargs):
    results = []
    for unique in (True, False):
        for count in (1, 5, 30):
            results.extend(sampler(TRUE, 2, count, unique, **kwargs))
    return results


def values(results):
    """The candidates exactly; the expected counts to a few units in the last place."""
    return Case(results, steps=3, tolerance=3e-7)


def case_uniform(tf):
    return values(samples(tf.nn.uniform_candidate_sampler, range_max=50))


def case_uniform_large_range(tf):
    return values(samples(tf.random.uniform_candidate_sampler, range_max=2 ** 40, seed=3, name="u"))


def case_log_uniform(tf):
    return values(samples(tf.nn.log_uniform_candidate_sampler, range_max=50))


def case_log_uniform_large_range(tf):
    return values(samples(tf.random.log_uniform_candidate_sampler, range_max=10 ** 6, seed=3))


def case_learned_unigram(tf):
    return values(samples(tf.nn.learned_unigram_candidate_sampler, range_max=50))


def case_fixed_unigram(tf):
    return values(samples(tf.nn.fixed_unigram_candidate_sampler, range_max=50, unigrams=WEIGHTS))


def case_fixed_unigram_distorted(tf):
    return values(samples(tf.nn.fixed_unigram_candidate_sampler, range_max=60, unigrams=WEIGHTS, distortion=0.75, num_reserved_ids=10))


def case_fixed_unigram_sharded(tf):
    return values([tf.random.fixed_unigram_candidate_sampler(TRUE, 2, 9, False, 25, unigrams=WEIGHTS, num_shards=2, shard=shard)
                   for shard in (0, 1)])


def case_all(tf):
    return values(samples(tf.nn.all_candidate_sampler))


def case_fed(tf):
    true = tf.placeholder(tf.int64, [None, 2])
    return Case(tf.nn.log_uniform_candidate_sampler(true, 2, 4, False, 50), feeds={true: TRUE}, tolerance=3e-7)


def case_accidental_hits(tf):
    return [tf.nn.compute_accidental_hits(TRUE, np.array([5, 3, 5, 0, 2], np.int64), 2),
            tf.nn.compute_accidental_hits(TRUE, np.array([4], np.int64), 2, seed=1, name="hits")]


def case_range_too_small(tf):
    return tf.nn.uniform_candidate_sampler(TRUE, 2, 51, True, 50)


def case_wrong_num_true(tf):
    return tf.nn.uniform_candidate_sampler(tf.placeholder_with_default(TRUE, None), 3, 5, True, 50)


def case_no_weights(tf):
    return tf.nn.fixed_unigram_candidate_sampler(TRUE, 2, 5, True, 50)


def case_refused(tf):
    return [raises(tf.nn.uniform_candidate_sampler, [1, 2], 2, 3, True, 9), raises(tf.nn.uniform_candidate_sampler, TRUE, 2, 0, True, 9),
            raises(tf.nn.compute_accidental_hits, TRUE, TRUE, 2)]
