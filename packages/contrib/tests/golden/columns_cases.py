"""Feature columns of `tf.contrib.layers`: graphs and values."""


def words(tf):
    return tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "zz"], [2, 2])


def case_numbers(tf):
    layers = tf.contrib.layers
    features = {"a": tf.constant([[1.0], [2.0]]), "b": tf.constant([[1, 2, 3], [4, 5, 6]], tf.float64)}
    a = layers.real_valued_column("a")
    return layers.input_from_feature_columns(features, [a, layers.real_valued_column("b", 3, normalizer=lambda x: x * 2), layers.bucketized_column(a, [1.5, 3.0])])


def case_embedding(tf):
    layers = tf.contrib.layers
    hashed = layers.sparse_column_with_hash_bucket("s", 10)
    made = {}
    x = layers.input_from_feature_columns({"s": words(tf)}, [layers.embedding_column(hashed, 4), layers.embedding_column(layers.crossed_column([hashed, layers.sparse_column_with_hash_bucket("s", 5, combiner="mean")], 30), 2, combiner="sum", initializer=tf.ones_initializer())], ["mine"], cols_to_outs=made)
    return [x, len(made), tf.get_collection("mine")]


def case_one_hot(tf):
    layers = tf.contrib.layers
    features = {"s": words(tf), "t": tf.constant([1, 4], tf.int64), "w": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0.5, 2.0, 3.0], [2, 2])}
    keys = layers.sparse_column_with_keys("s", ["a", "b"])
    return layers.input_from_feature_columns(features, [layers.one_hot_column(keys), layers.one_hot_column(layers.sparse_column_with_integerized_feature("t", 5))])


def case_shared(tf):
    layers = tf.contrib.layers
    columns = layers.shared_embedding_columns([layers.sparse_column_with_hash_bucket("s", 10), layers.sparse_column_with_hash_bucket("r", 10)], 3)
    return layers.input_from_feature_columns({"s": words(tf), "r": words(tf)}, columns)


def case_weighted_sum(tf):
    layers = tf.contrib.layers
    a = layers.real_valued_column("a", 2)
    hashed = layers.sparse_column_with_hash_bucket("s", 10)
    buckets = layers.bucketized_column(a, [1.0, 2.0])
    features = {"s": words(tf), "a": tf.constant([[1.0, 2.0], [0.0, 3.0]]), "w": tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0.5, 2.0, 3.0], [2, 2])}
    logits, weights, bias = layers.weighted_sum_from_feature_columns(features, [a, hashed, buckets, layers.weighted_sparse_column(hashed, "w"), layers.crossed_column([hashed, buckets], 50)], 3)
    return [logits, sorted(each.name for parts in weights.values() for each in parts), bias]


def case_crosses(tf):
    layers = tf.contrib.layers
    a = layers.bucketized_column(layers.real_valued_column("a"), [1.0])
    features = {"s": words(tf), "t": words(tf), "a": tf.constant([[1.0], [0.0]])}
    s, t = layers.sparse_column_with_hash_bucket("s", 10), layers.sparse_column_with_hash_bucket("t", 10)
    columns = [layers.crossed_column([s, t], 1000), layers.crossed_column([s, a], 1000), layers.crossed_column([s, t, a], 1000, hash_key=layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY)]
    found = layers.transform_features(features, columns)
    return [found[column] for column in columns]


def case_parsing(tf):
    layers = tf.contrib.layers
    a, h = layers.real_valued_column("a", 2, default_value=1.0), layers.sparse_column_with_hash_bucket("h", 10)
    columns = [a, h, layers.bucketized_column(layers.real_valued_column("r"), [1.0, 2.0]), layers.weighted_sparse_column(h, "wt"), layers.one_hot_column(layers.sparse_column_with_keys("k", ["x"]))]
    spec = layers.create_feature_spec_for_parsing(columns)
    parsed = layers.parse_feature_columns_from_examples(tf.constant([b""]), [a, h])
    placed = layers.make_place_holder_tensors_for_base_features(columns)
    return [sorted(spec), str(spec["a"].default_value), [each.key for each in columns], [each.name for each in columns], parsed["a"], sorted(placed), str(layers.infer_real_valued_columns({"z": tf.zeros([2, 3], tf.int32)}))]


def case_sparse_in_a_network(tf):
    layers = tf.contrib.layers
    return layers.input_from_feature_columns({"s": words(tf)}, [layers.sparse_column_with_hash_bucket("s", 10)])


def case_embedding_in_a_linear_model(tf):
    layers = tf.contrib.layers
    return layers.weighted_sum_from_feature_columns({"s": words(tf)}, [layers.embedding_column(layers.sparse_column_with_hash_bucket("s", 10), 2)], 1)


def case_one_column_twice(tf):
    layers = tf.contrib.layers
    return layers.check_feature_columns([layers.real_valued_column("a"), layers.real_valued_column("a")])


def case_buckets_of_words(tf):
    return tf.contrib.layers.bucketized_column(tf.contrib.layers.sparse_column_with_hash_bucket("s", 10), [1.0])


def case_no_buckets(tf):
    return tf.contrib.layers.sparse_column_with_hash_bucket("s", 0)
