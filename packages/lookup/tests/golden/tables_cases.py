"""Lookup tables of all kinds: what programs put into them and find there."""

import os
import tempfile

import numpy as np
from golden_case import Case, raises, says

KINDS = ["string", "int64", "int32", "float32"]


def path(text):
    """A file with that text; it is there as a whole or not at all, since other processes read it meanwhile."""
    name = os.path.join(tempfile.gettempdir(), "ossia_table_%d.txt" % (sum(text) * 31 + len(text)))
    with tempfile.NamedTemporaryFile(delete=False) as file:
        file.write(text)
    os.replace(file.name, name)
    return name


def i64(tf, *values):
    return tf.constant(values, tf.int64)


def find(tf, table, keys, default=-1, kind="int64"):
    return tf.raw_ops.LookupTableFindV2(table_handle=table, keys=keys, default_value=tf.constant(default, kind))


def put(tf, table, keys, values, op="LookupTableInsertV2"):
    return getattr(tf.raw_ops, op)(table_handle=table, keys=keys, values=tf.constant(values, tf.int64))


def size(tf, table):
    return tf.raw_ops.LookupTableSizeV2(table_handle=table)


def fixed(tf, **options):
    return tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, **options)


def mutable(tf, **options):
    return tf.raw_ops.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64, **options)


def dense(tf, **options):
    options = dict({"empty_key": "", "deleted_key": "$", "value_dtype": tf.int64, "initial_num_buckets": 4}, **options)
    return tf.raw_ops.MutableDenseHashTableV2(**options)


def case_fixed(tf):
    t = fixed(tf, shared_name="t")
    fill = put(tf, t, ["a", "b"], [1, 2], "InitializeTableV2")
    return Case(runs=[size(tf, t), fill, fill, [find(tf, t, [["a", "q"], ["b", "a"]]), size(tf, t), find(tf, t, "b")]])


def case_fixed_unfilled(tf):
    return find(tf, fixed(tf), ["a"])


def case_fixed_unfilled_export(tf):
    return list(tf.raw_ops.LookupTableExportV2(table_handle=fixed(tf), Tkeys=tf.string, Tvalues=tf.int64))


def case_fixed_twice(tf):
    t = fixed(tf)
    return Case(runs=[put(tf, t, ["a"], [1], "InitializeTableV2"), put(tf, t, ["a"], [2], "InitializeTableV2")])


def case_fixed_two_values(tf):
    return put(tf, fixed(tf), ["a", "a"], [1, 2], "InitializeTableV2")


def case_fixed_same_pair(tf):
    t = fixed(tf)
    return Case(runs=[put(tf, t, ["a", "a"], [1, 1], "InitializeTableV2"), size(tf, t)])


def case_fixed_insert(tf):
    return put(tf, fixed(tf), ["a"], [1])


def case_fixed_remove(tf):
    return tf.raw_ops.LookupTableRemoveV2(table_handle=fixed(tf), keys=["a"])


def case_fixed_nothing(tf):
    k, v = tf.placeholder(tf.string), tf.placeholder(tf.int64)
    return Case([tf.raw_ops.InitializeTableV2(table_handle=fixed(tf), keys=k, values=v)], feeds={k: [], v: []})


def case_wrong_keys(tf):
    return tf.raw_ops.LookupTableFindV2(table_handle=fixed(tf), keys=i64(tf, 1), default_value=tf.constant(0, tf.int64))


def case_wrong_values(tf):
    return tf.raw_ops.InitializeTableV2(table_handle=fixed(tf), keys=["a"], values=[1])


def case_wrong_default(tf):
    return find(tf, mutable(tf), ["a"], [1])


def case_mutable(tf):
    t = mutable(tf)
    return Case(runs=[
        [find(tf, t, ["a"]), size(tf, t)], put(tf, t, ["a", "b", "a"], [1, 2, 3]), [find(tf, t, [["a", "b"], ["c", "a"]]), size(tf, t)],
        tf.raw_ops.LookupTableRemoveV2(table_handle=t, keys=["b", "zz"]), [find(tf, t, ["a", "b"]), size(tf, t)],
        list(tf.raw_ops.LookupTableExportV2(table_handle=t, Tkeys=tf.string, Tvalues=tf.int64)),
        put(tf, t, ["q"], [7], "LookupTableImportV2"), find(tf, t, ["a", "q"]), put(tf, t, "s", 1), size(tf, t)])


