"""Support by a model of entailment: any cross-encoder in ONNX whose folder is given. Nothing is fetched."""

from __future__ import annotations

import json
import threading
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, cast

from pincite.checking.claims import without_markers
from pincite.checking.support import ReasonKind, SupportCheck, SupportReason, unchecked
from pincite.core.errors import InputError, MissingExtraError, ModelFileError
from pincite.core.given import refuse
from pincite.core.text import words
from pincite.core.verdicts import SupportVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_BATCH: Final = 16
"""Pairs of one run of the model."""
_ROLES: Final = {
    "entailment": "entailment",
    "entails": "entailment",
    "entailed": "entailment",
    "supports": "entailment",
    "contradiction": "contradiction",
    "contradicts": "contradiction",
    "refutes": "contradiction",
}
"""What labels are called. Any other is neutral; a model needs no contradiction, but an entailment."""
_INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")


class _Encoding(Protocol):
    ids: list[int]
    attention_mask: list[int]
    type_ids: list[int]


class _Parts(NamedTuple):
    """A model as it runs, how many `labels` it has, and which are entailment and contradiction (-1: none)."""

    session: Any
    tokenizer: Any
    inputs: frozenset[str]
    labels: int
    entailment: int
    contradiction: int


class _Window(NamedTuple):
    """Code points `start` to `end` of a passage: a sentence, or two adjacent ones."""

    passage: int
    start: int
    end: int
    is_single: bool


class NliSupport:
    """The method `nli`: each sentence of the passages, and each two adjacent ones, as the premise of the claim.

    `score` is the probability of entailment that the best of them has. A claim is `contradicted` when no sentence
    bears it out, even in part, and a single one contradicts it. The model decides; what it was trained on, and on
    which languages, is its own. It may be used by several threads at once.
    """

    __slots__ = ("_bars", "_folder", "_lock", "_most", "_parts", "_threads", "_tokenizer", "_tokens")

    def __init__(
        self,
        path: str | Path,
        *,
        tokenizer: str | Path | None = None,
        supported: float = 0.5,
        partial: float = 0.2,
        contradicted: float = 0.7,
        windows: int = 32,
        tokens: int = 512,
        threads: int = 0,
    ) -> None:
        """`path` is a folder with `model.onnx`, `config.json` (its `id2label` names the labels) and `tokenizer.json`.

        `tokenizer` is that file where it lies elsewhere. The bars are probabilities. Of the sentences, the `windows`
        that share most words with the claim are looked at; a pair is cut at `tokens`, in the premise. `threads` work
        on one run (0: the runtime's choice). Nothing is read before the first claim.

        Raises:
            InputError: `path` is no path, or a number is out of range.
        """
        if not isinstance(path, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            refuse(path, "path", "a path")
        self._folder = Path(path)
        self._tokenizer = self._folder / "tokenizer.json" if tokenizer is None else Path(tokenizer)
        for name, bar in (("supported", supported), ("partial", partial), ("contradicted", contradicted)):
            if not isinstance(bar, int | float) or not 0.0 <= bar <= 1.0:  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
                msg = f"`{name}` is a probability, from 0 to 1."
                raise InputError(msg, field=name)
        for name, number, least in (("windows", windows, 1), ("tokens", tokens, 16), ("threads", threads, 0)):
            if not isinstance(number, int) or number < least:  # pyright: ignore[reportUnnecessaryIsInstance] - the same
                msg = f"`{name}` is a whole number, {least} or more."
                raise InputError(msg, field=name)
        self._bars = (supported, partial, contradicted)
        self._most = windows
        self._tokens = tokens
        self._threads = threads
        self._parts: _Parts | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What stands as `method` on its checks."""
        return "nli"

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return the check of one claim against all passages together.

        Raises:
            MissingExtraError: the extra `search` is not installed.
            ModelFileError: the model or one of its files cannot be read, or has no label of entailment.
        """
        parts = self._loaded()
        hypothesis = without_markers(claim)
        # What is cut is the premise; a claim that fills the model by itself would be judged by its first half.
        if len(parts.tokenizer.encode(hypothesis).ids) > self._tokens // 2:
            return unchecked(self.name, "The claim is longer than the model reads beside a sentence.")
        windows = _likeliest(hypothesis, passages, self._most)
        if not windows:
            return unchecked(self.name, "There is no text to look in.")
        premises = [passages[one.passage][one.start : one.end] for one in windows]
        odds = [
            pair
            for at in range(0, len(premises), _BATCH)
            for pair in _probabilities(parts, premises[at : at + _BATCH], hypothesis)
        ]
        supported, partial, contradicted = self._bars
        # The shorter of two that are as good, and the earlier of those.
        best = max(range(len(odds)), key=lambda at: (odds[at][0], windows[at].is_single, -at))
        score = odds[best][0]
        if score >= supported:
            return _checked(SupportVerdict.SUPPORTED, score, windows[best])
        if score >= partial:
            return _checked(SupportVerdict.PARTIAL, score, windows[best], "The model finds it said in part.")
        worst = max(range(len(odds)), key=lambda at: (windows[at].is_single, odds[at][1], -at))
        if odds[worst][1] >= contradicted:
            return _checked(
                SupportVerdict.CONTRADICTED,
                score,
                windows[worst],
                "The model finds that this sentence contradicts it.",
            )
        return _checked(
            SupportVerdict.UNSUPPORTED,
            score,
            windows[best],
            "The model finds it said nowhere in the passages.",
        )

    def _loaded(self) -> _Parts:
        parts = self._parts
        if parts is None:
            with self._lock:
                parts = self._parts
                if parts is None:
                    parts = self._parts = self._load()
        return parts

    def _load(self) -> _Parts:
        runtime, tokenizers = _needed("onnxruntime"), _needed("tokenizers")
        labels = _labels(self._folder / "config.json")
        model = self._folder / "model.onnx"
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = _read(
            lambda: runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]), model
        )
        tokenizer = _read(lambda: tokenizers.Tokenizer.from_file(str(self._tokenizer)), self._tokenizer)
        tokenizer.enable_truncation(self._tokens, strategy="only_first")
        tokenizer.enable_padding()
        inputs = frozenset(one.name for one in session.get_inputs())
        if not {"input_ids"} <= inputs <= set(_INPUTS):
            msg = f"The model takes {', '.join(sorted(inputs))}; a cross-encoder takes {', '.join(_INPUTS)}."
            raise ModelFileError(msg, field="path")
        roles = [_ROLES.get(label.casefold(), "neutral") for label in labels]
        if "entailment" not in roles:
            msg = f"None of the model's labels is `entailment`: {', '.join(labels)[:200]}."
            raise ModelFileError(msg, field="path")
        contradiction = roles.index("contradiction") if "contradiction" in roles else -1
        return _Parts(session, tokenizer, inputs, len(roles), roles.index("entailment"), contradiction)


