"""The sets of element types that many ops allow, in the OpDef notation and order."""

FLOATS = "{bfloat16, half, float, double}"
FLOATS_AND_COMPLEX = "{bfloat16, half, float, double, complex64, complex128}"
SIGNED = "{bfloat16, half, float, double, int32, int64, complex64, complex128}"
ARITHMETIC = "{bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128}"
NUMBERS = (
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
    "complex128, half, uint32, uint64}"
)
REALS = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
INTEGERS = "{int8, int16, int32, int64, uint8, uint16, uint32, uint64}"
INDEX = "{int32, int64}"
INDEX_32 = "{int32, int64} = DT_INT32"
INDEX_64 = "{int32, int64} = DT_INT64"
QUANTIZED = "{qint8, quint8, qint32, qint16, quint16}"
