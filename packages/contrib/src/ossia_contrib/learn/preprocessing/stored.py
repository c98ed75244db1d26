"""Files of `VocabularyProcessor`. TensorFlow 1.15 pickles it; these are read as data, and nothing in them is called."""

from __future__ import annotations

import pickletools
import struct
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ossia_contrib.learn.preprocessing.vocabulary import CategoricalVocabulary

_FOLDER = "tensorflow.contrib.learn.python.learn.preprocessing"
_PROCESSOR = f"{_FOLDER}.text VocabularyProcessor"
_VOCABULARY = f"{_FOLDER}.categorical_vocabulary CategoricalVocabulary"
_TOKENIZER = f"{_FOLDER}.text tokenizer"
_MARK = object()


class _Name(str):
    """The name of a class or a function."""


def read(content: bytes, processor: type, tokenizer: Callable) -> Any:
    """The processor in a file.

    Args:
      content: what the file holds.
      processor: the class.
      tokenizer: the function that finds words by default.

    Raises:
      ValueError: the file holds something else.
    """
    try:
        value = _value(content, {_PROCESSOR: processor, _VOCABULARY: CategoricalVocabulary, _TOKENIZER: tokenizer})
    except (IndexError, KeyError, AttributeError, TypeError, struct.error, UnicodeDecodeError, OverflowError) as error:
        raise ValueError(f"This is no VocabularyProcessor: {error!r}") from error
    if not isinstance(value, processor):
        raise ValueError(f"This is no VocabularyProcessor, but {type(value).__name__}")
    return value


def _value(content: bytes, known: Mapping[str, Any]) -> Any:
    """What a pickle of plain values and of the classes known here stands for."""
    stack: list[Any] = []
    memo: dict[int, Any] = {}

    def since_mark() -> list[Any]:
        place = max(index for index, item in enumerate(stack) if item is _MARK)
        items = stack[place + 1 :]
        del stack[place:]
        return items

    argument: Any
    for opcode, argument, _ in pickletools.genops(content):
        name = opcode.name
        if name in _CONSTANTS:
            stack.append(_CONSTANTS[name]())
        elif name in ("PROTO", "FRAME"):
            pass
        elif name.endswith("PUT") or name == "MEMOIZE":
            memo[len(memo) if argument is None else int(argument)] = stack[-1]
        elif name.endswith("GET"):
            stack.append(memo[int(argument)])
        elif name == "GLOBAL":
            stack.append(_Name(argument))
        elif name == "STACK_GLOBAL":
            member, module = stack.pop(), stack.pop()
            stack.append(_Name(f"{module} {member}"))
        elif name in ("SETITEM", "SETITEMS"):
            items = since_mark() if name == "SETITEMS" else [stack.pop(-2), stack.pop()]
            stack[-1].update(zip(items[::2], items[1::2]))
        elif name in ("APPEND", "APPENDS"):
            items = since_mark() if name == "APPENDS" else [stack.pop()]
            stack[-1].extend(items)
        elif name == "TUPLE":
            stack.append(tuple(since_mark()))
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            size = int(name[-1])
            items = stack[-size:]
            del stack[-size:]
            stack.append(tuple(items))
        elif name in ("NEWOBJ", "REDUCE"):
            arguments, made = stack.pop(), stack.pop()
            stack.append(_made(made, arguments, known))
        elif name == "BUILD":
            state = stack.pop()
            vars(stack[-1]).update({key: _function(each, known) for key, each in state.items()})
        elif name == "STOP":
            return stack.pop()
        elif isinstance(argument, (str, int, float)) or argument is None:
            stack.append(argument)
        else:
            raise ValueError(f"A VocabularyProcessor holds no {name}")
    raise ValueError("The file ends early")


_CONSTANTS: Mapping[str, Callable[[], Any]] = {
    "MARK": lambda: _MARK, "EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple, "NONE": lambda: None,
    "NEWTRUE": lambda: True, "NEWFALSE": lambda: False,
}


def _made(name: Any, arguments: tuple[Any, ...], known: Mapping[str, Any]) -> Any:
    """What a call stands for: one of the two classes, without a state, or the dictionary of counts."""
    if isinstance(name, _Name) and name.endswith(" _reconstructor") and arguments:
        name = arguments[0]
    if name in (_PROCESSOR, _VOCABULARY):
        return object.__new__(known[name])
    if name == "collections defaultdict":
        return {}
    raise ValueError(f"A VocabularyProcessor holds no {name}")


def _function(value: Any, known: Mapping[str, Any]) -> Any:
    """The function of a name: the one that comes with this module, or one of the program that runs."""
    if not isinstance(value, _Name):
        return value
    if value == _TOKENIZER:
        return known[_TOKENIZER]
    module, _, name = value.partition(" ")
    found = getattr(sys.modules.get("__main__"), name, None) if module == "__main__" else None
    if not callable(found):
        raise ValueError(f"The function {name} of {module} finds the words, and the program that runs does not have it")
    return found


def written(processor: Any, tokenizer: Callable) -> bytes:
    """The content of a file.

    Args:
      processor: the processor.
      tokenizer: the function that finds words by default.

    Raises:
      ValueError: the function that finds words has no name in a module, or words are neither text nor numbers.
    """
    vocabulary = dict(vars(processor.vocabulary_))
    state = {
        "max_document_length": processor.max_document_length,
        "min_frequency": processor.min_frequency,
        "vocabulary_": None,
        "_tokenizer": _Name(_TOKENIZER) if processor._tokenizer is tokenizer else _name_of(processor._tokenizer),
    }
    parts = [b"\x80\x02", _of_object(_PROCESSOR), b"}("]
    for key, value in state.items():
        held = _of_object(_VOCABULARY) + _of(vocabulary) + b"b" if key == "vocabulary_" else _of(value)
        parts += [_of(key), held]
    return b"".join([*parts, b"ub."])


def _of_object(name: str) -> bytes:
    return _of(_Name(name)) + b")\x81"


def _of(value: Any) -> bytes:
    if isinstance(value, _Name):
        return b"c" + "\n".join([*value.split(" "), ""]).encode()
    if isinstance(value, bool):
        return b"\x88" if value else b"\x89"
    if isinstance(value, int):
        return b"I" + str(int(value)).encode() + b"\n"
    if isinstance(value, float):
        return b"G" + struct.pack(">d", value)
    if isinstance(value, str):
        content = value.encode("utf-8", "surrogatepass")
        return b"X" + struct.pack("<I", len(content)) + content
    if isinstance(value, dict):
        return b"}(" + b"".join(_of(key) + _of(each) for key, each in value.items()) + b"u"
    if isinstance(value, list):
        return b"](" + b"".join(map(_of, value)) + b"e"
    raise ValueError(f"A file of a VocabularyProcessor holds text and numbers, no {type(value).__name__}")


def _name_of(function: Any) -> _Name:
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "<")
    if "<" in name or "." in name or getattr(sys.modules.get(module or ""), name, None) is not function:
        raise ValueError(f"{function!r} cannot be saved: it has no name in a module")
    return _Name(f"{module} {name}")
