"""Models that begin with the weights of another, also where a vocabulary has changed."""

import os

from golden_case import Case, raises

FOLDER = os.path.dirname(os.path.abspath(__file__))
PREFIX, NEW, OLD = "warm/model", "warm/new.txt", "warm/old.txt"


def here(function):
    """The case, run where the golden checkpoints are: their relative names stand in the graph."""

    def case(tf):
        os.chdir(FOLDER)
        return function(tf)

    return case


def words(tf, rows=6, columns=3, **options):
    return tf.get_variable("words", [rows, columns], initializer=tf.zeros_initializer(), **options)


def result(tf):
    made = tf.global_variables()
    return Case([list(made), [[v.name, v.initializer.name, v.initial_value.name] for v in made]])


def info(tf, *arguments, **options):
    return tf.train.VocabInfo(*(arguments or (NEW, 5, 1, OLD)), **options)


@here
def case_plain(tf):
    tf.get_variable("x/w", [2, 2], use_resource=True)
    tf.get_variable("old/b", [2])
    tf.get_variable("p", [4, 3], partitioner=tf.fixed_size_partitioner(2))
    tf.train.warm_start("warm", var_name_to_prev_var_name={"x/w": "old/w"})
    return result(tf)


@here
def case_expression(tf):
    with tf.variable_scope("old"):
        tf.get_variable("w", [2, 2])
        tf.get_variable("b", [2], trainable=False, initializer=tf.zeros_initializer())
    tf.get_variable("top", [], initializer=tf.zeros_initializer())
    tf.train.warm_start(PREFIX, vars_to_warm_start="old")
    return result(tf)


@here
def case_expressions(tf):
    with tf.variable_scope("old"):
        tf.get_variable("w", [2, 2])
        tf.get_variable("b", [2], trainable=False)
    tf.get_variable("top", [], initializer=tf.zeros_initializer())
    tf.get_variable("p", [4, 3], partitioner=tf.fixed_size_partitioner(2), trainable=False)
    tf.train.warm_start(PREFIX, vars_to_warm_start=["old", "p"])
    return result(tf)


@here
def case_variables(tf):
    w = tf.get_variable("w", [2, 2], trainable=False)
    p = tf.get_variable("p", [4, 3], partitioner=tf.fixed_size_partitioner(2), use_resource=True)
    one = tf.get_variable("one", [4, 3], partitioner=tf.fixed_size_partitioner(1))
    tf.train.warm_start(PREFIX, [w, *list(p), *list(one)], var_name_to_prev_var_name={"w": "old/deep/w", "one": "words"})
    return result(tf)


@here
def case_nothing(tf):
    words(tf)
    tf.train.warm_start(PREFIX, [])
    tf.train.warm_start(PREFIX, None)
    tf.train.warm_start(PREFIX, "nothing")
    return result(tf)


@here
def case_rows(tf):
    words(tf)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf)})
    return result(tf)


@here
def case_rows_of_resource(tf):
    words(tf, use_resource=True)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf, NEW, 4, 2, OLD, 3)})
    return result(tf)


@here
def case_rows_without_buckets(tf):
    words(tf, 5)
    tf.train.warm_start("warm", "words", {"words": info(tf, NEW, 5, 0, OLD, backup_initializer=tf.ones_initializer())})
    return result(tf)


@here
def case_rows_in_parts(tf):
    words(tf, partitioner=tf.fixed_size_partitioner(2))
    tf.train.warm_start(PREFIX, "words", {"words": info(tf, NEW, 5, 1, OLD, 3, tf.ones_initializer())})
    return result(tf)


@here
def case_rows_in_many_parts(tf):
    words(tf, 7, partitioner=tf.fixed_size_partitioner(4), use_resource=True)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf, NEW, 3, 4, OLD)})
    return result(tf)


@here
def case_rows_fewer(tf):
    words(tf, 4)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf, NEW, 5, 1, OLD)})
    return result(tf)


@here
def case_rows_from_another_name(tf):
    words(tf)
    tf.get_variable("old/b", [2])
    tf.train.warm_start(PREFIX, ".*", {"words": info(tf)}, {"words": "p"})
    return result(tf)


