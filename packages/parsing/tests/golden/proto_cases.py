"""Fields of messages as tensors, and back."""

from golden_case import Case, raises
from google.protobuf import descriptor_pb2

F = descriptor_pb2.FieldDescriptorProto
KINDS = ["double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "bytes", "uint32", "sfixed32", "sfixed64",
         "sint32", "sint64"]


def _descriptors():
    """A message `box.Box` with one optional and one repeated field of every kind, an enumeration and a message in it."""
    file = descriptor_pb2.FileDescriptorProto(name="box.proto", package="box", syntax="proto2")
    box = file.message_type.add(name="Box")
    kind = file.enum_type.add(name="Colour")
    for number, name in enumerate(["RED", "GREEN"]):
        kind.value.add(name=name, number=number)
    for i, kind in enumerate(KINDS):
        number = getattr(F, "TYPE_" + kind.upper())
        box.field.add(name="one_" + kind, number=2 * i + 1, type=number, label=F.LABEL_OPTIONAL)
        box.field.add(name="many_" + kind, number=2 * i + 2, type=number, label=F.LABEL_REPEATED)
    box.field.add(name="colour", number=100, type=F.TYPE_ENUM, type_name=".box.Colour", label=F.LABEL_OPTIONAL)
    box.field.add(name="inner", number=101, type=F.TYPE_MESSAGE, type_name=".box.Box", label=F.LABEL_REPEATED)
    box.field.add(name="packed", number=102, type=F.TYPE_INT32, label=F.LABEL_REPEATED).options.packed = True
    box.field.add(name="seven", number=103, type=F.TYPE_INT32, label=F.LABEL_OPTIONAL, default_value="7")
    return b"bytes://" + descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString()


SOURCE = _descriptors()
TEXTS = [
    "one_double: 1.5 one_float: 2.5 one_int64: -3 one_uint64: 18446744073709551615 one_int32: -5 one_fixed64: 6 one_fixed32: 7 one_bool: true "
    "one_string: 'text' one_bytes: '\\001\\377' one_uint32: 4294967295 one_sfixed32: -8 one_sfixed64: -9 one_sint32: -10 one_sint64: -11 "
    "colour: GREEN inner { one_int32: 4 } inner { } packed: 1 packed: -2",
    "many_double: 1 many_double: 2 many_float: 0.5 many_int64: 1 many_int64: 2 many_int64: 3 many_string: 'a' many_string: '' many_bool: true "
    "many_bool: false many_bytes: 'x' many_uint64: 5 many_int32: -1 many_uint32: 3 many_sint32: -4 many_sint64: 5 many_fixed32: 1 many_fixed64: 2 "
    "many_sfixed32: -1 many_sfixed64: -2",
    "",
]


def _types(tf, prefix):
    types = {"double": tf.float64, "float": tf.float32, "int64": tf.int64, "uint64": tf.uint64, "int32": tf.int32, "fixed64": tf.uint64,
             "fixed32": tf.uint32, "bool": tf.bool, "string": tf.string, "bytes": tf.string, "uint32": tf.uint32, "sfixed32": tf.int32,
             "sfixed64": tf.int64, "sint32": tf.int32, "sint64": tf.int64}
    return [prefix + kind for kind in KINDS], [types[kind] for kind in KINDS]


def _decode(tf, data, fields, types, **more):
    return tf.io.decode_proto(data, "box.Box", fields, types, descriptor_source=SOURCE, **more)


def case_decode(tf):
    more = ["inner", "packed", "seven"], [tf.string, tf.int32, tf.int32]
    return [_decode(tf, TEXTS, *_types(tf, "one_"), message_format="text"), _decode(tf, TEXTS, *_types(tf, "many_"), message_format="text", name="named"),
            _decode(tf, [TEXTS], *more, message_format="text"), _decode(tf, TEXTS[0], ["colour"], [tf.int32], message_format="text")]


def _wider(field, kind):
    def case(tf):
        return Case(_decode(tf, TEXTS, [field], [getattr(tf, kind)], message_format="text"), graph=False)
    return case


