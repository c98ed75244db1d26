"""Compiles `ossia_core/proto/ossia/*.proto` into `descriptors.zlib`; `--check` fails if that file is not current."""

from __future__ import annotations

import argparse
import sys
import tempfile
import zlib
from pathlib import Path

PROTO = Path(__file__).resolve().parent.parent / "packages/core/src/ossia_core/proto"


def compiled(folder: Path = PROTO) -> bytes:
    """The serialised FileDescriptorSet of all `.proto` files of `folder`, dependencies first, without well-known types.

    Raises:
        RuntimeError: protoc refuses a file; it has printed why.
    """
    import grpc_tools
    from google.protobuf import descriptor_pb2
    from grpc_tools import protoc

    files = sorted(str(path.relative_to(folder)) for path in (folder / "ossia").glob("*.proto"))
    well_known = Path(grpc_tools.__file__).with_name("_proto")
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "set.binpb"
        options = [f"-I{folder}", f"-I{well_known}", "--include_imports", f"--descriptor_set_out={out}"]
        if protoc.main(["protoc", *options, *files]):
            raise RuntimeError("protoc failed")
        everything = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    ours = [file for file in everything.file if not file.name.startswith("google/")]
    return descriptor_pb2.FileDescriptorSet(file=ours).SerializeToString(deterministic=True)


def main() -> int:
    """Writes or checks the compiled form; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    target = PROTO / "descriptors.zlib"
    if parser.parse_args().check:
        return 0 if zlib.decompress(target.read_bytes()) == compiled() else 1
    target.write_bytes(zlib.compress(compiled(), 9))
    return 0


if __name__ == "__main__":
    sys.exit(main())
