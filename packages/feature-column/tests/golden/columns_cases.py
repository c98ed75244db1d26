"""Every column in `input_layer` and `linear_model`: graphs, variables, collections, values; and what is refused."""

from golden_case import Case, raises


def features(tf):
    return dict(
        age=tf.constant([[1.0], [20.0], [50.0]]),
        vec=tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        flat=tf.constant([1.0, 2.0, 3.0]),
        ints=tf.constant([[1], [2], [30]]),
        col=tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["red", "zzz", "blue"], [3, 2]),
        colw=tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [0.5, 2.0, 1.0], [3, 2]),
        dense=tf.constant([["red"], ["blue"], [""]]),
        weights=tf.constant([[0.5], [2.0], [3.0]]),
        ids=tf.SparseTensor(tf.constant([[0, 0], [0, 1], [2, 0]], tf.int64), tf.constant([0, 3, 1], tf.int64), [3, 2]),
        ids_int=tf.constant([[0], [2], [-1]], tf.int32),
    )


def table(tf, index):
    """Weights that differ, of the shape of a variable."""
    shape = index.shape.as_list()
    count = 1
    for size in shape:
        count *= size
    return tf.assign(index, tf.reshape(tf.range(1.0, count + 1.0), shape))


def given(tf):
    def initializer(shape, dtype=None, partition_info=None):
        return tf.cast(tf.reshape(tf.range(shape[0] * shape[1]), shape), dtype or tf.float32)

    return initializer


def fed(tf, inputs, feeds):
    """`col` as a placeholder: what is known of constants alone is not compared."""
    parts = [tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.string, [None]), tf.placeholder(tf.int64, [2])]
    inputs["col"] = tf.SparseTensor(*parts)
    feeds.update(zip(parts, [[[0, 0], [0, 1], [2, 0]], ["red", "zzz", "blue"], [3, 2]]))


def layer(tf, *columns, **options):
    outputs, variables, feeds = {}, {}, {}
    inputs = features(tf)
    if options.pop("fed", False):
        fed(tf, inputs, feeds)
    layer = tf.feature_column.input_layer(
        inputs, list(columns), cols_to_vars=variables, cols_to_output_tensors=outputs, **options)
    names = [[v.name for v in variables[c]] for c in columns]
    return Case([layer, [outputs[c] for c in columns], names], feeds=feeds, init=True)


def linear(tf, *columns, **options):
    variables, feeds, inputs = {}, {}, features(tf)
    if options.pop("fed", False):
        fed(tf, inputs, feeds)
    model = tf.feature_column.linear_model(inputs, list(columns), cols_to_vars=variables, **options)
    names = [[v.name for v in variables[c]] for c in list(columns) + ["bias"]]
    fill = [table(tf, v) for v in tf.global_variables()]
    return Case(runs=[model, fill, model, names], feeds=feeds, init=True)


def numeric(tf):
    return tf.feature_column.numeric_column("age")


def double(tf):
    return tf.feature_column.numeric_column("vec", shape=2, normalizer_fn=lambda x: x * 2.0)


def integers(tf):
    return tf.feature_column.numeric_column("ints", dtype=tf.int32)


def flat(tf):
    return tf.feature_column.numeric_column("flat")


def bucketized(tf):
    return tf.feature_column.bucketized_column(tf.feature_column.numeric_column("vec", shape=2), [1.5, 3.0, 4.5])


def identity(tf):
    return tf.feature_column.categorical_column_with_identity("ids", 4)


def identity_default(tf):
    return tf.feature_column.categorical_column_with_identity("ids_int", 2, default_value=1)


def hashed(tf):
    return tf.feature_column.categorical_column_with_hash_bucket("col", 5)


def hashed_dense(tf):
    return tf.feature_column.categorical_column_with_hash_bucket("dense", 5)


def hashed_int(tf):
    return tf.feature_column.categorical_column_with_hash_bucket("ids_int", 5, dtype=tf.int64)


def listed(tf):
    return tf.feature_column.categorical_column_with_vocabulary_list("col", ["red", "blue", "green"], num_oov_buckets=2)


def listed_dense(tf):
    return tf.feature_column.categorical_column_with_vocabulary_list("dense", ["red", "green"])


def listed_default(tf):
    return tf.feature_column.categorical_column_with_vocabulary_list("dense", ["red", "green"], default_value=1)


