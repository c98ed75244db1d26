"""Lists of tensors, and sparse tensors in strings and maps, by the functions of private modules."""

import pytest

import ossia as tf
from ossia_tensorflow_paths import renamed
from ossia_tensorflow_paths.python.ops import list_ops as lists
from ossia_tensorflow_paths.python.ops import sparse_ops as sparse
from ossia_tensorflow_paths.python.ops import synonyms


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def value(fetches):
    with tf.Session() as session:
        return session.run(fetches)


def test_lists():
    handle = lists.tensor_list_from_tensor([1.0, 2.0, 3.0], [])
    assert value(lists.tensor_list_get_item(handle, 1, tf.float32)) == 2
    assert value(lists.tensor_list_gather(handle, [2, 0], tf.float32)).tolist() == [3, 1]
    rest, last = lists.tensor_list_pop_back(handle, tf.float32)
    assert value(last) == 3 and value(lists.tensor_list_stack(rest, tf.float32, num_elements=2)).tolist() == [1, 2]
    assert value(lists.tensor_list_stack(lists.tensor_list_set_item(handle, 0, 5.0), tf.float32)).tolist() == [5, 2, 3]
    split = lists.tensor_list_split([1.0, 2.0, 3.0], None, [1, 2])
    assert value(lists.tensor_list_concat(split, tf.float32)).tolist() == [1, 2, 3]
    empty = lists.empty_tensor_list([None], tf.float32, max_num_elements=0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="full list"):
        value(tf.raw_ops.TensorListLength(input_handle=tf.raw_ops.TensorListPushBack(input_handle=empty, tensor=[1.0])))


def test_scattered_lists():
    new = lists.tensor_list_scatter([1.0, 2.0], [1, 0], [])
    assert value(lists.tensor_list_stack(new, tf.float32)).tolist() == [2, 1]
    changed = lists.tensor_list_scatter([7.0], [1], input_handle=new)
    assert value(lists.tensor_list_stack(changed, tf.float32)).tolist() == [2, 7]


def test_lists_that_grow():
    handle = lists.tensor_list_reserve([], 1, tf.float32)
    for index, expected in (0, [4]), (2, [0, 0, 4]):
        grown = lists.tensor_list_set_item(handle, index, 4.0, resize_if_index_out_of_bounds=True)
        assert value(lists.tensor_list_stack(grown, tf.float32, element_shape=[])).tolist() == expected


def test_shapes_of_elements():
    assert lists._build_element_shape(None) == lists._build_element_shape(tf.TensorShape(None)) == -1
    assert lists._build_element_shape(tf.TensorShape([None, 3])) == [-1, 3]
    assert value(lists._build_element_shape([])).shape == (0,)
    known = tf.constant([1])
    assert lists._build_element_shape(known) is known


def test_sparse_tensors_in_maps_and_strings():
    x = tf.SparseTensor([[0, 1]], [5], [1, 2])
    handle = sparse._add_sparse_to_tensors_map(x)
    taken = sparse._take_many_sparse_from_tensors_map(handle.op, tf.expand_dims(handle, 0), rank=3)
    many = sparse._add_many_sparse_to_tensors_map(x)
    again = sparse._take_many_sparse_from_tensors_map(many.op, many)
    assert taken.shape.ndims == 3
    assert value(taken).indices.tolist() == [[0, 0, 1]] and value(again).values.tolist() == [5]
    with pytest.raises(TypeError, match="Operation"):
        sparse._take_many_sparse_from_tensors_map(handle, [1])
    with pytest.raises(ValueError, match="must be one of"):
        sparse._take_many_sparse_from_tensors_map(tf.no_op(), [1])
    back = sparse.deserialize_sparse(tf.io.serialize_sparse(x), tf.int32, rank=2)
    assert back.shape.ndims == 2 and value(back).values.tolist() == [5]
    assert value(sparse.sparse_dense_cwise_add(x, [[1, 2]])).values.tolist() == [7]
    assert value(sparse.string_split_v2(["a b", "c"])).values.tolist() == [b"a", b"b", b"c"]


def test_printing_is_the_public_function():
    assert renamed.public_name("python.ops.logging_ops.print_v2") == "print"


def test_arguments_in_the_order_of_version_2():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert value(synonyms.gather_v2(x, [1], None, 1)).tolist() == [[2], [4]]
    assert value(synonyms.gather_v2(x, [[1], [0]], axis=1, batch_dims=1)).tolist() == [[2], [3]]
    assert value(synonyms.pad_v2(x, [[0, 0], [1, 0]], "CONSTANT", 9)).tolist() == [[9, 1, 2], [9, 3, 4]]
    assert value(synonyms.in_top_k_v2([1, 0], x, 1)).tolist() == [True, False]


def test_refusals():
    scalars = lists.tensor_list_from_tensor([1.0, 2.0], [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least vectors, found scalars instead"):
        value(lists.tensor_list_concat(scalars, tf.float32))
    total = tf.add_n([scalars, lists.tensor_list_from_tensor([1.0], [])])
    with pytest.raises(tf.errors.InvalidArgumentError, match="different lengths. One is 2 and the other is 1"):
        value(tf.raw_ops.TensorListLength(input_handle=total))
    with pytest.raises(ValueError, match="must be equal, but are 3 and 2"):
        tf.raw_ops.TensorListPushBackBatch(input_handles=tf.stack([scalars, scalars]), tensor=[1.0, 2.0, 3.0])
