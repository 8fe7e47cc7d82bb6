"""Support by a model of entailment: a tiny ONNX graph, made here byte by byte, run by the real runtime.

The model adds up what its words count: "certainly" speaks for entailment, "never" for contradiction, and what begins
a pair for neither.
"""

from __future__ import annotations

import importlib
import json
import struct
from typing import TYPE_CHECKING, Any

import pytest

from pincite.checking import NliSupport, ReasonKind, check_support
from pincite.core.errors import InputError, MissingExtraError, ModelFileError
from pincite.core.verdicts import SupportVerdict

if TYPE_CHECKING:
    from pathlib import Path

VOCABULARY = [
    "[PAD]",
    "[CLS]",
    "[SEP]",
    "[UNK]",
    "certainly",
    "never",
    "perhaps",
    "the",
    "depot",
    "opened",
    ".",
]
# Contradiction, entailment, neutral: what each word adds to the three outputs.
COUNTS = {
    "[CLS]": (0.0, 0.0, 3.0),
    "certainly": (0.0, 6.0, 0.0),
    "never": (6.0, 0.0, 0.0),
    "perhaps": (0.0, 2.5, 0.0),
}
LABELS = {"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"}


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _field(number: int, value: int | str | bytes) -> bytes:
    """Return one field of a protocol buffer: a whole number, or bytes with their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _value(name: str, element: int, *dimensions: str | int) -> bytes:
    shape = b"".join(_field(1, _field(1 if isinstance(one, int) else 2, one)) for one in dimensions)
    return _field(1, name) + _field(2, _field(1, _field(1, element) + _field(2, shape)))


def onnx_model(columns: int = 3, inputs: tuple[str, ...] = ("input_ids", "attention_mask")) -> bytes:
    """Return a model of two nodes: it looks up a row for each word piece (Gather) and adds them up (ReduceSum)."""
    rows = [[*COUNTS.get(word, (0.0, 0.0, 0.0))][:columns] for word in VOCABULARY]
    table = b"".join(struct.pack("<f", number) for row in rows for number in row)
    float_type, int_type = 1, 7
    weights = (
        _field(1, len(rows))
        + _field(1, columns)
        + _field(2, float_type)
        + _field(8, "table")
        + _field(9, table)
    )
    axes = _field(1, 1) + _field(2, int_type) + _field(8, "axes") + _field(9, struct.pack("<q", 1))
    gather = _field(1, "table") + _field(1, "input_ids") + _field(2, "rows") + _field(4, "Gather")
    keep = _field(1, "keepdims") + _field(3, 0) + _field(20, 2)
    add = (
        _field(1, "rows") + _field(1, "axes") + _field(2, "logits") + _field(4, "ReduceSum") + _field(5, keep)
    )
    graph = (
        _field(1, gather)
        + _field(1, add)
        + _field(2, "tiny")
        + _field(5, weights)
        + _field(5, axes)
        + b"".join(_field(11, _value(name, int_type, "batch", "length")) for name in inputs)
        + _field(12, _value("logits", float_type, "batch", columns))
    )
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13))


def tokenizer_json() -> str:
    """Return a tokenizer of whole words, which joins a pair as BERT does."""
    tokenizers: Any = importlib.import_module("tokenizers")
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: at for at, word in enumerate(VOCABULARY)}, unk_token="[UNK]")
    )
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    return made.to_str()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a model, its labels and its tokenizer."""
    (tmp_path / "model.onnx").write_bytes(onnx_model())
    (tmp_path / "config.json").write_text(json.dumps({"id2label": LABELS}))
    (tmp_path / "tokenizer.json").write_text(tokenizer_json())
    return tmp_path


def test_the_sentence_that_entails_it_supports_it(folder: Path) -> None:
    """Outputs 0, 6, 3: the probability of entailment is 1 / (1 + e^-3 + e^-6) = 0.95."""
    text = "The shop opened. Certainly the depot opened."
    check = check_support("The depot opened.", ["Nothing here.", text], method=NliSupport(folder))
    assert (check.verdict, check.method) == (SupportVerdict.SUPPORTED, "nli")
    assert check.score == pytest.approx(0.9503, abs=1e-3)
    assert (check.passage, check.start, check.end) == (1, 17, 44)
    assert check.reasons == ()


def test_a_sentence_that_contradicts_it_contradicts_it(folder: Path) -> None:
    """Outputs 6, 0, 3 for the second sentence, alone and with its neighbours: the sentence alone is named."""
    text = "The shop opened. The depot never opened. The depot."
    check = check_support("The depot opened.", [text], method=NliSupport(folder))
    assert check.verdict is SupportVerdict.CONTRADICTED
    assert (check.start, check.end) == (17, 40)
    assert check.reasons[0].kind is ReasonKind.JUDGEMENT


def test_what_is_said_in_part_is_partial(folder: Path) -> None:
    """Outputs 0, 2.5, 3: 0.37 lies between the bars of 0.2 and 0.5."""
    check = check_support("The depot opened.", ["Perhaps the depot opened."], method=NliSupport(folder))
    assert check.verdict is SupportVerdict.PARTIAL
    assert check.score == pytest.approx(0.367, abs=1e-2)