def listed_int(tf):
    return tf.feature_column.categorical_column_with_vocabulary_list("ids_int", [0, 1, 5])


def weighted(tf):
    return tf.feature_column.weighted_categorical_column(hashed(tf), "colw")



def crossed(tf):
    return tf.feature_column.crossed_column([bucketized(tf), identity(tf), "col"], 7, hash_key=5)


def crossed_dense(tf):
    return tf.feature_column.crossed_column(["dense", "ids_int"], 7)


DENSE = [numeric, double, integers, flat, bucketized]
CATEGORICAL = [identity, identity_default, hashed, hashed_dense, hashed_int, listed, listed_dense, listed_default,
               listed_int, weighted, crossed]


def embedding(tf, column, **options):
    return tf.feature_column.embedding_column(column(tf), 2, initializer=given(tf), **options)


for column in DENSE:
    globals()["case_layer_" + column.__name__] = lambda tf, column=column: layer(tf, column(tf))
for column in CATEGORICAL:
    name = column.__name__
    globals()["case_indicator_" + name] = lambda tf, column=column: layer(
        tf, tf.feature_column.indicator_column(column(tf)), fed=column is crossed)
    globals()["case_embedding_" + name] = lambda tf, column=column: layer(
        tf, embedding(tf, column), fed=column is crossed)
for column in DENSE + CATEGORICAL:
    globals()["case_linear_" + column.__name__] = lambda tf, column=column: linear(
        tf, column(tf), fed=column is crossed)


def case_crossed_values(tf):
    case = layer(tf, tf.feature_column.indicator_column(crossed_dense(tf)))
    case.graph, case.fetches = False, tf.reduce_sum(case.fetches[0], axis=0)
    return case


def case_embedding_combined(tf):
    return layer(tf, embedding(tf, hashed, combiner="sqrtn", max_norm=2.0), embedding(tf, identity, combiner="sum"),
                 embedding(tf, hashed_dense, trainable=False), weight_collections=["mine"])


def case_embedding_random(tf):
    tf.set_random_seed(3)
    return layer(tf, tf.feature_column.embedding_column(hashed(tf), 3))


def case_embedding_frozen(tf):
    return layer(tf, embedding(tf, hashed), trainable=False)


def case_partitioned(tf):
    with tf.variable_scope("outer", partitioner=tf.fixed_size_partitioner(2)):
        return layer(tf, embedding(tf, hashed_dense))


def case_shared(tf):
    columns = tf.feature_column.shared_embedding_columns([hashed(tf), hashed_dense(tf)], 2, initializer=given(tf))
    return layer(tf, numeric(tf), *columns)


def case_shared_named(tf):
    columns = tf.feature_column.shared_embedding_columns(
        [weighted(tf), hashed_dense(tf)], 2, initializer=given(tf), combiner="sum",
        shared_embedding_collection_name="both", trainable=False)
    return layer(tf, *columns)


def case_linear_many(tf):
    return linear(tf, bucketized(tf), hashed(tf), numeric(tf), embedding(tf, listed), weighted(tf), crossed(tf), units=3,
                  fed=True)


def case_linear_mean(tf):
    return linear(tf, weighted(tf), identity(tf), sparse_combiner="mean", weight_collections=["mine"], trainable=False)


def case_twice(tf):
    inputs = features(tf)
    column = embedding(tf, hashed)
    layers = [tf.feature_column.input_layer(inputs, [column]) for _ in range(2)]
    models = [tf.feature_column.linear_model(inputs, [hashed(tf)]) for _ in range(2)]
    return Case([layers, models], init=True)


def case_in_scopes(tf):
    inputs = features(tf)
    with tf.variable_scope("net"):
        model = tf.feature_column.linear_model(inputs, [numeric(tf)])
        net = tf.feature_column.input_layer(inputs, [embedding(tf, hashed)])
    with tf.variable_scope("net", reuse=True):
        return Case([model, net, tf.constant(1.0, name="age")], init=True)


def case_batches_of_any_size(tf):
    strings = tf.sparse_placeholder(tf.string, name="strings")
    numbers = tf.placeholder(tf.float32, [None, 2], name="numbers")
    inputs = dict(col=strings, vec=numbers)
    net = tf.feature_column.input_layer(inputs, [bucketized(tf), embedding(tf, listed)])
    model = tf.feature_column.linear_model(inputs, [double(tf), hashed(tf)])
    feeds = []
    for indices, values, shape, rows in [([[0, 0]], ["red"], [1, 1], [[1.0, 9.0]]),
                                         ([[1, 0], [1, 3]], ["a", "blue"], [2, 4], [[0.0, 1.5], [3.0, 2.0]])]:
        feeds.append({strings: tf.SparseTensorValue(indices, values, shape), numbers: rows})
    return Case([net, model], feeds=feeds, steps=2, init=True, collections=False)


