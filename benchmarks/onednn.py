"""Convolutions, their gradients and matrix products of ours beside oneDNN's: GFLOP/s, by itself and as a program of ours
uses it, and how many times as fast these are as ours.

    python benchmarks/onednn.py [NAME...] [--threads N] [--rounds N] [--library PATH] [--json FILE]

Needs the extra `ossia-backend-cffi[onednn]`, or the library's path. Images have channels last, all numbers are
float32. oneDNN may choose a layout for the weights: the reordering counts. The two take turns, and the least time of
many counts, that of the processor on one thread; a NAME selects the shapes whose name begins so.
"""
from __future__ import annotations

import argparse
import functools
import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from cffi import FFI

import ossia as tf
from ossia_backend_cffi.passes.onednn import library_path
from ossia_backend_cffi.run import region_program

ffi = FFI()
ffi.cdef("""
typedef struct { int arg; void *memory; } exec_arg;
int dnnl_engine_create(void **engine, int kind, size_t index);
int dnnl_stream_create(void **stream, void *engine, unsigned flags);
int dnnl_memory_desc_create_with_strides(void **md, int ndims, const int64_t *dims, int type, const int64_t *strides);
int dnnl_memory_desc_create_with_tag(void **md, int ndims, const int64_t *dims, int type, int tag);
int dnnl_memory_desc_equal(const void *a, const void *b);
size_t dnnl_memory_desc_get_size(const void *md);
int dnnl_memory_desc_destroy(void *md);
int dnnl_memory_create(void **memory, const void *md, void *engine, void *handle);
int dnnl_memory_destroy(void *memory);
int dnnl_convolution_forward_primitive_desc_create(void **pd, void *engine, int prop, int alg, const void *src,
    const void *weights, const void *bias, const void *dst, const int64_t *strides, const int64_t *dilates,
    const int64_t *before, const int64_t *after, const void *attr);
int dnnl_convolution_backward_data_primitive_desc_create(void **pd, void *engine, int alg, const void *diff_src,
    const void *weights, const void *diff_dst, const int64_t *strides, const int64_t *dilates, const int64_t *before,
    const int64_t *after, const void *hint, const void *attr);
int dnnl_convolution_backward_weights_primitive_desc_create(void **pd, void *engine, int alg, const void *src,
    const void *diff_weights, const void *diff_bias, const void *diff_dst, const int64_t *strides,
    const int64_t *dilates, const int64_t *before, const int64_t *after, const void *hint, const void *attr);
int dnnl_matmul_primitive_desc_create(void **pd, void *engine, const void *src, const void *weights, const void *bias,
    const void *dst, const void *attr);
int dnnl_reorder_primitive_desc_create(void **pd, const void *from, void *from_engine, const void *to, void *to_engine,
    const void *attr);
const void *dnnl_primitive_desc_query_md(const void *pd, int what, int index);
int dnnl_primitive_desc_query(const void *pd, int what, int index, void *result);
int dnnl_primitive_desc_destroy(void *pd);
int dnnl_primitive_create(void **primitive, const void *pd);
int dnnl_primitive_destroy(void *primitive);
int dnnl_primitive_execute(const void *primitive, void *stream, int count, const exec_arg *args);
int dnnl_stream_wait(void *stream);
void omp_set_num_threads(int threads);
""")
_CPU, _IN_ORDER, _F32, _ANY, _FORWARD, _DIRECT = 1, 1, 3, 1, 64, 1
_SRC, _WEIGHTS, _DST, _DIFF_SRC, _DIFF_WEIGHTS, _DIFF_DST = 1, 33, 17, 129, 161, 145
_WEIGHTS_MD, _DIFF_WEIGHTS_MD, _IMPLEMENTATION = 131, 132, 8
_KINDS = ("forward", "to images", "to filter")