def test_what_is_said_nowhere_is_unsupported(folder: Path) -> None:
    """Outputs 0, 0, 3: neither."""
    check = check_support("The depot opened.", ["The shop closed. It rains."], method=NliSupport(folder))
    assert check.verdict is SupportVerdict.UNSUPPORTED


def test_two_adjacent_sentences_may_bear_it_out_together(folder: Path) -> None:
    """Each "perhaps" alone is partial; both together are 5 against 3: 0.87, and the place is both."""
    text = "The shop closed. Perhaps the depot. Perhaps it opened. It rains."
    check = check_support("The depot opened.", [text], method=NliSupport(folder))
    assert check.verdict is SupportVerdict.SUPPORTED
    assert text[check.start : check.end] == "Perhaps the depot. Perhaps it opened."


def test_only_the_likeliest_sentences_are_looked_at(folder: Path) -> None:
    """With room for one, it is the one that shares most words with the claim."""
    text = " ".join(["Certainly it rains."] * 40 + ["The depot opened."])
    check = check_support("The depot opened.", [text], method=NliSupport(folder, windows=1))
    assert text[check.start : check.end] == "The depot opened."
    assert check.verdict is SupportVerdict.UNSUPPORTED


def test_markers_are_no_part_of_the_claim(folder: Path) -> None:
    """A claim with its marker gets the same score as one without."""
    method = NliSupport(folder)
    text = "Certainly the depot opened."
    assert check_support("The depot opened [1].", [text], method=method) == check_support(
        "The depot opened.", [text], method=method
    )


def test_a_claim_that_fills_the_model_is_not_judged_by_its_half(folder: Path) -> None:
    """Of 16 word pieces a claim may have eight, its two marks included."""
    check = check_support("depot " * 7, ["Certainly the depot opened."], method=NliSupport(folder, tokens=16))
    assert check.verdict is SupportVerdict.UNCHECKED
    assert "longer than the model reads" in check.reason


def test_a_long_premise_is_cut_and_the_claim_is_not(folder: Path) -> None:
    """What lies behind the limit of the model does not count."""
    late = "depot " * 20 + "certainly."
    check = check_support("The depot opened.", [late], method=NliSupport(folder, tokens=16))
    assert check.verdict is SupportVerdict.UNSUPPORTED


def test_a_model_of_two_labels_will_do(folder: Path) -> None:
    """Without a label of contradiction nothing is contradicted."""
    (folder / "model.onnx").write_bytes(onnx_model(columns=2))
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "not_entailment", "1": "entailment"}}))
    method = NliSupport(folder)
    assert check_support("The depot opened.", ["Certainly the depot opened."], method=method).is_supported
    check = check_support("The depot opened.", ["The depot never opened."], method=method)
    assert check.verdict is SupportVerdict.UNSUPPORTED


def test_a_tokenizer_may_lie_elsewhere(folder: Path) -> None:
    """Its path is given by itself."""
    moved = (folder / "tokenizer.json").rename(folder / "words.json")
    method = NliSupport(folder, tokenizer=moved)
    assert check_support("The depot opened.", ["Certainly the depot opened."], method=method).is_supported


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("model.onnx", None, "`model.onnx` cannot be read"),
        ("model.onnx", b"no model", "`model.onnx` cannot be read"),
        ("tokenizer.json", None, "`tokenizer.json` cannot be read"),
        ("tokenizer.json", b"{}", "`tokenizer.json` cannot be read"),
        ("config.json", None, "`config.json` cannot be read"),
        ("config.json", b"[]", "`config.json` cannot be read"),
        ("config.json", b'{"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}', "None of the model's labels"),
        ("config.json", b'{"id2label": {"0": "entailment", "1": "neutral"}}', "not one number for each"),
        ("model.onnx", onnx_model(inputs=("input_ids", "pixels")), "The model takes"),
    ],
)
def test_a_folder_without_a_usable_model_says_so(
    folder: Path, name: str, content: bytes | None, says: str
) -> None:
    """A file that is absent or another is a typed error, and names no path."""
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(ModelFileError, match=says) as error:
        check_support("The depot opened.", ["It rains."], method=NliSupport(folder))
    assert str(folder) not in error.value.message


def test_without_the_runtime_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with the command."""

    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("pincite.checking.nli.import_module", absent)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[search\]'"):
        check_support("The depot opened.", ["It rains."], method=NliSupport(folder))


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"path": 3}, "path"),
        ({"supported": 2.0}, "supported"),
        ({"windows": 0}, "windows"),
        ({"tokens": 3}, "tokens"),
        ({"threads": -1}, "threads"),
        ({"partial": "x"}, "partial"),
    ],
)
def test_what_cannot_be_used_is_refused(more: dict[str, Any], field: str) -> None:
    """Each argument says what it takes."""
    arguments: dict[str, Any] = {"path": "somewhere"} | more
    with pytest.raises(InputError) as error:
        NliSupport(**arguments)
    assert error.value.field == field