def case_id_out_of_range(tf):
    column = tf.feature_column.categorical_column_with_identity("ids", 3)
    return tf.feature_column.input_layer(features(tf), [tf.feature_column.indicator_column(column)])


def case_spec(tf):
    fc = tf.feature_column
    columns = [numeric(tf), bucketized(tf), embedding(tf, listed_int), weighted(tf), fc.indicator_column(crossed(tf)),
               fc.numeric_column("d", shape=[2, 2], default_value=[[1, 2], [3, 4]], dtype=tf.int64)]
    spec = fc.make_parse_example_spec(columns)
    facts = [[key, type(spec[key]).__name__, str(spec[key].dtype), str(getattr(spec[key], "shape", None)),
              str(getattr(spec[key], "default_value", None))] for key in sorted(spec)]
    return [facts, [column.name for column in columns]]


def case_refused(tf):
    fc = tf.feature_column
    n, h = fc.numeric_column("age"), fc.categorical_column_with_hash_bucket("col", 5)
    s = fc.sequence_categorical_column_with_hash_bucket("col", 5)
    x = features(tf)
    return [
        raises(fc.numeric_column, 3), raises(fc.numeric_column, "a", shape=0), raises(fc.numeric_column, "a", shape=[1.5]),
        raises(fc.numeric_column, "a", default_value="x"), raises(fc.numeric_column, "a", shape=2, default_value=[1]),
        raises(fc.numeric_column, "a", dtype=tf.string), raises(fc.numeric_column, "a", normalizer_fn=3),
        raises(fc.numeric_column, "a", dtype=tf.int32, default_value=1.5),
        raises(fc.bucketized_column, h, [1]), raises(fc.bucketized_column, fc.numeric_column("a", shape=[2, 2]), [1]),
        raises(fc.bucketized_column, n, []), raises(fc.bucketized_column, n, [2, 1]), raises(fc.bucketized_column, n, 3),
        raises(fc.categorical_column_with_identity, "a", 0), raises(fc.categorical_column_with_identity, "a", 3, 5),
        raises(fc.categorical_column_with_hash_bucket, "a", None), raises(fc.categorical_column_with_hash_bucket, "a", 0),
        raises(fc.categorical_column_with_hash_bucket, "a", 3, dtype=tf.float32),
        raises(fc.categorical_column_with_vocabulary_list, "a", []),
        raises(fc.categorical_column_with_vocabulary_list, "a", ["x", "x"]),
        raises(fc.categorical_column_with_vocabulary_list, "a", ["x"], num_oov_buckets=-1),
        raises(fc.categorical_column_with_vocabulary_list, "a", ["x"], num_oov_buckets=1, default_value=2),
        raises(fc.categorical_column_with_vocabulary_list, "a", [1.5]),
        raises(fc.categorical_column_with_vocabulary_list, "a", ["x"], dtype=tf.int32),
        raises(fc.categorical_column_with_vocabulary_file, "a", ""),
        raises(fc.categorical_column_with_vocabulary_file, "a", "no such file"),
        raises(fc.categorical_column_with_vocabulary_file, "a", "f", 0),
        raises(fc.categorical_column_with_vocabulary_file, "a", "f", 3, 1, 2),
        raises(fc.crossed_column, ["a"], 10), raises(fc.crossed_column, ["a", "b"], 0), raises(fc.crossed_column, ["a", n], 5),
        raises(fc.crossed_column, ["a", h], 5), raises(fc.weighted_categorical_column, h, "w", dtype=tf.string),
        raises(fc.embedding_column, h, 0), raises(fc.embedding_column, h, 2, initializer=3),
        raises(fc.embedding_column, h, 2, ckpt_to_load_from="x"), raises(fc.shared_embedding_columns, [h], 0),
        raises(fc.shared_embedding_columns, [h, fc.categorical_column_with_hash_bucket("b", 6)], 2),
        raises(fc.shared_embedding_columns, [h, fc.categorical_column_with_identity("b", 5)], 2),
        raises(fc.make_parse_example_spec, [3]), raises(fc.make_parse_example_spec, n),
        raises(fc.make_parse_example_spec, [n, fc.numeric_column("age", dtype=tf.int32)]),
        raises(fc.input_layer, x, []), raises(fc.input_layer, x, [h]), raises(fc.input_layer, x, [3]),
        raises(fc.input_layer, x, [n, n]), raises(fc.input_layer, x, [fc.numeric_column("none")]),
        raises(fc.input_layer, x, {"x": n}), raises(fc.input_layer, {"age": 1.0}, [n]),
        raises(fc.input_layer, x, [fc.numeric_column("colw")]),
        raises(fc.input_layer, {"age": [[1.0], [2.0]], "b": [[1.0]]}, [n, fc.numeric_column("b")]),
        raises(fc.input_layer, x, [fc.indicator_column(s)]), raises(fc.input_layer, x, [fc.embedding_column(s, 2)]),
        raises(fc.input_layer, {"col": tf.constant([1.0])}, [fc.indicator_column(h)]),
        raises(fc.input_layer, {"col": tf.constant([1])}, [fc.indicator_column(h)]),
        raises(fc.linear_model, x, []), raises(fc.linear_model, x, [3]), raises(fc.linear_model, x, [n, n]),
        raises(fc.linear_model, x, [h], sparse_combiner="other"),
    ]


