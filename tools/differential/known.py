"""Differences that have a reason to stay: what the original does there is wrong, random, or not promised."""

from __future__ import annotations

import re
from typing import Any

# Ops that add up products, or solve by elimination: NaN and infinities that arise on the way are those of one order.
_SUMS = (
    r"\w*Conv\w*|\w*MatMul\w*|Einsum|\w*Dilation2D\w*|GRUBlock\w*|(Block)?LSTM\w*|LRN\w*|AvgPool\w*|\w*FFT\w*|"
    r"(Batch)?(Cholesky\w*|Matrix(Determinant|LogDeterminant|LogarithmDeterminant|Inverse|Solve|SolveLs|TriangularSolve))|"
    r"LogMatrixDeterminant|(Batch)?(SelfAdjointEig|Svd|Qr|Lu)\w*|MatrixSquareRoot|MatrixExponential|MatrixLogarithm|"
    r"TridiagonalSolve|FusedBatchNorm\w*|QuantizedInstanceNorm|(Quantized)?BatchNorm\w*|CTC\w+"
)
_SUMMING_FUNCTIONS = r"linalg\.\w+|nn\.\w+|signal\.\w+|layers\.\w+|losses\.\w+|matmul|tensordot|einsum"
_NOT_FINITE = r"elements differ, first at .*(got \S*\(.*(inf|nan)|expected \S*\(.*(inf|nan))"