def case_mutable_value_shape(tf):
    return put(tf, mutable(tf), ["a", "b"], [1])


def case_mutable_initialize(tf):
    return put(tf, mutable(tf), ["a"], [1], "InitializeTableV2")


def case_mutable_shared(tf):
    a, b, c = mutable(tf, shared_name="x"), mutable(tf, shared_name="x"), mutable(tf, shared_name="y")
    return Case(runs=[put(tf, a, ["a"], [1]), [find(tf, b, ["a"]), find(tf, c, ["a"])]])


def case_tensors(tf):
    t = tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=tf.string, value_dtype=tf.int64, value_shape=[2])
    return Case(runs=[find(tf, t, ["a"], [0, 0]), put(tf, t, ["a", "b"], [[1, 2], [3, 4]]), [find(tf, t, [["a"], ["z"]], [-1, -2]), size(tf, t)],
                      tf.raw_ops.LookupTableRemoveV2(table_handle=t, keys=["a"]),
                      list(tf.raw_ops.LookupTableExportV2(table_handle=t, Tkeys=tf.string, Tvalues=tf.int64))])


def case_tensors_default(tf):
    t = tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=tf.string, value_dtype=tf.int64, value_shape=[2])
    return find(tf, t, ["a"], -1)


def case_tensors_value(tf):
    t = tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=tf.string, value_dtype=tf.int64, value_shape=[2])
    return put(tf, t, ["a"], [1])


def case_tensors_scalar_shape(tf):
    return size(tf, tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=tf.string, value_dtype=tf.int64))


def case_dense(tf):
    t = dense(tf)
    export = list(tf.raw_ops.LookupTableExportV2(table_handle=t, Tkeys=tf.string, Tvalues=tf.int64))
    return Case(runs=[find(tf, t, ["a"]), export, put(tf, t, ["a", "b", "a"], [1, 2, 3]), [find(tf, t, ["a", "b", "c"]), size(tf, t)], export,
                      tf.raw_ops.LookupTableRemoveV2(table_handle=t, keys=["b", "q"]), [size(tf, t), find(tf, t, ["b"])],
                      put(tf, t, list("cdefghij"), list(range(8))), [size(tf, t), find(tf, t, list("abcdefghijk"))], export])


def case_dense_numbers(tf):
    t = tf.raw_ops.MutableDenseHashTableV2(empty_key=tf.constant(0, tf.int64), deleted_key=tf.constant(-1, tf.int64), value_dtype=tf.float32,
                                           initial_num_buckets=8)
    keys = i64(tf, 8, 16, 24, -5, 11, 12)
    return Case(runs=[tf.raw_ops.LookupTableInsertV2(table_handle=t, keys=keys, values=[1., 2., 3., 4., 5., 6.]),
                      list(tf.raw_ops.LookupTableExportV2(table_handle=t, Tkeys=tf.int64, Tvalues=tf.float32)),
                      find(tf, t, keys, 0.0, "float32"),
                      tf.raw_ops.LookupTableInsertV2(table_handle=t, keys=i64(tf, 40, 41, 42), values=[1., 2., 3.]),
                      list(tf.raw_ops.LookupTableExportV2(table_handle=t, Tkeys=tf.int64, Tvalues=tf.float32))])


def case_dense_vectors(tf):
    t = tf.raw_ops.MutableDenseHashTableV2(empty_key=i64(tf, 0, 0), deleted_key=i64(tf, -1, -1), value_dtype=tf.int64, value_shape=[3],
                                           initial_num_buckets=4)
    keys = tf.constant([[1, 2], [3, 4]], tf.int64)
    return Case(runs=[put(tf, t, keys, [[1, 2, 3], [4, 5, 6]]), [find(tf, t, tf.constant([[3, 4], [9, 9]], tf.int64), [0, 0, 0]),
                      size(tf, t)], list(tf.raw_ops.LookupTableExportV2(table_handle=t, Tkeys=tf.int64, Tvalues=tf.int64))])


