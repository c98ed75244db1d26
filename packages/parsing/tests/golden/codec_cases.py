"""Codecs: raw bytes, base64, CSV, compressed strings, JSON examples."""

import gzip as _gzip
import io as _io
import zlib as _zlib

from golden_case import Case, raises


def _gzipped(data):
    out = _io.BytesIO()
    with _gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as file:
        file.write(data)
    return out.getvalue()


def _fed(build, *values):
    """One run of a string op per value."""
    def case(tf):
        x = tf.placeholder(tf.string, name="x")
        return Case(build(tf, x), feeds=[{x: v} for v in values], steps=len(values))
    return case


def case_decode_raw(tf):
    kinds = [tf.float16, tf.float32, tf.float64, tf.int32, tf.uint16, tf.uint8, tf.int16, tf.int8, tf.int64, tf.complex64, tf.bool]
    data = tf.constant([bytes(range(16)), bytes(range(240, 256))])
    out = [tf.decode_raw(data, kind) for kind in kinds if kind is not tf.bool]
    out += [tf.decode_raw(data, kind, little_endian=False) for kind in kinds if kind is not tf.bool]
    out += [tf.decode_raw([b"\x00\x01\x01"], tf.bool), tf.decode_raw(b"ab", tf.uint8), tf.decode_raw([], tf.float32), tf.io.decode_raw([[b""]], tf.int32)]
    out.append(tf.io.decode_raw(bytes=[b"abcd"], out_type=tf.int32, name="named"))
    return Case(out, tolerance=0)


case_decode_raw_lengths = _fed(lambda tf, x: tf.decode_raw(x, tf.uint8), [b"ab", b"a"])
case_decode_raw_odd = _fed(lambda tf, x: tf.decode_raw(x, tf.int32), [b"abc"])


def case_decode_raw_complex128(tf):
    data = tf.constant([b"".join([bytes(range(16)), bytes(range(16, 32))])])
    return Case([tf.decode_raw(data, tf.complex128, little_endian=e) for e in (True, False)], tolerance=0)


def case_decode_padded_raw(tf):
    data = tf.constant([b"abcdefgh", b"xy", b""])
    f = tf.compat.v2.io.decode_raw
    return [f(data, tf.uint8, fixed_length=4), f(tf.constant([b"abcd"]), tf.uint8), f(data, tf.int8, fixed_length=tf.constant(8), name="named")]


case_decode_padded_odd = _fed(lambda tf, x: tf.compat.v2.io.decode_raw(x, tf.int32, fixed_length=6), [b"abc"])
case_decode_padded_zero = _fed(lambda tf, x: tf.compat.v2.io.decode_raw(x, tf.uint8, fixed_length=0), [b"abc"])


def case_base64(tf):
    data = tf.constant([[b"", b"a"], [b"ab", b"abc\xff\xfe"]])
    coded = tf.encode_base64(data)
    padded = tf.io.encode_base64(data, pad=True, name="padded")
    return [coded, padded, tf.decode_base64(coded), tf.decode_base64(padded)]


for _i, _bad in enumerate([b"a", b"ab=c", b"ab$d", b"+/==", b"abcde", b"a===", b"ab==cd==", b"====", b"ab=", b"ab\n=", b"aa_-", b"ab==="]):
    globals()["case_base64_refused_%d" % _i] = _fed(lambda tf, x: tf.decode_base64(x), [_bad])


def case_compressed(tf):
    data = [b"", b"hello " * 50]
    return [tf.decode_compressed(data), tf.decode_compressed([_zlib.compress(d) for d in data], "ZLIB"),
            tf.io.decode_compressed([[_gzipped(d) for d in data]], "GZIP", name="named")]


case_compressed_junk = _fed(lambda tf, x: tf.decode_compressed(x, "ZLIB"), b"junk")
case_compressed_other = _fed(lambda tf, x: tf.decode_compressed(x, "GZIP"), _zlib.compress(b"abc"))
case_compressed_short = _fed(lambda tf, x: tf.decode_compressed(x, "ZLIB"), _zlib.compress(b"abcdefgh" * 30)[:-6])
case_compressed_kind = _fed(lambda tf, x: tf.decode_compressed(x, "LZ4"), b"abc")


def case_csv(tf):
    records = tf.constant(['1,2.5,a', '"3",4e1,"b,""c"', '5,,', ' 7 , 8 ,x y'])
    a = tf.decode_csv(records, [[0], [1.5], [""]])
    b = tf.io.decode_csv(["1|x|3"], [tf.constant([], tf.int64), tf.constant([], tf.string), tf.constant([1.0], tf.float64)], field_delim="|", name="named")
    c = tf.decode_csv(["1,NA,3", "NA,2,x"], [[7], [8.0], ["z"]], na_value="NA")
    d = tf.decode_csv(["1,2,3,4"], [[0], [0]], select_cols=[1, 3])
    e = tf.decode_csv(['a"b,"c'], [["0"], ["0"]], use_quote_delim=False)
    f = tf.decode_csv("1,2", [[0], [0]])
    g = tf.decode_csv([["1,2"], ["3,4"]], [[0], [0]])
    return [a, b, c, d, e, f, g]