def _needed(module: str) -> Any:  # noqa: ANN401 - a module without types
    try:
        return import_module(module)
    except ImportError as error:
        what = "Checking support by entailment"
        raise MissingExtraError(what, "search") from error


def _read(read: Callable[[], Any], file: Path) -> Any:  # noqa: ANN401 - the same
    try:
        return read()
    except Exception as error:  # the errors of these packages share no class
        msg = f"The model file `{file.name}` cannot be read."
        raise ModelFileError(msg, field="path") from error


def _labels(config: Path) -> list[str]:
    """Return the labels of a model in the order of its output."""
    try:
        named = json.loads(config.read_text(encoding="utf-8"))["id2label"]
        numbered = {int(number): str(label) for number, label in named.items()}
        return [numbered[number] for number in range(len(numbered))]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        msg = f"The model file `{config.name}` cannot be read, or has no `id2label`."
        raise ModelFileError(msg, field="path") from error


def _windows(passages: Sequence[str]) -> Iterator[_Window]:
    from pincite.core.sentences import split_sentences

    for number, text in enumerate(passages):
        spans = split_sentences(text)
        for at, (start, end) in enumerate(spans):
            yield _Window(number, start, end, is_single=True)
            if at:
                yield _Window(number, spans[at - 1][0], end, is_single=False)


def _likeliest(claim: str, passages: Sequence[str], most: int) -> list[_Window]:
    """Return the windows that share most words with the claim, in the order of the passages."""
    windows = list(_windows(passages))
    if len(windows) <= most:
        return windows
    wanted = set(words(claim))
    shared = [len(wanted.intersection(words(passages[one.passage][one.start : one.end]))) for one in windows]
    ranked = sorted(range(len(windows)), key=lambda at: (-shared[at], not windows[at].is_single, at))
    return [windows[at] for at in sorted(ranked[:most])]


def _probabilities(parts: _Parts, premises: Sequence[str], claim: str) -> list[tuple[float, float]]:
    """Return the probabilities of entailment and of contradiction of each premise."""
    np = _needed("numpy")
    encoded = cast(
        "list[_Encoding]", parts.tokenizer.encode_batch([(premise, claim) for premise in premises])
    )
    columns = {
        "input_ids": [one.ids for one in encoded],
        "attention_mask": [one.attention_mask for one in encoded],
        "token_type_ids": [one.type_ids for one in encoded],
    }
    feeds = {name: np.array(rows, dtype=np.int64) for name, rows in columns.items() if name in parts.inputs}
    try:
        logits = np.asarray(parts.session.run(None, feeds)[0], dtype=np.float64)
    except Exception as error:  # the runtime's errors share no class
        msg = "The model cannot be run on what its tokenizer makes of a sentence."
        raise ModelFileError(msg, field="path") from error
    if logits.shape != (len(premises), parts.labels):
        msg = f"The model gives an output of shape {logits.shape}, not one number for each of its labels."
        raise ModelFileError(msg, field="path")
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds = powers / powers.sum(axis=1, keepdims=True)
    return [
        (float(row[parts.entailment]), float(row[parts.contradiction]) if parts.contradiction >= 0 else 0.0)
        for row in odds
    ]


def _checked(verdict: SupportVerdict, score: float, window: _Window, note: str = "") -> SupportCheck:
    reasons = (SupportReason(ReasonKind.JUDGEMENT, note=note),) if note else ()
    return SupportCheck(verdict, "nli", round(score, 4), window.passage, window.start, window.end, reasons)