def case_dense_empty_key(tf):
    return find(tf, dense(tf), [""])


def case_dense_deleted_key(tf):
    return put(tf, dense(tf), ["$"], [1])


def case_dense_equal_keys(tf):
    return size(tf, dense(tf, deleted_key=""))


def case_dense_buckets(tf):
    return size(tf, dense(tf, initial_num_buckets=6))


def case_dense_load(tf):
    return size(tf, dense(tf, max_load_factor=1.5))


def case_dense_key_shapes(tf):
    return size(tf, dense(tf, empty_key=["a", "b"]))


def case_no_such_table(tf):
    return size(tf, tf.raw_ops.HashTableV2(key_dtype=tf.float32, value_dtype=tf.int64))


def case_no_such_mutable(tf):
    return size(tf, tf.raw_ops.MutableHashTableV2(key_dtype=tf.int32, value_dtype=tf.string))


def case_by_reference(tf):
    r = tf.raw_ops
    t = r.HashTable(key_dtype=tf.string, value_dtype=tf.int64)
    m = r.MutableHashTable(key_dtype=tf.string, value_dtype=tf.int64)
    found = [r.LookupTableFind(table_handle=x, keys=["a", "q"], default_value=tf.constant(-1, tf.int64)) for x in (t, m)]
    return Case(runs=[[r.InitializeTable(table_handle=t, keys=["a"], values=i64(tf, 1)), r.LookupTableInsert(table_handle=m, keys=["q"], values=i64(tf, 2))],
                      found, [r.LookupTableSize(table_handle=x) for x in (t, m)],
                      list(r.LookupTableExport(table_handle=m, Tkeys=tf.string, Tvalues=tf.int64)),
                      r.LookupTableImport(table_handle=m, keys=["a"], values=i64(tf, 5)), found])


def case_by_reference_kinds(tf):
    r = tf.raw_ops
    t = r.MutableHashTableOfTensors(key_dtype=tf.string, value_dtype=tf.int64, value_shape=[2])
    return Case(runs=[r.LookupTableInsert(table_handle=t, keys=["a"], values=tf.constant([[1, 2]], tf.int64)),
                      r.LookupTableFind(table_handle=t, keys=["a", "b"], default_value=i64(tf, 0, 0))])


def case_shapes(tf):
    p = tf.placeholder(tf.string)
    return Case([[find(tf, t, k, d) for k in ("a", ["a", "b"], [["a"]], p) for d in (0, [1, 2])] for t in
                 (fixed(tf), mutable(tf), dense(tf, value_shape=[2]),
                  tf.raw_ops.MutableHashTableOfTensorsV2(key_dtype=tf.string, value_dtype=tf.int64, value_shape=[2]))], graph_only=True)


def case_refused(tf):
    t, m = fixed(tf), mutable(tf)
    return [raises(find, tf, m, ["a"], [[1]]), raises(put, tf, m, ["a"], [1, 2], "LookupTableImportV2"), raises(put, tf, t, ["a"], [1, 2], "InitializeTableV2"),
            raises(put, tf, t, [["a"]], [1], "InitializeTableV2"), raises(put, tf, t, "a", [1], "InitializeTableV2"), raises(find, tf, m, [1]),
            raises(find, tf, m, ["a"], 0.5, "float32"), raises(tf.raw_ops.InitializeTableFromTextFileV2, table_handle=t, filename=["f"], key_index=0, value_index=1),
            raises(tf.raw_ops.InitializeTableFromTextFileV2, table_handle=t, filename="f", key_index=-3, value_index=1),
            raises(find, tf, tf.raw_ops.MutableDenseHashTableV2(empty_key=["", ""], deleted_key=["$", "$"], value_dtype=tf.int64), "a", 0)]


def from_file(tf, text, key=-2, value=-1, keys="string", values="int64", default=-1, looked=("a", "b", "c", "q"), **options):
    t = tf.raw_ops.HashTableV2(key_dtype=keys, value_dtype=values, shared_name="t")
    fill = tf.raw_ops.InitializeTableFromTextFileV2(table_handle=t, filename=path(text), key_index=key, value_index=value, **options)
    return Case(runs=[fill, [find(tf, t, tf.constant(list(looked), keys), default, values), size(tf, t)]], graph=False)