_CSV = {
    "few": ["1,2"], "many": ["1,2,3,4"], "int": ["x,2,c"], "float": ["1,x,c"], "quote": ['1,2,"c'], "late quote": ['1,2,a"b'], "after": ['1,2,"a"b'],
    "big": ["3000000000,1,c"], "required": ["1,,c"], "newline": ["1,2,a\nb"], "cr": ["1,2,a\rb"], "minus": ["-5,-.5,c"], "plus": ["+5,+5,c"],
    "spaces": ["1 2,3,c"], "hex": ["0x10,0x10,c"], "nan": ["1,nan,inf"], "empty": [""], "quoted newline": ['1,2,"a\nb"'], "trailing": ["1,2,c\n"],
}
for _i, _text in enumerate(["0x10", "+5", "inf", "-INF", "nan", "1e400", "1_0", " 5 ", "5.", ".5", "1e", "infinity", "1e-400", "0x1p3", "--5", "5f", ".", "1e+5", "1d3", "-", "-nan"]):
    globals()["case_csv_number_%d" % _i] = _fed(
        lambda tf, x: tf.decode_csv(x, [tf.constant([], tf.float32)]) + tf.decode_csv(x, [tf.constant([], tf.float64)]), [_text])
for _i, _text in enumerate(["007", "-0", " 12 ", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1.0", "- 5", "", "1e3", "-", "\t5", "5\x00"]):
    globals()["case_csv_integer_%d" % _i] = _fed(lambda tf, x: tf.decode_csv(x, [tf.constant([], tf.int64)]), [_text])
for _name, _records in _CSV.items():
    globals()["case_csv_" + _name.replace(" ", "_")] = _fed(
        lambda tf, x: tf.decode_csv(x, [[0], tf.constant([], tf.float32), [""]]), _records)


def case_csv_refused(tf):
    d = tf.decode_csv
    return [raises(d, ["1"], []), raises(d, ["1"], [[1, 2]]), raises(d, ["1"], [[True]]), raises(d, ["1"], [[1]], field_delim=",,"),
            raises(d, ["1"], [[1]], select_cols=[1, 0]), raises(d, ["1"], [[1], [2]], select_cols=[1]), raises(d, ["1"], [[1]], select_cols=[-1]),
            raises(d, [1], [[1]]), raises(d, ["1"], [1]), raises(d, ["1"], [[[1]]])]


case_csv_columns_missing = _fed(lambda tf, x: tf.decode_csv(x, [[0], [0]], select_cols=[1, 3]), ["1,2"])
case_csv_default_missing = _fed(lambda tf, x: tf.decode_csv(x, [tf.zeros([0], tf.int32)]), [""])


def case_json(tf):
    texts = ['{"features": {"feature": {"a": {"int64List": {"value": ["1", "2"]}}}}}', "{}",
             '{"features": {"feature": {"b": {"bytesList": {"value": ["YWI="]}}}}}',
             '{"features": {"feature": {"c": {"floatList": {"value": [1.5, "NaN"]}}}}}']
    binary = tf.decode_json_example(texts), tf.io.decode_json_example(texts[0], name="named")
    wanted = {"a": tf.VarLenFeature(tf.int64), "b": tf.VarLenFeature(tf.string), "c": tf.VarLenFeature(tf.float32)}
    return [tf.parse_example(binary[0], wanted), tf.shape(binary[1])]


for _i, _bad in enumerate(["", "{", '{"features": 3}', '{"unknown": 3}', "[]", "null", '{"features": {"feature": {"a": {"int64List": {"value": ["x"]}}}}}']):
    globals()["case_json_refused_%d" % _i] = _fed(lambda tf, x: tf.decode_json_example(x), [_bad])


def case_json_lenient(tf):
    texts = [
        "{'features': {'feature': {}}}", "{features: {feature: {a1_$: {}, $: {}, n: {}, fals: {}}}}", '{"features": {"feature": {},},}',
        "{features : {feature : {a:{int64List:{value:['+1',2.,],},},},},}", "{'features': {'feature': {'a\"b': {}, \"c'd\\qe\\v\": {}}}}",
        '{"features": {"feature": {"a\nb\tc\\x41": {}}}}', "{features: {feature: {'a,]': {}, '\\ud83d\\ude00\\'': {}}}}\v",
        "{features: {feature: {a:{floatList:{value:[1.e5,-1.,-.5,'0x1p3','1.','+1']}}}}}",
        "{features: {feature: {a:{bytesList:{value:['_w','_w==','/w','//8=','__8','']}}}}}",
    ]
    return [tf.io.decode_json_example(text) for text in texts]


for _i, _bad in enumerate([
    "{1a: {}}", "{nullx: {}}", "{true: {}}", "{a-b: {}}", "{,}", '{"features": {},,}', "{'features\": {}}", "{features:,}", "{'a\\", "['a']",
    "{features: {feature: {'\\ud83d': {}}}}", "{features: {feature: {a:{floatList:{value:[' 1']}}}}}",
    *["{features: {feature: {a:{bytesList:{value:['%s']}}}}}" % text for text in ("_-==", "AB==", "AA=", "AAAA=", "AAB", "+_8=", "A")],
]):
    globals()["case_json_strange_%d" % _i] = _fed(lambda tf, x: tf.decode_json_example(x), [_bad])