@here
def case_only_vocabularies(tf):
    words(tf)
    tf.get_variable("old/b", [2], initializer=tf.zeros_initializer())
    tf.train.warm_start(PREFIX, None, {"words": info(tf)})
    return result(tf)


@here
def case_columns(tf):
    tf.get_variable("out/kernel", [3, 5])
    tf.train.warm_start(PREFIX, var_name_to_vocab_info={"out/kernel": info(tf, NEW, 5, 0, OLD, backup_initializer=tf.ones_initializer(), axis=1)})
    return result(tf)


@here
def case_columns_with_buckets_in_parts(tf):
    tf.get_variable("out/kernel", [3, 6], partitioner=tf.fixed_size_partitioner(2), use_resource=True)
    random = tf.random_uniform_initializer(seed=3)
    tf.train.warm_start(PREFIX, var_name_to_vocab_info={"out/kernel": info(tf, NEW, 5, 1, OLD, backup_initializer=random, axis=1)})
    return result(tf)


@here
def case_several(tf):
    words(tf)
    tf.get_variable("old/w", [2, 2])
    tf.get_variable("out/kernel", [3, 7])
    made = {"words": info(tf, NEW, 5, 1, OLD, 2), "out/kernel": info(tf, NEW, 4, 3, OLD, axis=1)}
    with tf.name_scope("scope"):
        tf.train.warm_start(PREFIX, var_name_to_vocab_info=made)
    return result(tf)


@here
def case_vocab_info(tf):
    made = tf.train.VocabInfo("new", 3, 1, "old")
    full = tf.train.VocabInfo("new", 3, 1, "old", 2, None, 1)
    return [str(made), made == full, list(made._fields), list(full), [raises(tf.train.VocabInfo, "new", 3, 1, "old", axis=axis) for axis in (2, -1, None)]]


@here
def case_refused(tf):
    with tf.variable_scope("old"):
        w = tf.get_variable("w", [2, 2])
        tf.get_variable("b", [2], trainable=False)
    words(tf)
    tf.get_variable("out/bias", [5])
    tf.get_variable("out/kernel", [3, 5])
    p = tf.get_variable("p", [4, 3], partitioner=tf.fixed_size_partitioner(2))
    start, made = tf.train.warm_start, info(tf)
    out = [raises(start, PREFIX, value) for value in (".*", 3, [3], w, ["old", w], tf.global_variables(), list(p)[:1], ("old",), [p])]
    out += [raises(start, PREFIX, "old", None, names) for names in ({"old/w": "none"}, {"none": "old/w"}, {"old/b": "old/b"})]
    out += [raises(start, PREFIX, "old", {"words": made}), raises(start, PREFIX, "out/bias", {"out/bias": made})]
    for arguments in (("a", 5, 0, "b"), (NEW, 4, 1, OLD), (NEW, 0, 6, OLD), ("", 5, 1, OLD), (NEW, 5, 1, ""), (None, 5, 1, OLD), (NEW, 5, 1, None)):
        out.append(raises(start, PREFIX, "words", {"words": info(tf, *arguments)}))
    out += [raises(start, PREFIX, "out/kernel", {"out/kernel": info(tf, NEW, size, more, OLD, axis=1)}) for size, more in ((4, 0), (5, 1), (6, 0), (3, 2))]
    out += [raises(start, path, []) for path in ("warm/none", "none/none", "warm/new.txt")]
    out += [raises(start, path, "words", {"words": made}) for path in ("warm/none", "none/none", "", None)]
    return out


@here
def case_refused_word_count(tf):
    words(tf, 7)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf, NEW, 6, 1, OLD)})
    return tf.global_variables_initializer()


@here
def case_refused_missing_vocabulary(tf):
    words(tf)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf, "warm/nowhere.txt", 5, 1, OLD)})
    return tf.global_variables_initializer()


@here
def case_refused_missing_matrix(tf):
    words(tf)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf)}, {"words": "nowhere"})
    return tf.global_variables_initializer()


@here
def case_refused_columns_of_matrix(tf):
    words(tf, 6, 4)
    tf.train.warm_start(PREFIX, "words", {"words": info(tf)})
    return tf.global_variables_initializer()
