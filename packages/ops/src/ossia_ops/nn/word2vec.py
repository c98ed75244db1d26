"""Word embeddings from the words around each other, as older graphs have them: a reader of text, and its training.

The text is read in sentences of a fixed length, round and round; a word and one of the words around it are an example.
"""
from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ossia_core import files
from ossia_core.declare.opdef import op, sample, steps
from ossia_core.forks import renewed
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import UNKNOWN_SHAPE

_SENTENCE = 1000  # words
_AHEAD = 3000  # examples that are made at a time; the counts of words and of epochs run ahead with them

skipgram_op = op(
    "Skipgram() -> vocab_word: string, vocab_freq: int32, words_per_epoch: int64, current_epoch: int32, "
    "total_words_processed: int64, examples: int32, labels: int32", filename="string", batch_size="int",
    window_size="int = 5", min_count="int = 5", subsample="float = 0.001", stateful=True,
)

_WHERE_IT_WENT = "Moving word2vec into tensorflow_models/tutorials and deprecating its ops here as a result"
skipgram_op.removed(19, _WHERE_IT_WENT)


@skipgram_op.shape
def _():
    return [UNKNOWN_SHAPE] * 7


class _Reader:
    """The examples of a text, in order.

    Attributes:
      words: the vocabulary: "UNK" for the rare words, then the others, the most frequent first.
      counts: how often they occur.
      length: words of the text.
      epoch: how often the text has been read.
      seen: words for which examples have been made.
    """

    def __init__(self, node: Any) -> None:
        attrs = node.attrs
        self._window = attrs["window_size"]
        path = attrs["filename"].decode()
        with files.file_system(path).open(path, "rb") as file:
            text = file.read().split()
        self.length = len(text)
        if self._window < 1:
            raise InvalidArgumentError(None, node, f"window_size must be positive, not {self._window}")
        if self.length < self._window * 10:
            raise InvalidArgumentError(
                None, node, f"The text file {path} contains too little data: {self.length} words"
            )
        found, first, inverse, counts = np.unique(
            np.array(text, object), return_index=True, return_inverse=True, return_counts=True
        )
        # The most frequent come first, of equally frequent ones those that come first in the text.
        order = np.lexsort((first, -counts))
        order = order[counts[order] >= attrs["min_count"]]
        numbers = np.zeros(len(found), np.int32)
        numbers[order] = np.arange(1, len(order) + 1)
        self._text = numbers[inverse.reshape(-1)]
        self.words = np.array([b"UNK", *found[order]], object)
        rare = self.length - counts[order].sum()
        self.counts = np.concatenate([[rare], counts[order]]).astype(np.int32)
        self._kept = self._probabilities(node) if attrs["subsample"] > 0 else None
        self._random = np.random.default_rng()
        self._lock = renewed(threading.Lock())
        self.epoch, self.seen, self._at = 0, 0, 0
        self._given = 0
        self._rest = np.zeros((0, 3), np.int32)
        self._ahead = self._examples()

    def _probabilities(self, node: Any) -> np.ndarray:
        """How likely each word of the vocabulary is kept: the less, the more frequent it is."""
        share = np.maximum(self.counts, 1) / (node.attrs["subsample"] * self.length)
        kept = np.minimum((np.sqrt(share) + 1) / share, 1)
        if np.sum(kept * self.counts) < self.length * 1e-6:
            raise InvalidArgumentError(None, node, f"subsample {node.attrs['subsample']} leaves nearly no word")
        return kept

    def batch(self, size: int) -> tuple[np.ndarray, np.ndarray, int, int]:
        """The next examples, their labels, the epoch, and the words seen."""
        with self._lock:
            parts = []
            missing = size
            while missing >= len(self._ahead) - self._given:
                # The next examples are made as soon as the last one is given.
                part = self._ahead[self._given:]
                parts.append(part)
                missing -= len(part)
                self._ahead, self._given = self._examples(), 0
            parts.append(self._ahead[self._given:self._given + missing])
            self._given += missing
            found = np.concatenate(parts)
            return found[:, 0], found[:, 1], self.epoch, self.seen

    def _examples(self) -> np.ndarray:
        """As many examples as are made at a time: words, labels, and 1 where a word is the next one."""
        parts, count = [self._rest], len(self._rest)
        while count < _AHEAD:
            part = self._of_sentence()
            parts.append(part)
            count += len(part)
        found = np.concatenate(parts)
        self._rest = found[_AHEAD:]
        self.seen += int(found[:_AHEAD, 2].sum())
        return found[:_AHEAD]

    def _of_sentence(self) -> np.ndarray:
        sentence = self._sentence()
        places = np.arange(_SENTENCE)
        reach = self._random.integers(1, self._window + 1, _SENTENCE)
        offsets = np.concatenate([np.arange(-self._window, 0), np.arange(1, self._window + 1)])
        around = places[:, np.newaxis] + offsets
        used = (np.abs(offsets) <= reach[:, np.newaxis]) & (around >= 0) & (around < _SENTENCE)
        place, which = np.nonzero(used)
        following = np.diff(place, prepend=-1)
        return np.stack([sentence[place], sentence[around[place, which]], following], 1)

    def _sentence(self) -> np.ndarray:
        """The next words of the text; frequent ones are left out now and then."""
        parts, count = [], 0
        while count < _SENTENCE:
            indices = self._at + np.arange(_SENTENCE - count)
            self.epoch += int(indices[-1] // self.length)
            words = self._text[indices % self.length]
            self._at = int(indices[-1] % self.length) + 1
            if self._kept is not None:
                words = words[self._random.random(len(words)) <= self._kept[words]]
            parts.append(words)
            count += len(words)
        return np.concatenate(parts)


@skipgram_op.kernel
def _(*, node, context, batch_size):
    if batch_size < 0:
        raise InvalidArgumentError(None, node, f"batch_size must not be negative, not {batch_size}")
    sizes.allocatable((batch_size, 3), 4)
    reader = context.session_state.node_state(node.name, lambda: _Reader(node))
    examples, labels, epoch, seen = reader.batch(batch_size)
    return (reader.words, reader.counts, np.int64(reader.length), np.int32(epoch), np.int64(seen), examples, labels)


_TEXT = b"the quick brown fox the dog\njumped over the lazy dog  the\tend the quick a b c d e f g h i j k l m n o p\n"


def _reading(file: str = "text", **attrs: Any) -> Any:
    options = {"batch_size": 4, "window_size": 1, "min_count": 2, "subsample": 0.0, **attrs}

    def story() -> Any:
        found = skipgram_op(filename=file, **options)
        # Words of the same frequency stand in any order.
        yield [found.vocab_freq, found.words_per_epoch, found.current_epoch, found.total_words_processed]

    return steps(story, files={"text": _TEXT})


skipgram_op.samples(
    plain=_reading(),
    rare=_reading(min_count=100),
    none=_reading(batch_size=0),
    refused_missing=_reading("nowhere"),
    refused_short=_reading(window_size=6),
)


neg_train_op = op(
    "NegTrain(w_in: Ref(float), w_out: Ref(float), examples: int32, labels: int32, lr: float)",
    vocab_count="list(int)", num_negative_samples="int", stateful=True,
)
neg_train_op.changes("w_in", "w_out")

neg_train_op.removed(19, _WHERE_IT_WENT)


@neg_train_op.shape
def _(w_in, w_out, examples, labels, lr):
    return ()


def _sigmoid(x: Any) -> Any:
    return np.float32(1) / (np.float32(1) + np.exp(-x))


@neg_train_op.kernel
def _(w_in, w_out, examples, labels, lr, *, vocab_count, num_negative_samples):
    if np.ndim(lr):
        raise InvalidArgumentError(None, None, "Must be a scalar")
    if examples.ndim != 1:
        raise InvalidArgumentError(None, None, "Must be a vector")
    if examples.shape != labels.shape:
        raise InvalidArgumentError(None, None, "examples.shape == labels.shape")
    weights = np.array(vocab_count, np.float64)
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise InvalidArgumentError(None, None, "vocab_count must not be negative")
    samples = max(0, num_negative_samples)
    sizes.allocatable((len(examples), samples), 8)
    with w_in.lock, w_out.lock:
        inner, outer = w_in.read(), w_out.read()
        if inner.ndim != 2:
            raise InvalidArgumentError(None, None, "Must be a matrix")
        if inner.shape != outer.shape:
            raise InvalidArgumentError(None, None, "w_in.shape == w_out.shape")
        if len(weights) != len(inner):
            raise InvalidArgumentError(None, None, f"vocab_size mismatches: {len(inner)} vs. {len(weights)}")
        for name, words in {"examples": examples, "labels": labels}.items():
            if ((words < 0) | (words >= len(inner))).any():
                raise InvalidArgumentError(None, None, f"{name} must be in [0, {len(inner)})")
        weights **= 0.75
        if samples and len(examples) and not weights.sum():
            raise InvalidArgumentError(None, None, "vocab_count has no word to be sampled")
        drawn = np.random.default_rng().choice(
            len(inner), (len(examples), samples), p=weights / weights.sum()
        ) if samples and len(examples) else np.zeros((len(examples), 0), np.int64)
        _train(inner, outer, examples.tolist(), labels.tolist(), drawn, np.float32(lr))
    return ()


def _train(inner: Any, outer: Any, examples: Any, labels: Any, drawn: Any, rate: Any) -> None:
    # Each example learns from what those before it have changed.
    with np.errstate(all="ignore"):
        for example, label, others in zip(examples, labels, drawn, strict=True):
            vector = inner[example]
            step = rate * _sigmoid(-(vector @ outer[label]))
            change = step * outer[label]
            outer[label] += step * vector
            for other in others[others != label].tolist():
                step = -rate * _sigmoid(vector @ outer[other])
                change += step * outer[other]
                outer[other] += step * vector
            inner[example] = vector + change


_IN, _OUT = (np.arange(8, dtype=np.float32).reshape(4, 2) / n for n in (10, 20))
_PAIRS, _LABELS, _RATE = np.array([0, 1, 1], np.int32), np.array([2, 3, 0], np.int32), np.float32(0.5)
_ALL: dict[str, Any] = {"vocab_count": [1, 2, 3, 4], "num_negative_samples": 0}
neg_train_op.samples(
    plain=sample(_IN, _OUT, _PAIRS, _LABELS, _RATE, **_ALL),
    one_other=sample(_IN, _OUT, _PAIRS, _LABELS, _RATE, vocab_count=[0, 0, 0, 1], num_negative_samples=2),
    empty=sample(_IN, _OUT, _PAIRS[:0], _LABELS[:0], _RATE, **_ALL),
    refused_rate=sample(_IN, _OUT, _PAIRS, _LABELS, [_RATE], **_ALL),
    refused_rank=sample(_IN, _OUT, [_PAIRS], [_LABELS], _RATE, **_ALL),
    refused_lengths=sample(_IN, _OUT, _PAIRS, _LABELS[:1], _RATE, **_ALL),
    refused_shapes=sample(_IN, _OUT[:, :1], _PAIRS, _LABELS, _RATE, **_ALL),
    refused_vocabulary=sample(_IN, _OUT, _PAIRS, _LABELS, _RATE, vocab_count=[1], num_negative_samples=1),
    refused_huge=sample(_IN, _OUT, _PAIRS, _LABELS, _RATE, vocab_count=[1, 1, 1, 1], num_negative_samples=2**62),
)
