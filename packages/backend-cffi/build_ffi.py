"""How the native module is built: cffi in API mode, limited to the stable ABI, every C file in one extension."""
import os
import platform
import sys
from pathlib import Path

from cffi import FFI

sys.path.insert(0, str(Path(__file__).parent))
import instruction_schema

# The clones for AVX-512 use its whole registers; without it the option says nothing.
_OPTIONS = ["-mprefer-vector-width=512"] if platform.machine() in ("x86_64", "AMD64") else []
# Python's own flags ask for symbols to debug with, four fifths of the module's size; who sets flags decides.
_DEBUGGING = [] if "CFLAGS" in os.environ or sys.platform == "win32" else ["-g0"]
_SOURCES = Path(__file__).parent / "src" / "ossia_backend_cffi" / "c"

instruction_schema.write()
ffi = FFI()
# Declarations that C files include and cffi reads, which knows no preprocessor.
_DECLARED = "".join((_SOURCES / name).read_text() for name in ("arrays/direct.h",))
ffi.cdef(_DECLARED)
ffi.cdef("""
typedef struct { ...; } oc_instr;
int64_t oc_run(const oc_instr *instructions, int64_t count, char **buffers, const int32_t *code, char *scratch,
               int threads, int flush);
const char *oc_schema(void);
typedef struct oc_stack { char *data; int64_t count; int64_t used; int64_t capacity; } oc_stack;
int64_t oc_run_controlled(const oc_instr *instructions, int64_t count, char **buffers, const int32_t *code,
                          char *scratch, int threads, int flush, oc_stack *stacks, int64_t stack_count,
                          void *run, int64_t stack_bytes);
void oc_free_stacks(oc_stack *stacks, int64_t count);
extern "Python+C" int oc_poll(void *run);
extern "Python+C" int oc_call(void *run, int64_t number, char **buffers);
typedef struct oc_dnn oc_dnn;
int oc_dnn_open(const char *path);
oc_dnn *oc_dnn_make(int kind, const oc_instr *in, int64_t blocks, int64_t bands);
void oc_dnn_free(oc_dnn *made);
int64_t oc_dnn_scratch(const oc_dnn *made);
""")
ffi.set_source(
    "ossia_backend_cffi._native",
    """
#include "program/control.h"
#include "arrays/direct.h"
#include "products/onednn.h"
int64_t oc_run(const oc_instr *instructions, int64_t count, char **buffers, const int32_t *code, char *scratch,
               int threads, int flush);
const char *oc_schema(void);
""",
    sources=[str(path.relative_to(Path(__file__).parent)) for path in sorted(_SOURCES.rglob("*.c"))],
    include_dirs=[str(_SOURCES)],
    depends=[str(path.relative_to(Path(__file__).parent)) for path in sorted(_SOURCES.rglob("*.h"))],
    libraries=["m", "dl"] if sys.platform == "linux" else ["m"],
    extra_compile_args=["-std=gnu11", "-O3", "-fno-math-errno", "-fno-trapping-math", *_OPTIONS, *_DEBUGGING],
    extra_link_args=[] if sys.platform == "win32" else ["-pthread"],
)