class Shape(NamedTuple):
    """A convolution, or a product [m, k] [k, n] if it has no window."""

    name: str
    n: int
    size: tuple[int, int]
    channels: int
    window: tuple[int, int]
    filters: int
    stride: int = 1
    padding: str = "SAME"

    def places(self) -> tuple[list[int], list[int], list[int]]:
        """Height and width of the result, and what is added before and after."""
        if self.padding == "VALID":
            return [(s - w) // self.stride + 1 for s, w in zip(self.size, self.window, strict=True)], [0, 0], [0, 0]
        out = [-(-s // self.stride) for s in self.size]
        added = [max((o - 1) * self.stride + w - s, 0) for o, w, s in zip(out, self.window, self.size, strict=True)]
        return out, [a // 2 for a in added], [a - a // 2 for a in added]

    def flops(self) -> float:
        """Multiplications and additions."""
        if not self.window:
            return 2.0 * self.n * self.channels * self.filters
        (h, w), _, _ = self.places()
        return 2.0 * self.n * h * w * self.channels * self.filters * self.window[0] * self.window[1]


def shapes() -> list[Shape]:
    """What is measured."""
    found = []
    for n in (8, 64):
        found += [Shape("lenet", n, (28, 28), 1, (5, 5), 32), Shape("lenet", n, (14, 14), 32, (5, 5), 64)]
    for n in (1, 4, 32):
        found += [Shape("cifar", n, (32 // s, 32 // s), 16 * s, (3, 3), 16 * s) for s in (1, 2, 4)]
        found += [Shape("cifar", n, (32 // s, 32 // s), 16 * s, (3, 3), 32 * s, 2) for s in (1, 2)]
    for n in (1, 4, 16):
        found.append(Shape("resnet", n, (224, 224), 3, (7, 7), 64, 2))
        for size, c in ((56, 64), (28, 128), (14, 256), (7, 512)):
            found += [
                Shape("resnet", n, (size, size), c, (3, 3), c),
                Shape("resnet", n, (size, size), 4 * c, (1, 1), c),
                Shape("resnet", n, (size, size), c, (1, 1), 4 * c),
            ]
            if size > 7:
                found += [
                    Shape("resnet", n, (size, size), 2 * c, (3, 3), 2 * c, 2),
                    Shape("resnet", n, (size, size), 4 * c, (1, 1), 8 * c, 2),
                ]
    found += [Shape("large", 1, (512, 512), c, (3, 3), d) for c, d in ((3, 32), (32, 32), (64, 64))]
    found += [Shape("large", 2, (256, 256), 64, (5, 5), 64, 2), Shape("valid", 16, (35, 35), 48, (5, 5), 64, 1, "VALID")]
    found += [Shape("wide", 8, (17, 17), 128, (1, 7), 192), Shape("wide", 8, (17, 17), 128, (7, 1), 192)]
    sizes = [(32, 784, 512), (128, 784, 512), (64, 3136, 1024), (256, 256, 256), (512, 512, 512), (1024, 1024, 1024),
             (32, 256, 1024), (1, 1024, 1024), (64, 64, 64), (2048, 128, 64), (16, 4096, 16)]  # fmt: skip
    return found + [Shape("product", m, (), k, (), n) for m, k, n in sizes]


# -- oneDNN ---------------------------------------------------------------------------------------------------------


class OneDnn:
    """The library, through its C interface."""

    def __init__(self, path: str, threads: int) -> None:
        self._lib = ffi.dlopen(path)
        ffi.dlopen("libgomp.so.1").omp_set_num_threads(threads)
        self._engine = self._new(self._lib.dnnl_engine_create, _CPU, 0)
        self._stream = self._new(self._lib.dnnl_stream_create, self._engine, _IN_ORDER)

    @staticmethod
    def _new(make: Callable[..., int], *args: Any) -> Any:
        made = ffi.new("void **")
        status = make(made, *args)
        if status:
            raise RuntimeError(f"oneDNN says {status}")
        return made[0]

    def _dense(self, dims: list[int], order: list[int]) -> Any:
        """The description of an array whose dimensions lie in memory in this order, the last one densely."""
        steps, step = [0] * len(dims), 1
        for at in reversed(order):
            steps[at] = step
            step *= dims[at]
        return self._new(self._lib.dnnl_memory_desc_create_with_strides, len(dims), dims, _F32, steps)

    def _memory(self, md: Any, array: np.ndarray) -> Any:
        return self._new(self._lib.dnnl_memory_create, md, self._engine, ffi.cast("void *", array.ctypes.data))

    def _run(self, steps: list[tuple[Any, list[tuple[int, Any]]]]) -> Callable[[], None]:
        lib, stream = self._lib, self._stream
        calls = []
        for pd, arguments in steps:
            args = ffi.new("exec_arg[]", len(arguments))
            for slot, (arg, memory) in zip(args, arguments, strict=True):
                slot.arg, slot.memory = arg, memory
            calls.append((self._new(lib.dnnl_primitive_create, pd), len(arguments), args))

        def run() -> None:
            for primitive, count, args in calls:
                lib.dnnl_primitive_execute(primitive, stream, count, args)
            lib.dnnl_stream_wait(stream)

        return run

    def _reordered(self, md: Any, wanted: Any, memory: Any, out: bool) -> tuple[Any, list[Any], Any]:
        """(memory in the layout that the primitive wants, what takes it there or back, what must be kept)."""
        lib = self._lib
        if lib.dnnl_memory_desc_equal(md, wanted):
            return memory, [], None
        array = np.zeros(lib.dnnl_memory_desc_get_size(wanted), np.uint8)
        other = self._memory(wanted, array)
        here, there = ((wanted, other), (md, memory)) if out else ((md, memory), (wanted, other))
        pd = self._new(
            lib.dnnl_reorder_primitive_desc_create, here[0], self._engine, there[0], self._engine, ffi.NULL
        )
        return other, [(pd, [(_SRC, here[1]), (_DST, there[1])])], array

    def name(self, pd: Any) -> str:
        """The implementation that the library has chosen."""
        found = ffi.new("char **")
        self._lib.dnnl_primitive_desc_query(pd, _IMPLEMENTATION, 0, found)
        return ffi.string(found[0]).decode()

    def product(self, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[Callable[[], None], str]:
        """What computes `c = a b`, and its implementation."""
        mds = [self._dense(list(x.shape), [0, 1]) for x in (a, b, c)]
        pd = self._new(
            self._lib.dnnl_matmul_primitive_desc_create, self._engine, mds[0], mds[1], ffi.NULL, mds[2], ffi.NULL
        )
        memories = [self._memory(md, x) for md, x in zip(mds, (a, b, c), strict=True)]
        return self._run([(pd, list(zip((_SRC, _WEIGHTS, _DST), memories, strict=True)))]), self.name(pd)

    def convolution(
        self, kind: str, shape: Shape, x: np.ndarray, w: np.ndarray, y: np.ndarray
    ) -> tuple[Callable[[], None], str]:
        """What computes a convolution or a gradient of it in place, and its implementation."""
        lib = self._lib
        images = [self._dense([v.shape[a] for a in (0, 3, 1, 2)], [0, 2, 3, 1]) for v in (x, y)]
        dims = [w.shape[a] for a in (3, 2, 0, 1)]
        plain = self._dense(dims, [2, 3, 1, 0])
        free = self._new(lib.dnnl_memory_desc_create_with_tag, 4, dims, _F32, _ANY)
        _, before, after = shape.places()
        where = [shape.stride] * 2, [0, 0], before, after
        forward = self._new(
            lib.dnnl_convolution_forward_primitive_desc_create,
            self._engine, _FORWARD, _DIRECT, images[0], free, ffi.NULL, images[1], *where, ffi.NULL,
        )  # fmt: skip
        mx, mw, my = (self._memory(md, v) for md, v in ((images[0], x), (plain, w), (images[1], y)))
        if kind == "to filter":
            pd = self._new(
                lib.dnnl_convolution_backward_weights_primitive_desc_create,
                self._engine, _DIRECT, images[0], free, ffi.NULL, images[1], *where, forward, ffi.NULL,
            )  # fmt: skip
            wanted = lib.dnnl_primitive_desc_query_md(pd, _DIFF_WEIGHTS_MD, 0)
            mw, moves, kept = self._reordered(plain, wanted, mw, True)
            run = self._run([(pd, [(_SRC, mx), (_DIFF_DST, my), (_DIFF_WEIGHTS, mw)]), *moves])
        else:
            pd = forward
            if kind == "to images":
                pd = self._new(
                    lib.dnnl_convolution_backward_data_primitive_desc_create,
                    self._engine, _DIRECT, images[0], free, images[1], *where, forward, ffi.NULL,
                )  # fmt: skip
            mw, moves, kept = self._reordered(plain, lib.dnnl_primitive_desc_query_md(pd, _WEIGHTS_MD, 0), mw, False)
            args = [(_SRC, mx), (_DST, my)] if kind == "forward" else [(_DIFF_SRC, mx), (_DIFF_DST, my)]
            run = self._run([*moves, (pd, [*args, (_WEIGHTS, mw)])])

        def keeping() -> None:
            run()
            _ = kept  # the memory that the primitives use

        return keeping, self.name(pd) + (" (reordered)" if moves else "")


# -- ours -----------------------------------------------------------------------------------------------------------


CALLS: list[Callable[[], Any]] = []


class Recorder:
    """Stands for the native module, and keeps its calls."""

    def __init__(self, lib: Any) -> None:
        self._lib = lib

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lib, name)

    def oc_run(self, *args: Any) -> Any:
        """As the native function."""
        CALLS.append(functools.partial(self._lib.oc_run, *args))
        return CALLS[-1]()


class Recorded(region_program.Specialisation):
    """A specialisation whose native calls are kept."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._lib = Recorder(self._lib)


def ours(
    kind: str, shape: Shape, x: np.ndarray, w: np.ndarray, y: np.ndarray, threads: int, choice: str
) -> Callable[[], Any]:
    """What computes the same with one native call, from variables; `choice` says for what programs use oneDNN."""
    os.environ["OSSIA_ONEDNN"] = choice
    with tf.Graph().as_default():
        vx, vw, vy = (tf.Variable(v.copy(), use_resource=True) for v in (x, w, y))
        strides = [1, shape.stride, shape.stride, 1]
        if not shape.window:
            result = tf.matmul(vx, vw)
        elif kind == "forward":
            result = tf.nn.conv2d(vx, vw, strides, shape.padding)
        elif kind == "to images":
            result = tf.nn.conv2d_backprop_input(x.shape, vw, vy, strides, shape.padding)
        else:
            result = tf.nn.conv2d_backprop_filter(vx, w.shape, vy, strides, shape.padding)
        session = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads))
        session.run(tf.global_variables_initializer())
        CALLS.clear()
        session.run(result)
        (call,) = CALLS

        def run() -> Any:
            _ = session  # its arrays
            return call()

        run.result = session.run(result)  # type: ignore[attr-defined]
        return run


# -- measuring ------------------------------------------------------------------------------------------------------


def least(*functions: Callable[[], Any], rounds: int, clock: Callable[[], float]) -> list[float]:
    """The least seconds of each function, which take turns."""
    times = [1e9] * len(functions)
    counts = []
    for fn in functions:
        fn()
        start = clock()
        fn()
        counts.append(max(1, min(50, int(0.004 / max(clock() - start, 1e-7)))))
    for _ in range(rounds):
        for at, (fn, count) in enumerate(zip(functions, counts, strict=True)):
            time.sleep(0.01)  # OpenMP's threads look for work for a while, on a core that the next one needs
            for _ in range(count):
                start = clock()
                fn()
                times[at] = min(times[at], clock() - start)
    return times


def measure(
    library: OneDnn, chosen: list[Shape], threads: int, rounds: int, only: str
) -> Iterator[dict[str, Any]]:
    """One row for each shape and kind."""
    random = np.random.RandomState(0)
    clock = time.process_time if threads == 1 else time.perf_counter
    for shape in chosen:
        if shape.window:
            (h, w), _, _ = shape.places()
            dims = (shape.n, *shape.size, shape.channels), (*shape.window, shape.channels, shape.filters)
            out: tuple[int, ...] = (shape.n, h, w, shape.filters)
        else:
            dims, out = ((shape.n, shape.channels), (shape.channels, shape.filters)), (shape.n, shape.filters)
        x, weights, y = (random.rand(*d).astype("f4") - 0.5 for d in (*dims, out))
        for kind in _KINDS if shape.window else ("product",):
            if only and kind != only:
                continue
            mine, used = (ours(kind, shape, x, weights, y, threads, choice) for choice in ("0", "all"))
            expected = mine.result  # type: ignore[attr-defined]
            arrays = x.copy(), weights.copy(), y.copy()
            theirs, name = library.convolution(kind, shape, *arrays) if shape.window else library.product(*arrays)
            theirs()
            got = arrays[{"forward": 2, "product": 2, "to images": 0, "to filter": 1}[kind]]
            for found in (got, used.result):  # type: ignore[attr-defined]
                np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())
            a, b, c = least(mine, theirs, used, rounds=rounds, clock=clock)
            yield {
                "name": shape.name, "n": shape.n, "size": shape.size, "channels": shape.channels,
                "window": shape.window, "filters": shape.filters, "stride": shape.stride, "kind": kind,
                "threads": threads, "ours": a, "onednn": b, "used": c, "flops": shape.flops(), "implementation": name,
            }  # fmt: skip


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description="Time our kernels beside oneDNN's.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--library", default=None)
    parser.add_argument("--kind", default="", help="only this: forward, to images, to filter")
    parser.add_argument("--json", default=None, help="a file that the rows are added to")
    args = parser.parse_args()
    path = args.library or library_path()
    if path is None:
        parser.error("oneDNN is not installed: pip install 'ossia-backend-cffi[onednn]'")
    region_program.Specialisation = Recorded  # type: ignore[misc]
    chosen = [s for s in shapes() if not args.names or s.name.startswith(tuple(args.names))]
    print(f"{'shape':44}{'kind':11}{'ours':>8}{'oneDNN':>8}{'used':>8} GFLOP/s{'gain':>6}{'used':>6}  implementation")
    for row in measure(OneDnn(path, args.threads), chosen, args.threads, args.rounds, args.kind):
        size = "x".join(map(str, (row["n"], *row["size"], row["channels"])))
        text = f"{row['name']} {size} {'x'.join(map(str, row['window']))} {row['filters']}" + (
            f" /{row['stride']}" if row["stride"] > 1 else ""
        )
        rates = [row["flops"] / row[who] * 1e-9 for who in ("ours", "onednn", "used")]
        print(f"{text:44}{row['kind']:11}{rates[0]:8.1f}{rates[1]:8.1f}{rates[2]:8.1f}{rates[1] / rates[0]:14.2f}{rates[2] / rates[0]:6.2f}"
              f"  {row['implementation']}", flush=True)
        if args.json:
            with open(args.json, "a") as file:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