def case_file_lines(tf):
    return from_file(tf, b"a\nb\nc\n")


def case_file_no_last_newline(tf):
    return from_file(tf, b"a\nb\nc")


def case_file_carriage_returns(tf):
    return from_file(tf, b"a\r\nb\r\n")


def case_file_first_lines(tf):
    return from_file(tf, b"a\nb\nc\n", vocab_size=2)


def case_file_too_few_lines(tf):
    return from_file(tf, b"a\nb\nc\n", vocab_size=9)


def case_file_columns(tf):
    return from_file(tf, b"a 5 x\nb 6 y\n", 0, 1, delimiter=" ")


def case_file_columns_floats(tf):
    return from_file(tf, b"a\t1.5\nb\t-2e3\n", 0, 1, values="float32", default=0.0)


def case_file_columns_int32(tf):
    return from_file(tf, b"1,5\n2,6\n", 0, 1, keys="int32", values="int32", delimiter=",", looked=(1, 2, 3))


def case_file_numbers_to_lines(tf):
    return from_file(tf, b"x\ny\n", -1, -2, keys="int64", values="string", default="none", looked=(0, 1, 2))


def case_file_missing_column(tf):
    return from_file(tf, b"a 1\nb\n", 0, 1, delimiter=" ")


def case_file_bad_number(tf):
    return from_file(tf, b"a x\n", 0, 1, delimiter=" ")


def case_file_same_key(tf):
    return from_file(tf, b"a\nb\na\n")


def case_file_empty(tf):
    return from_file(tf, b"")


def case_file_empty_line(tf):
    return from_file(tf, b"a\n\nb\n")


def case_file_delimiter(tf):
    return from_file(tf, b"a\n", delimiter="ab")


def case_file_line_number_as_string(tf):
    return from_file(tf, b"a\n", -2, -1, values="string", default="x")


def case_file_line_as_number(tf):
    return from_file(tf, b"a\n", -2, -2, default=1)


def case_file_no_lines(tf):
    return from_file(tf, b"a\n", vocab_size=0)


def vocabulary(tf, buckets=3, words=("a", "b"), **options):
    pairs = tf.lookup.KeyValueTensorInitializer(list(words), tf.constant(list(range(len(words))), tf.int64))
    return tf.lookup.StaticVocabularyTable(pairs, buckets, **options)


def case_vocabulary(tf):
    t = vocabulary(tf)
    return Case([t.lookup(tf.constant(["a", "z", "b", "hello"])), t.size(), t.name, t.key_dtype.name, t.value_dtype.name, t.resource_handle.name],
                init=True)


def case_vocabulary_named(tf):
    t = vocabulary(tf, 5, name="words")
    return Case([t.lookup(tf.constant([["a"], ["z"]]), name="n"), t.size("s"), t.name], init=True)


def case_vocabulary_sparse(tf):
    return Case([vocabulary(tf).lookup(tf.SparseTensor([[0], [2]], ["b", "q"], [3]))], init=True)


def case_vocabulary_buckets_only(tf):
    t = tf.lookup.StaticVocabularyTable(None, 3, lookup_key_dtype=tf.string, name="vv")
    return [t.lookup(tf.constant(["a", "z"])), t.size(), t.name, t.initializer]


def case_vocabulary_numbers(tf):
    t = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(i64(tf, 5, 6), i64(tf, 0, 1)), 2, lookup_key_dtype=tf.int32)
    return Case([t.lookup(tf.constant([5, 9, 6, -7])), t.name, t.key_dtype.name], init=True)


def case_vocabulary_file(tf):
    init = tf.lookup.TextFileInitializer(path(b"a\nb\nc\n"), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER,
                                         vocab_size=2)
    t = tf.lookup.StaticVocabularyTable(init, 1)
    return Case([t.lookup(tf.constant(["a", "b", "c"])), t.size()], init=True, graph=False)