# What is called, as a regular expression; what each difference says, as another; why it stays.
TABLE: list[tuple[str, str, str]] = [
    (
        r"raw_ops\.FusedBatchNorm\w*|nn\.fused_batch_norm",
        r"^run \d+: /([1-5]: |\d+: shape)",
        "outputs of batch normalization that nothing uses are not set there, or have other shapes than the static ones",
    ),
    (
        r"raw_ops\.FusedBatchNorm\w*|nn\.fused_batch_norm",
        r"does not have output 1",
        "the original folds it and loses outputs",
    ),
    (
        r"raw_ops\.Fractional\w+Pool|nn\.fractional_\w+_pool",
        r"^(graph|fetch)",
        "static shapes are one too small there",
    ),
    (r"raw_ops\.Fractional\w+PoolGrad", r"", "the original reads beyond sequences that do not fit"),
    (r"raw_ops\.(UniqueV2|UniqueWithCountsV2)", r"^(graph|fetch)", "static shapes are wrong there but for vectors"),
    (r"raw_ops\.ExtractVolumePatches", r"^(graph|fetch)", "the static shape lacks a dimension there"),
    (r"raw_ops\.Matrix(Set)?Diag(Part)?V2", r"", "the original's shapes and gradient take k to be 0"),
    (r"raw_ops\.(SelfAdjointEigV2|Svd)", r"^run \d+: /[12]: shape", "what was not asked for is not set there"),
    (r"raw_ops\.(SelfAdjointEigV2|Svd|Qr)", r"elements differ", "vectors are determined up to a sign or phase"),
    (r"raw_ops\.(Max|Avg)Pool\w*Grad\w*", r"", "the original does not check arrays that are not of one pooling"),
    (r".*", r"[Oo]nly (supports |supported for )?ND?HWC", "NCHW is refused there on a CPU, and done here"),
    (r"nn\.conv\w*", r"dilation rates larger than 1", "no gradient of dilated convolutions there on a CPU"),
    (r"raw_ops\.(Angle|Complex|ComplexAbs|Imag|Real)", r"", "the original takes memory of one type for another"),
    (r"raw_ops\.SparseAdd", r"shape", "the original takes the threshold for another type"),
    (
        r"raw_ops\.\w+Grad|tf\.gradients",
        r"unexpected ValueError at build: (Shapes|Dimension)",
        "the original does not check that gradients have the shape of values",
    ),
    (
        r"raw_ops\.(Empty|Inplace\w+|TensorStridedSliceUpdate)",
        r"",
        "memory that is not set, or shared with constants",
    ),
    (
        r"raw_ops\.Truncate(Div|Mod)|realdiv",
        r"[Dd]ivision by zero|integer div",
        "what is divided by zero is a fault there",
    ),
    (r"raw_ops\.TopKV2|math\.top_k|nn\.top_k", r"^run 0: /[01]", "the order of what is not sorted is not promised"),
    (
        r"(raw_ops\.|math\.)unsorted_segment\w+|raw_ops\.UnsortedSegment\w+|math\.bincount",
        r"NoneType|gradient|^fetch|^fact|unlike the original",
        "the original's gradient needs known ranks",
    ),
    (r"raw_ops\.MatrixSolveLs", r"^fetch 1|^fact", "the original's gradient needs known sizes"),
    (r"raw_ops\.Expm1|math\.expm1", r"complex", "the original's formula leaves the branch of the logarithm"),
    (
        r"(raw_ops\.|quantization\.)(FakeQuant|fake_quant)\w+",
        r"elements differ",
        "the original does not check that ranges are upright",
    ),
    (
        r"raw_ops\.(RaggedGather|RaggedTensorToTensor|RaggedTensorToSparse|StringNGrams|UnicodeEncode|UpperBound|LowerBound)",
        r"",
        "the original does not check row splits or order",
    ),
    (
        r"raw_ops\.Quantize\w+|raw_ops\.Requanti\w+",
        r"elements differ|NaN",
        "ranges that are infinite or upside down",
    ),
    (r"raw_ops\.DecodePaddedRaw", r"elements differ", "the original writes all rows but the first to other places"),
    (
        r"raw_ops\.UnsortedSegment\w+|raw_ops\.ExtractVolumePatches",
        r"^fact",
        "the original's gradient needs known ranks",
    ),
    (r"raw_ops\.FractionalAvgPool|raw_ops\.FractionalMaxPool", r"^fact", "the original's gradient needs known shapes"),
    (
        r"raw_ops\.(Sparse|Resource|ResourceSparse)?Apply(Adagrad|RMSProp|Centered|Adadelta)\w*|"
        r"raw_ops\.ResourceSparseApply\w+",
        _NOT_FINITE,
        "the original's roots of negative numbers are numbers where they are vectorised",
    ),
    (r"raw_ops\.SparseAdd", r"elements differ", "the original takes the threshold for another type"),
    (
        r"raw_ops\.Resource(Sparse)?Apply\w+",
        r"unexpected ValueError at build: Trying to read variable with wrong dtype",
        "the original dies of the wrong dtype when it runs",
    ),
    (
        r"raw_ops\.(Sigmoid|Tanh|Sqrt|Rsqrt|Inv|Reciprocal)(Grad)?",
        r"Shapes must be equal rank|Dimensions must be equal|^fetch 1|^fact 1|shape \[",
        "the original does not check that gradients have the shape of values",
    ),
    (
        r"raw_ops\.Fused(ResizeAnd)?PadConv2D",
        r"elements differ, first at \[[1-9]",
        "the mirrored margins of a fused convolution are right in the first image alone there",
    ),
    (r"raw_ops\.MaxPool", r"not yet supported on the depth dimension", "refused there, and done here"),
    (r"raw_ops\.RandomGamma", r"^run 1: .*elements differ", "the original's slopes lose their digits for large alpha"),
    (
        r".*",
        r"got TypeError \(Second-order gradient for while loops.*expected ValueError \(Cannot use 'while",
        "the second gradient of a loop, refused in other words",
    ),
    (r"raw_ops\.CTCLoss", r"float64\(", "the original adds up in float32"),
    (r"metrics\.\w+", r"^run 0: .*elements differ", "in a loop, reads and updates have no order there"),
    (r"raw_ops\.BlockLSTM", r"elements differ", "what follows the end of a sequence is not set there"),
    (
        r"raw_ops\.(EditDistance|SparseAddGrad)",
        r"elements differ|out of the bounds",
        "the original does not check indices",
    ),
    (r"raw_ops\.Betainc", _NOT_FINITE, "the original loses all digits for large parameters"),
    (r"raw_ops\.AudioSpectrogram", _NOT_FINITE, "what overflows depends on the order of a sum"),
    (
        r"raw_ops\.(SparseSliceGrad)",
        r"expected InternalError",
        "the original's error is an internal one",
    ),
    (r"raw_ops\.(Where)", r"No WhereOp available", "the original has no kernel"),
    (r"linalg\.pinv|raw_ops\.Svd", r"gradient.*NoneType", "the original's gradient needs known sizes"),
    (
        r"raw_ops\.MaxPool3D|nn\.max_pool3d",
        r"^run \d+: /0: .*elements differ",
        "what is nearly the largest counts there",
    ),
    (
        r"(raw_ops|math)\.\w+|cumprod|cumsum|norm|(real|true)?div|divide|reduce_mean",
        r"np\.complex\d+\(.*(inf|nan)|raw_ops\.Log1p",
        "what the parts of a complex infinity are is not promised",
    ),
    (r"raw_ops\.SelfAdjointEigV2", r"decomposition was not successful", "of matrices that are not numbers"),
    (r"raw_ops\.CTCBeamSearch\w*", r"Less leaves", "scores that are not numbers"),
    (
        r"raw_ops\.Quantized\w+",
        r"rank 1|scalars|shape \[1\]|only 0-dimensional",
        "the original takes a range of one element for a scalar",
    ),
    (r"raw_ops\.Prod", r"^(fact|fetch).*(gradient|expected None)", "the original's gradient mixes types of indices"),
    (r"(raw_ops\.|nn\.)CTC\w+|nn\.ctc_\w+", r"elements differ.*np\.(float64|int64)", "the original adds in float32"),
    (r"losses\.\w+|train\.natural_exp_decay", r"elements differ.*np\.float64", "works in float32"),
    (r"losses\.log_loss", r"elements differ", "the original adds its constants to one, which loses digits"),
    (
        r"(raw_ops\.)?(Parallel)?(D|d)ynamic_?(S|s)titch",
        r"elements differ",
        "places that no index names are not set there",
    ),
    (
        r"raw_ops\.I?R?FFT\dD|signal\.i?r?fft\dd",
        r"elements differ.*(\[\d+, 0\]|e[+-]\d\d)",
        "what is padded to nothing is not set there",
    ),
    (r"raw_ops\.DataFormatDimMap", r"elements differ", "dimensions that are not there"),
    (
        r"raw_ops\.FusedPadConv2D",
        r"elements differ, first at \[[1-9]|elements differ.*float16",
        "the original takes the first image for all of a batch",
    ),
    (
        r"raw_ops\.DepthwiseConv2dNative|nn\.(depthwise|separable)_conv2d",
        r"^run \d+: /[01]: .*got \S*\(0\.0\)",
        "the gradient of nothing is not set there",
    ),
    (r"raw_ops\.SdcaOptimizer(V2)?", r"Expected \d+ example weights", "the original does not check sizes"),
    (r"raw_ops\.SdcaOptimizer(V2)?", r"Probabilities are not", "weights that are negative are no probabilities"),
    (
        r"raw_ops\.(Sparse\w*SetOperation|SparseReduce\w+|ResourceScatter\w+)",
        r"out of bounds|updates\.shape|does not index",
        "the original does not check indices and shapes",
    ),
    (r"raw_ops\.RaggedRange", r"^run 0", "the original's sizes overflow"),
    (r"raw_ops\.SparseFillEmptyRows", r"", "the original does not check the number of values"),
    (r"math\.atanh|raw_ops\.Atanh", r"elements differ", "the original's bfloat16 loses all digits"),
    (
        r"raw_ops\.Resource(ScatterNd\w+)|(batch_)?scatter_\w+",
        r"Must have updates.shape",
        "the original takes a vector of indices for a column",
    ),
    (r"ensure_shape", r"Shape must be rank -1", "the original takes an unknown shape for one of rank -1"),
    (r"py_func|numpy_function", r"cannot create weak reference", "functions of NumPy may be called"),
    (
        r"nn\.softmax_cross_entropy\w+",
        r"types \[int32, int64, int32\]",
        "the original's sums of NumPy's integers are longer ones",
    ),
    (r"eye|zeros|ones", r"zeros/shape_as_tensor|ones/shape_as_tensor", "a size that is a boolean"),
    (
        r".*",
        r"ConstantR0WithType|MinPositiveNormalValue|binary complex op|input data type is not supported, DataType",
        "the original has no kernel",
    ),
    (r"einsum|program", r"get_shape", "einsum takes what converts to tensors"),
    (r"program", r"params must be at least 1-D", "the original reads beyond the shape of a scalar"),
    (r"strings\.split|sparse\.reset_shape", r"to_sparse|not subscriptable", "the original fails on its own result"),
    (
        r".*",
        r"expected TypeError at build: (Expected list for|data type not understood|.*must be positive integer values)",
        "sizes may be arrays and Dimensions",
    ),
    (
        r".*",
        r"2 root error\(s\) found|Current libxsmm",
        "the original has no kernel, and its record keeps no reason",
    ),
    (
        r"(nn|metrics|signal|losses)\.\w+|lookup",
        r"expected AttributeError at build: '(list|tuple|numpy\.ndarray)' object has no attribute",
        "what converts to a tensor is taken",
    ),
    (r".*", r"attr value: got .*e\+", "numbers that NumPy writes in another way"),
    (r"raw_ops\.BlockLSTM\w*", r"must have the shape", "the original does not check shapes"),
    (r"raw_ops\.LRNGrad", r"should have the same shape", "the original does not check ranks"),
    (r"gather|raw_ops\.GatherV2", r"should be equal to indices\.shape", "the original reads beyond its parameters"),
    (
        r"raw_ops\.(ExtractVolumePatches|Fractional\w+Pool|MatrixSolveLs)",
        r"^run 1: .*a value, unlike the original",
        "the original's gradient needs known shapes",
    ),
    (r"raw_ops\.SdcaOptimizer(V2)?", r"^run \d+: .*elements differ", "examples are shuffled there without a seed"),
    (r".*", r"expected TypeError \(Expected qu?int\d+, got 0", "ones of quantized types are refused there"),
    (r"(debugging\.)?assert_near", r"bfloat16.*not inexact", "refused there, and done here"),
    (r"repeat", r"'NoneType' object is not subscriptable", "refused there, and done here"),
    (r"foldl|foldr|scan|map_fn", r"Wrong input container", "the original loses arrays of gradients that nothing uses"),
    (
        r"math\.reduce_(variance|std)",
        r"elements differ.*np\.complex",
        "the original's optimizer takes the square of a difference for that of its modulus",
    ),
    (r"raw_ops\.Slice", r"unexpected InvalidArgumentError at run: Expected size", "it does not check constants"),
    (r"raw_ops\.RandomShuffle", r"np\.uint(32|64)", "the original does not keep to the seed for these"),
    (
        r"raw_ops\.(Resource)?ApplyFtrl(V2)?",
        _NOT_FINITE,
        "infinities meet in another way where the original's loops are vectorised",
    ),
    (r"raw_ops\.SparseSegment\w+Grad", r"expected \S*\(nan", "the gradient of nothing is not set there"),
    (r"py_func|numpy_function", r"is float, but expects double", "scalars of NumPy 1 become other types"),
    (r"raw_ops\.(SelfAdjointEigV2|Svd)", r"Invalid reduction dimension", "what was not asked for is not set there"),
    (r"raw_ops\.Prod|.*reduce_prod", r"AddV2.*int32.*int64", "the original's gradient takes no axes of 64 bits"),
    (r"raw_ops\.Bincount", r"arr and weights must be", "the original reads beyond weights that do not fit"),
    (r"raw_ops\.BiasAdd", r"elements differ", "the original writes beyond biases of images without rows"),
    (r".*", r"Tensor::dims\(\) up to 8|Broadcast between .* is not supported yet", "more dimensions than it takes"),
    (r".*", r"codec can't decode byte", "names that are no UTF-8 are refused there while an error is worded"),
    (r".*", r"slow or large: the original refused", "static shapes that no Python program can read there"),
    (r"raw_ops\.AudioSpectrogram", r"Expected height", "the original loses its place between channels"),
    (r"raw_ops\.(LogMatrixDeterminant|MatrixInverse)", r"", "rounding decides whether a matrix is singular"),
    (r"raw_ops\.DepthwiseConv2dNative\w*", r"dilation|strides|positive", "the original does not look at dilations"),
    (
        r"raw_ops\.(Avg|Max)Pool\w*|raw_ops\.Quantized\w+Pool",
        r"Sliding window",
        "windows and strides that are not positive",
    ),
    (r"raw_ops\.Dilation2D\w*", r"positive|Dilation rate|elements differ", "windows and rates of nothing"),
    (r"raw_ops\.Arg(Min|Max)", r"Expected dimension", "the original cuts dimensions to 32 bits"),
    (r"raw_ops\.Quantized\w+|raw_ops\.Requantize\w*", r"end of a range is empty|rank 0", "the original reads beyond"),
    (r"raw_ops\.FusedBatchNorm\w*", r"must be 1-dimensional|same shape", "the original does not check sizes"),
    (r"raw_ops\.LSTMBlockCell\w*", r"must have the shape", "the original does not check shapes"),
    (r"raw_ops\.BlockLSTM\w*", r"^run", "what follows the end of a sequence is not set there"),
    (
        r"raw_ops\.(SparseReshape|SerializeSparse|SparseSparse\w+|SparseSegment\w+Grad|UnsortedSegmentJoin|"
        r"ResourceScatter\w+|TensorSummaryV2|Reverse|Mfcc)",
        r"^unexpected InvalidArgumentError at run",
        "the original does not check indices and shapes",
    ),
    (
        r"raw_ops\.(FixedUnigram|ThreadUnsafe)\w+",
        r"range_max is|elements differ|OOM|allocate",
        "the original does not check classes",
    ),
    (r"raw_ops\.Segment\w+", r"expected InvalidArgumentError at run: segment ids must be", "2**31 rows overflow there"),
    (
        r"raw_ops\.MatrixDeterminant|.*det",
        r"unexpected InvalidArgumentError at run \d: Input is not invertible",
        "products with a constant zero are not computed there",
    ),
    (r"raw_ops\.MatrixSolveLs", r"^run [23]: /2: .*float64", "a gradient in float32 of a strength in float64"),
    (
        r"raw_ops\.(Sigmoid|Tanh|Sqrt|Rsqrt|Inv|Reciprocal)Grad",
        r"Incompatible shapes",
        "the original does not check that gradients have the shape of values",
    ),
    (r"raw_ops\.SdcaOptimizer\w*", r"should be in|dense weights than", "the original does not check indices and sizes"),
    (r"raw_ops\.Substr", r"shape|elements differ", "positions and lengths of other shapes"),
    (r"raw_ops\.UnravelIndex", r"elements differ", "products of dimensions overflow there"),
    (r"raw_ops\.\w+", r"sample_rate must be > 0|lr is not a positive scalar", "denormal numbers are zero there"),
    (
        rf"raw_ops\.({_SUMS})|program|{_SUMMING_FUNCTIONS}",
        _NOT_FINITE,
        "what overflows on the way through a sum of products depends on the order of the sum",
    ),
]


def reason(case: dict[str, Any], found: list[str]) -> str | None:
    """Why a case may differ, if the table has a reason for each difference that was found."""
    name = case.get("call", "program")
    rows = [(text, why) for calls, text, why in TABLE if re.fullmatch(calls, name)]
    reasons = [next((why for text, why in rows if re.search(text, one, re.S)), None) for one in found]
    return None if None in reasons else "; ".join(sorted({str(why) for why in reasons}))
