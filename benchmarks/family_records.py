"""Families on what is no dense array of numbers: sparse tensors, strings, tables; and random numbers."""
from __future__ import annotations

import numpy as np
from family_registry import RANDOM, family, floats, held, ints, positive, slope


@family("sparse", 10, 200, 1000)
def sparse(tf, n):
    """Sparse tensors with a tenth of n x n entries."""
    count = n * n // 10
    places = np.sort(RANDOM.choice(n * n, count, replace=False))
    indices = np.stack([places // n, places % n], 1)
    mixed = RANDOM.permutation(count)
    a = tf.SparseTensor(held(tf, indices), floats(tf, count), [n, n])
    b = tf.SparseTensor(held(tf, indices[::2]), floats(tf, len(indices[::2])), [n, n])
    loose = tf.SparseTensor(held(tf, indices[mixed]), floats(tf, count), [n, n])
    dense, ids = floats(tf, n, n), tf.SparseTensor(a.indices, ints(tf, n, count), a.dense_shape)
    yield "to_dense", tf.sparse.to_dense(a)
    yield "sparse_to_dense", tf.sparse_to_dense(a.indices, [n, n], a.values)
    yield "from_dense", tf.sparse.from_dense(tf.nn.relu(dense)).values
    y = tf.sparse.matmul(a, dense)
    yield "matmul", y
    yield "matmul gradient", slope(tf, y, a.values, dense)
    yield "matmul adjoint", tf.sparse.matmul(a, dense, adjoint_a=True)
    yield "reorder", tf.sparse.reorder(loose).values
    yield "add", tf.sparse.add(a, b).values
    yield "add dense", tf.sparse.add(a, dense)
    yield "concat", tf.sparse.concat(1, [a, b]).values
    yield "split", [each.values for each in tf.sparse.split(sp_input=a, num_split=2, axis=1)]
    yield "slice", tf.sparse.slice(a, [1, 1], [n // 2, n // 2]).values
    yield "reshape", tf.sparse.reshape(a, [n * n]).indices
    yield "transpose", tf.sparse.transpose(a).values
    yield "softmax", tf.sparse.softmax(a).values
    yield "reduce_sum", tf.sparse.reduce_sum(a, 1)
    yield "reduce_max", tf.sparse.reduce_max(a, 1)
    yield "reduce_sum gradient", slope(tf, tf.sparse.reduce_sum(a, 1), a.values)
    yield "multiply dense", (a * dense).values
    yield "maximum", tf.sparse.maximum(a, b).values
    yield "retain", tf.sparse.retain(a, tf.greater(a.values, 0)).values
    yield "fill_empty_rows", tf.sparse.fill_empty_rows(a, 0.0)[0].values
    yield "to_indicator", tf.sparse.to_indicator(ids, n)
    yield "merge", tf.sparse.merge(ids, a, n).values
    yield "cross hashed", tf.sparse.cross_hashed([ids_as_int64(tf, ids, n)] * 2, 1000).values
    yield "set_intersection", tf.sets.intersection(
        tf.cast(tf.sort(tf.cast(dense * 100, tf.int32)[:, :20]), tf.int64), tf.cast(tf.cast(dense[:, :20] * 90, tf.int32), tf.int64)
    ).values
    yield "tensor_dense_matmul vector", tf.sparse.matmul(a, dense[:, :1])


def ids_as_int64(tf, ids, n):
    """The first rows of a sparse tensor, in int64."""
    few = tf.sparse.slice(ids, [0, 0], [min(n, 50), 20])
    return tf.SparseTensor(few.indices, tf.cast(few.values, tf.int64), few.dense_shape)


@family("strings", 10, 1000, 20_000)
def strings(tf, n):
    """Strings of a few words."""
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta-7", "eta_42"]
    texts = [" ".join(words[k] for k in RANDOM.randint(0, 7, 4)) + " %d" % i for i in range(n)]
    x = held(tf, np.array(texts, object), tf.string)
    numbers = held(tf, np.array(["%.4f" % v for v in RANDOM.randn(n)], object), tf.string)
    values, whole = floats(tf, n), ints(tf, 10**6, n)
    yield "string_split", tf.string_split(x, " ").values
    yield "strings.split", tf.strings.split(x).values
    yield "join", tf.strings.join([x, numbers], "-")
    yield "reduce_join", tf.reduce_join(tf.reshape(x, [-1, 10]), 1, separator=" ")
    yield "to_number", tf.string_to_number(numbers)
    yield "to_number int64", tf.string_to_number(tf.as_string(whole), tf.int64)
    yield "as_string float", tf.as_string(values)
    yield "as_string int", tf.as_string(whole)
    yield "hash fast", tf.string_to_hash_bucket_fast(x, 1000)
    yield "hash strong", tf.string_to_hash_bucket_strong(x, 1000, [1, 2])
    yield "hash", tf.string_to_hash_bucket(x, 1000)
    yield "substr", tf.strings.substr(x, 2, 5)
    yield "length", tf.strings.length(x)
    yield "length in characters", tf.strings.length(x, unit="UTF8_CHAR")
    yield "regex_replace", tf.strings.regex_replace(x, "a(l|m)", "<\\1>")
    yield "regex_full_match", tf.strings.regex_full_match(x, ".*beta.*[0-9]+")
    yield "regex of a class", tf.strings.regex_replace(x, "[^a-z ]", "")
    yield "strip", tf.strings.strip(x)
    yield "lower", tf.strings.lower(x)
    yield "upper", tf.strings.upper(x)
    yield "equal", tf.equal(x, numbers)
    yield "encode_base64", tf.encode_base64(x)
    yield "decode_base64", tf.decode_base64(tf.encode_base64(x))
    yield "decode_raw", tf.decode_raw(tf.fill([n], "12345678"), tf.float32)
    yield "unicode_decode", tf.strings.unicode_decode(x, "UTF-8").values
    yield "unicode_encode", tf.strings.unicode_encode(tf.strings.unicode_decode(x, "UTF-8"), "UTF-8")
    yield "unicode_transcode", tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE")
    yield "bytes_split", tf.strings.bytes_split(x[: n // 10]).values
    yield "ngrams", tf.strings.ngrams(tf.strings.split(x, result_type="RaggedTensor"), 2).values
    yield "gather", tf.gather(x, tf.mod(whole, n))
    yield "unique", tf.unique(tf.strings.substr(x, 0, 4))


@family("random", 1_000, 100_000, 1_000_000)
def random(tf, n):
    """Distributions."""
    rows = floats(tf, max(n // 1000, 1), 100)
    rates = positive(tf, max(n // 1000, 1))
    data = floats(tf, n // 10, 10)
    yield "uniform", tf.random_uniform([n])
    yield "uniform int", tf.random_uniform([n], maxval=100, dtype=tf.int32)
    yield "uniform double", tf.random_uniform([n], dtype=tf.float64)
    yield "normal", tf.random_normal([n])
    yield "normal double", tf.random_normal([n], dtype=tf.float64)
    yield "normal half", tf.random_normal([n], dtype=tf.float16)
    yield "truncated_normal", tf.truncated_normal([n])
    yield "gamma", tf.random_gamma([n // max(n // 1000, 1)], rates)
    yield "poisson", tf.random_poisson(rates * 5, [n // max(n // 1000, 1)])
    yield "poisson of a high rate", tf.random_poisson(rates * 50, [n // max(n // 1000, 1)])
    yield "multinomial", tf.multinomial(rows, 10)
    yield "shuffle", tf.random_shuffle(data)
    yield "stateless uniform", tf.random.stateless_uniform([n], [1, 2])
    yield "stateless normal", tf.random.stateless_normal([n], [1, 2])
    yield "stateless truncated", tf.random.stateless_truncated_normal([n], [1, 2])
    yield "stateless multinomial", tf.random.stateless_categorical(rows, 10, [1, 2])
    yield "random_crop", tf.random_crop(data, [n // 20, 5])


@family("tables", 10, 1000, 50_000)
def tables(tf, n):
    """Lookup tables of n entries, asked for n keys."""
    keys = np.array(["key %d" % i for i in range(n)], object)
    asked, numbers = held(tf, RANDOM.permutation(keys), tf.string), held(tf, RANDOM.randint(0, 2 * n, n).astype("i8"))
    of_words = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.constant(keys, tf.string), tf.range(n, dtype=tf.int64)), -1)
    of_numbers = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.range(n, dtype=tf.int64), tf.range(n, dtype=tf.float32)), -1.0
    )
    more = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant(keys, tf.string), tf.range(n, dtype=tf.int64)), 5
    )
    yield "string to int64", of_words.lookup(asked)
    yield "int64 to float", of_numbers.lookup(numbers)
    yield "with buckets", more.lookup(asked)
    yield "size", of_words.size()