def valued(tf, inputs, *columns):
    return Case(tf.feature_column.input_layer(inputs, list(columns)), init=True, graph=False)


def case_linear_partitioned(tf):
    with tf.variable_scope("outer", partitioner=tf.fixed_size_partitioner(3)):
        return linear(tf, hashed(tf), double(tf))


def case_no_examples(tf):
    nothing = tf.SparseTensor(tf.zeros([0, 2], tf.int64), tf.constant([], tf.string), [0, 2])
    return valued(tf, {"col": nothing}, embedding(tf, hashed))


def case_only_empty_rows(tf):
    nothing = tf.SparseTensor(tf.zeros([0, 2], tf.int64), tf.constant([], tf.string), [2, 2])
    return valued(tf, {"col": nothing}, embedding(tf, hashed), tf.feature_column.indicator_column(hashed(tf)))


def case_dense_weights(tf):
    inputs = {"col": tf.constant([["a", "b"], ["c", ""]]), "w": tf.constant([[1.0, 2.0], [3.0, 0.0]])}
    column = tf.feature_column.weighted_categorical_column(hashed(tf), "w")
    return valued(tf, inputs, tf.feature_column.indicator_column(column))


def case_fewer_weights_than_ids(tf):
    inputs = {"col": tf.constant([["a", "b"], ["c", ""]]), "w": tf.constant([[1.0, 0.0], [3.0, 4.0]])}
    column = tf.feature_column.weighted_categorical_column(hashed(tf), "w")
    return valued(tf, inputs, tf.feature_column.indicator_column(column))


def case_crossed_twice(tf):
    inputs = {"a": [["x"], ["y"]], "b": [["1"], ["2"]], "c": [["q"], ["z"]]}
    column = tf.feature_column.crossed_column([tf.feature_column.crossed_column(["a", "b"], 3), "c"], 9)
    case = valued(tf, inputs, tf.feature_column.indicator_column(column))
    case.fetches = tf.reduce_sum(case.fetches, axis=0)
    return case


def case_other_shape(tf):
    return valued(tf, {"v": tf.ones([2, 3])}, tf.feature_column.numeric_column("v", shape=2))


def case_reused(tf):
    template = tf.make_template("t", lambda: tf.feature_column.input_layer(features(tf), [embedding(tf, hashed)]))
    with tf.variable_scope("m"):
        first = tf.feature_column.linear_model(features(tf), [hashed(tf)])
    with tf.variable_scope("m", reuse=True):
        second = tf.feature_column.linear_model(features(tf), [hashed(tf)])
    return Case([template(), template(), first, second], init=True)


def case_shared_of_another_shape(tf):
    name = "both"
    columns = tf.feature_column.shared_embedding_columns([hashed(tf)], 2, shared_embedding_collection_name=name)
    columns += tf.feature_column.shared_embedding_columns([hashed_dense(tf)], 3, shared_embedding_collection_name=name)
    return raises(tf.feature_column.input_layer, features(tf), columns)
