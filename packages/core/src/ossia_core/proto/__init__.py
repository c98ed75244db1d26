"""Message classes of TensorFlow's wire formats, made when they are first asked for.

`from ossia_core.proto import NodeDef` gives a class; `import ossia_core.proto` alone does not import protobuf. The
messages are defined in `ossia/*.proto` beside this module, under a package and file names of our own, so that they live
beside TensorFlow's in one process. `descriptors.zlib` is their compiled form, written by `tools/compile_protos.py`;
classes are made from it at run time, which works with every protobuf runtime from 5 on.
"""

from __future__ import annotations

import threading
import zlib
from pathlib import Path
from typing import Any

from ossia_core.forks import renewed

PACKAGE = "ossia"

# Which messages are public, and under which names.
PUBLIC = {
    "AttrValue": ["AttrValue"],
    "NameAttrList": ["NameAttrList"],
    "NodeDef": ["NodeDef"],
    "GraphDef": ["GraphDef"],
    "ConfigProto": ["ConfigProto"],
    "GPUOptions": ["GPUOptions"],
    "GraphOptions": ["GraphOptions"],
    "OptimizerOptions": ["OptimizerOptions"],
    "RunOptions": ["RunOptions"],
    "RunMetadata": ["RunMetadata"],
    "MetaGraphDef": ["MetaGraphDef"],
    "TensorInfo": ["TensorInfo"],
    "HistogramProto": ["HistogramProto"],
    "Summary": ["Summary", "summary.Summary"],
    "SummaryMetadata": ["SummaryMetadata"],
    "SummaryDescription": ["summary.SummaryDescription"],
    "Event": ["Event", "summary.Event"],
    "LogMessage": ["LogMessage"],
    "SessionLog": ["SessionLog", "summary.SessionLog"],
    "TaggedRunMetadata": ["summary.TaggedRunMetadata"],
    "BytesList": ["train.BytesList", "compat.v2.train.BytesList"],
    "FloatList": ["train.FloatList", "compat.v2.train.FloatList"],
    "Int64List": ["train.Int64List", "compat.v2.train.Int64List"],
    "Feature": ["train.Feature", "compat.v2.train.Feature"],
    "Features": ["train.Features", "compat.v2.train.Features"],
    "FeatureList": ["train.FeatureList", "compat.v2.train.FeatureList"],
    "FeatureLists": ["train.FeatureLists", "compat.v2.train.FeatureLists"],
    "Example": ["train.Example", "compat.v2.train.Example"],
    "SequenceExample": ["train.SequenceExample", "compat.v2.train.SequenceExample"],
    "ClusterDef": ["train.ClusterDef", "compat.v2.train.ClusterDef"],
    "JobDef": ["train.JobDef", "compat.v2.train.JobDef"],
    "ServerDef": ["train.ServerDef", "compat.v2.train.ServerDef"],
    "SaverDef": ["train.SaverDef"],
    "QueueRunnerDef": ["train.QueueRunnerDef"],
    "AdviceProto": ["profiler.AdviceProto"],
    "GraphNodeProto": ["profiler.GraphNodeProto"],
    "MultiGraphNodeProto": ["profiler.MultiGraphNodeProto"],
    "OpLogProto": ["profiler.OpLogProto"],
}

_lock = renewed(threading.Lock())
_pool: Any = None


def pool() -> Any:
    """The descriptor pool that holds every message; made at the first call."""
    global _pool
    if _pool is None:
        with _lock:
            if _pool is None:
                _pool = _load()
    return _pool


def _load() -> Any:
    from google.protobuf import any_pb2, descriptor_pool, wrappers_pb2

    loaded = descriptor_pool.DescriptorPool()
    for well_known in (any_pb2, wrappers_pb2):
        loaded.AddSerializedFile(well_known.DESCRIPTOR.serialized_pb)
    for file in _compiled().file:
        loaded.AddSerializedFile(file.SerializeToString())
    return loaded


def _compiled() -> Any:
    """The FileDescriptorSet of all messages and enums."""
    from google.protobuf import descriptor_pb2

    data = Path(__file__).with_name("descriptors.zlib").read_bytes()
    return descriptor_pb2.FileDescriptorSet.FromString(zlib.decompress(data))


def __getattr__(name: str) -> Any:
    if name.startswith("_") or not name[:1].isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    full_name = f"{PACKAGE}.{name}"
    made = _message(full_name) or _enum(full_name)
    if made is None:
        raise AttributeError(f"module {__name__!r} has no message or enum {name!r}")
    return globals().setdefault(name, made)


def _message(full_name: str) -> Any:
    from google.protobuf import message_factory

    try:
        made = message_factory.GetMessageClass(pool().FindMessageTypeByName(full_name))
    except KeyError:
        return None
    made.__module__ = __name__  # where pickle and help() look for it
    return made


def _enum(full_name: str) -> Any:
    from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

    try:
        return EnumTypeWrapper(pool().FindEnumTypeByName(full_name))
    except KeyError:
        return None


def __dir__() -> list[str]:
    declared = {item.name for file in _compiled().file for item in (*file.message_type, *file.enum_type)}
    return sorted(declared | {"PACKAGE", "PUBLIC", "pool"})
