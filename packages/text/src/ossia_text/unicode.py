"""Scripts of code points, and strings in another encoding."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_text.unicode_scripts import CODE_POINTS, scripts
from ossia_text.unicode_text import Treatment, codec_of, transcoded

_TEXT = np.array(["aé".encode(), b"", b"x\xffy", "€𐀀".encode()], object)

unicode_script_op = op("UnicodeScript(input: int32) -> output: int32")
unicode_script_op.shape(unchanged)


@unicode_script_op.kernel
def _(input):
    inside = (input >= 0) & (input < CODE_POINTS)
    return np.where(inside, scripts()[np.where(inside, input, 0)].astype(np.int32), np.int32(-1))


unicode_script_op.samples(mixed=(np.array([97, 945, 0x4E00, -1, CODE_POINTS], np.int32),))


@public("strings.unicode_script", "compat.v2.strings.unicode_script")
@dispatches
def unicode_script(input: Any, name: str | None = None) -> Tensor:
    """The numbers of the scripts of code points, as the International Components for Unicode number scripts.

    Args:
      input: int32 code points of any shape.
      name: name of the result.

    Returns:
      An int32 tensor; -1 for what is no code point.
    """
    return unicode_script_op(input, name=name)


unicode_transcode_op = op(
    "UnicodeTranscode(input: string) -> output: string",
    input_encoding="string", output_encoding="{'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}",
    errors="{'strict', 'replace', 'ignore'} = 'replace'", replacement_char="int32 = 65533",
    replace_control_characters="bool = false",
)
unicode_transcode_op.shape(unchanged)


@unicode_transcode_op.kernel
def _(input, *, input_encoding, output_encoding, errors, replacement_char, replace_control_characters):
    treatment, codec = Treatment(errors, replacement_char, replace_control_characters), codec_of(input_encoding)
    out = np.empty(input.shape, object)
    flat = out.reshape(-1)
    for i, text in enumerate(input.reshape(-1)):
        flat[i] = transcoded(text, codec, output_encoding, treatment)
    return out


unicode_transcode_op.samples(
    wide=sample(_TEXT, input_encoding="UTF-8", output_encoding="UTF-16-BE"),
    ignore=sample(_TEXT, input_encoding="UTF-8", output_encoding="UTF-8", errors="ignore"),
)


@public("strings.unicode_transcode", "compat.v2.strings.unicode_transcode")
def unicode_transcode(
    input: Any, input_encoding: str, output_encoding: str, errors: str = "replace", replacement_char: int = 65533,
    replace_control_characters: bool = False, name: str | None = None,
) -> Tensor:
    """Strings in another encoding.

    Args:
      input: strings of any shape.
      input_encoding: their encoding.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what becomes of malformed bytes: "replace", "ignore" or "strict".
      replacement_char: the code point that stands for them with "replace".
      replace_control_characters: whether the characters up to U+001F count as malformed.
      name: name of the result.

    Raises:
      InvalidArgumentError: in a run, malformed bytes with "strict", or an unknown encoding.
    """
    return unicode_transcode_op(
        input, input_encoding=input_encoding, output_encoding=output_encoding, errors=errors,
        replacement_char=replacement_char, replace_control_characters=replace_control_characters, name=name,
    )