def case_vocabulary_refused(tf):
    v, pairs = tf.lookup.StaticVocabularyTable, tf.lookup.KeyValueTensorInitializer
    t = vocabulary(tf)
    return [raises(v, None, 0), raises(v, pairs(["a"], [1]), 1), raises(v, pairs([1.0], i64(tf, 1)), 1), raises(v, None, 1, lookup_key_dtype=tf.float32),
            raises(v, pairs(["a"], i64(tf, 1)), 1, lookup_key_dtype=tf.int64), raises(t.lookup, tf.constant([1])), raises(v, None, -1)]


def case_dense_table(tf):
    t = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$", initial_num_buckets=4)
    k = tf.constant(["a", "b", "c"])
    return Case(runs=[[t.lookup(k), t.size()], t.insert(k, i64(tf, 1, 2, 3)), [t.lookup(k), t.size(), list(t.export())], t.erase(tf.constant(["b"])),
                      [t.lookup(k), t.size()], t.insert_or_assign(["z"], [9]), t.lookup(tf.constant(["z", "b"])), [t.name, t.key_dtype.name]],
                collections=False)


def case_dense_table_matrix(tf):
    return tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$").lookup(tf.constant([["z", "b"]]))


def case_dense_table_vectors(tf):
    t = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, [0.0, 1.0], -1, -2, initial_num_buckets=8, name="dd", checkpoint=False)
    return Case(runs=[t.insert_or_assign(i64(tf, 1, 2), [[1.0, 2.0], [3.0, 4.0]], name="put"), [t.lookup(i64(tf, 2, 7), name="get"), t.size("n")],
                      t.remove(i64(tf, 1), "gone"), t.lookup(i64(tf, 1)), t.export("out")])


def case_dense_table_refused(tf):
    d = tf.lookup.experimental.DenseHashTable
    t = d(tf.string, tf.int64, -1, "", "$")
    return [raises(t.erase, tf.constant([1])), raises(t.insert, tf.constant([1]), [1]), raises(t.lookup, [1]), raises(d, tf.string, tf.int64, "x", "", "$"),
            raises(t.insert, ["a"], ["b"])]


def case_kinds(tf):
    makers = {"HashTableV2": {}, "MutableHashTableV2": {}, "MutableHashTableOfTensorsV2": {"value_shape": [2]}}
    facts = []
    for name in sorted(makers):
        for key in ("string", "int64", "int32"):
            for value in ("bool", "float32", "float64", "int32", "int64", "string", "uint8", "float16"):
                with tf.Graph().as_default(), tf.Session() as session:
                    try:
                        session.run(size(tf, getattr(tf.raw_ops, name)(key_dtype=key, value_dtype=value, **makers[name])))
                    except tf.errors.InvalidArgumentError:
                        continue
                facts.append("%s %s %s" % (name, key, value))
    return facts


def of_text(tf, text, keys, *arguments):
    """What a table that is filled from a file of that text gives for keys."""
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(path(text), *arguments), -1)
        session.run(tf.tables_initializer())
        return session.run(table.lookup(keys)).tolist()


def case_numbers_as_whole_lines(tf):
    keys = tf.int64, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER
    return [of_text(tf, "42\n1\n-1000\n", np.array([1, -1000, 11]), *keys), raises(of_text, tf, "a\n", np.array([1]), *keys)]


def case_columns_that_are_not_there(tf):
    words = np.array(["brain"])
    return [
        says(r"Invalid number of columns in .* line 0 \(0 brain\) : expected 1 got 1", of_text, tf, "0 brain\n", words, tf.string, 0, tf.int64, 1),
        says("expected 3 got 2", of_text, tf, "brain\t0\n", words, tf.string, 0, tf.int64, 3),
        of_text(tf, "brain\t0\n", words, tf.string, 0, tf.int64, 1),
    ]


def case_keys_of_another_shape(tf):
    def looked_up(keys):
        with tf.Graph().as_default(), tf.Session() as session:
            ints = lambda values: tf.constant(values, tf.int64)
            table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, ints(-1), ints([0, 3]), ints([-1, -1]))
            x = tf.placeholder(tf.int64)
            return session.run(table.lookup(x), {x: keys}).tolist()

    wanted = r"Input key shape .* must end with the table's key shape \[2\]"
    return [looked_up([[11, 12]]), says(wanted, looked_up, [[11]]), says(wanted, looked_up, [[1, 2, 3]])]