for _field, _kinds in (("one_float", ["float64"]), ("one_double", ["float32"]), ("one_int32", ["int64", "uint32"]), ("one_uint32", ["int64", "uint64", "int32"]),
                       ("one_fixed32", ["int64", "uint64", "int32"]), ("one_uint64", ["int64"]), ("one_fixed64", ["int64"]), ("one_sint32", ["int64"]),
                       ("many_sfixed32", ["int64"]), ("one_bool", ["int32"]), ("colour", ["int64"]), ("one_bytes", ["uint8"])):
    for _kind in _kinds:
        globals()["case_%s_as_%s" % (_field, _kind)] = _wider(_field, _kind)


def case_scalar(tf):
    return _decode(tf, TEXTS[1], ["many_int64"], [tf.int64], message_format="text")


def case_binary(tf):
    data = tf.constant([b"\x19\x00", b""][1:] + [b"\x48\x05\xa2\x06\x02\x48\x06"])
    return _decode(tf, data, ["one_int32", "seven"], [tf.int32, tf.int32])


def _encode(tf, sizes, values, fields, **more):
    return tf.io.encode_proto(sizes, values, fields, "box.Box", descriptor_source=SOURCE, **more)


def case_encode(tf):
    fields = ["one_double", "many_int32", "many_string", "packed", "one_bool", "many_sint64", "many_fixed32", "inner", "colour", "many_float"]
    values = [[[1.5], [0.0]], [[1, 2], [-3, 0]], [["a", "b"], ["c", ""]], [[1, 2], [3, 4]], [[True], [False]],
              tf.constant([[-1], [2]], tf.int64), tf.constant([[7], [8]], tf.uint32), [["H\x05".encode()], [b""]], [[1], [0]], [[0.5], [1.5]]]
    values[0] = tf.constant(values[0], tf.float64)
    sizes = [[1, 2, 2, 2, 1, 1, 1, 1, 1, 1], [0, 1, 1, 2, 1, 0, 1, 1, 0, 1]]
    return [_encode(tf, sizes, values, fields), _encode(tf, [[1]], [[[2]]], ["one_int32"], name="named")]


def case_refused(tf):
    return [raises(tf.io.decode_proto, "", "box.Box", ["a"], [], descriptor_source=SOURCE)]


def _hostile(build):
    def case(tf):
        return Case(build(tf), graph=False)
    return case


case_unknown_message = _hostile(lambda tf: tf.io.decode_proto("", "box.Other", ["a"], [tf.int32], descriptor_source=SOURCE).sizes)
case_unknown_field = _hostile(lambda tf: _decode(tf, "", ["other"], [tf.int32]).sizes)
case_wrong_type = _hostile(lambda tf: _decode(tf, "", ["one_string"], [tf.int32]).sizes)
case_narrower = _hostile(lambda tf: _decode(tf, "", ["one_int64"], [tf.int32]).sizes)
case_bad_source = _hostile(lambda tf: tf.io.decode_proto("", "box.Box", [], [], descriptor_source="bytes://\xff").sizes)
case_missing_source = _hostile(lambda tf: tf.io.decode_proto("", "box.Box", [], [], descriptor_source="/nowhere/at/all").sizes)
case_bad_format = _hostile(lambda tf: _decode(tf, "", ["one_int32"], [tf.int32], message_format="json").sizes)
case_junk = _hostile(lambda tf: _decode(tf, b"\xff\xff\xff", ["one_int32"], [tf.int32]).sizes)
case_junk_text = _hostile(lambda tf: _decode(tf, "one_int32: {", ["one_int32"], [tf.int32], message_format="text").sizes)
case_encode_sizes = _hostile(lambda tf: _encode(tf, [[3]], [[[1]]], ["many_int32"]))
case_encode_shapes = _hostile(lambda tf: _encode(tf, [[1], [1]], [[[1]]], ["many_int32"]))
case_encode_unknown = _hostile(lambda tf: _encode(tf, [[1]], [[[1]]], ["other"]))
case_encode_type = _hostile(lambda tf: _encode(tf, [[1]], [[["a"]]], ["one_int32"]))
case_encode_vector = _hostile(lambda tf: _encode(tf, [1], [[1]], ["one_int32"]))
case_encode_columns = _hostile(lambda tf: _encode(tf, [[1, 1]], [[[1]]], ["one_int32"]))
case_encode_many = _hostile(lambda tf: _encode(tf, [[2]], [[[1, 2]]], ["one_int32"]))
