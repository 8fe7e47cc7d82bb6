"""Time reading a long grounded answer of Google's against encoding the text anew for each offset: `make bench`.

The answer has 110,000 characters, of one to four bytes each, and 400 grounding supports; once with the right offsets,
once with offsets that are 2 bytes too far, as were recorded. A figure is the best of several rounds, and both sides of
a ratio take turns, so that other load falls on both alike.

Then 10,000 numbers in brackets, of 526 numbered sources, bound to what was sent, against the same answer with as many
keys of the format `ref`, resolved.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from typing import TYPE_CHECKING, Any

from pincite import CitationRun
from pincite.core.citation import TextPart
from pincite.providers.read import read_response
from pincite.providers.response import ProviderResponse
from pincite.providers.sources import SentSources
from pincite.providers.stream import StreamReader

if TYPE_CHECKING:
    from collections.abc import Callable

CHARACTERS, SUPPORTS, DRIFT, ROUNDS = 110_000, 400, 2, 15
BAR_MS, BAR_RATIO = 10.0, 0.1
MARKERS, PASSAGES, BAR_NUMBERS = 10_000, 526, 5.0
SENTENCE = "Rule {}: expenses over 250 \u20ac need approval \u2013 café receipts \U0001f9fe too, says § {}. "


def main(rounds: int = ROUNDS) -> int:
    """Print every figure beside its bar; return 1 when one is over it."""
    right, drifted = answer(0), answer(DRIFT)
    events = in_pieces(right)
    reading, mending, streaming, naive = best_of(
        rounds,
        lambda: read_response("google", right),
        lambda: read_response("google", drifted),
        lambda: stream(events),
        lambda: encode_anew(right),
    )
    read, mended = read_response("google", right), read_response("google", drifted)
    assert len(read.citations) == len(mended.citations) == SUPPORTS
    assert [one.anchor for one in read.citations] == [one.anchor for one in mended.citations]
    assert all(one.repaired for one in mended.citations)
    print(f"{SUPPORTS} supports, {CHARACTERS:,} characters; encoding anew takes {naive * 1e3:.0f} ms")
    over = figure("supports placed", reading * 1e3, BAR_MS, "ms")
    over |= figure("supports placed, offsets 2 bytes off", mending * 1e3, BAR_MS, "ms")
    over |= figure("supports placed, against encoding anew", reading / naive, BAR_RATIO)
    print(f"the same in {len(events):,} pieces of a stream: {streaming * 1e3:.2f} ms")
    over |= numbers_against_refs(rounds)
    return int(over)


def numbers_against_refs(rounds: int) -> bool:
    """Print how long binding numbers takes against resolving refs; say whether it is over its bar."""
    sent, run = SentSources(), CitationRun("ref")
    refs: list[str] = []
    for number in range(1, PASSAGES + 1):
        text = f"Rule {number} of the house."
        sent.add_numbered(text, id=f"d{number}")
        refs.append(run.present({"content": text, "source_url": f"https://a.example/{number}"})["ref"])
    chance = random.Random(7)
    places = [chance.randrange(PASSAGES) for _ in range(MARKERS)]
    said = "Expenses over this amount require prior approval by a line manager"
    response = ProviderResponse(
        "openai_compatible", "chat", (TextPart(" ".join(f"{said} [{place + 1}]." for place in places)),)
    )
    answer = " ".join(f"{said} [{refs[place]}]." for place in places)
    assert len(sent.bind(response).citations) == len(run.resolve(answer).citations) == MARKERS
    binding, resolving = best_of(rounds, lambda: sent.bind(response), lambda: run.resolve(answer))
    print(f"{MARKERS:,} numbers bound: {binding * 1e3:.0f} ms; as many refs: {resolving * 1e3:.0f} ms")
    return figure("numbers bound, against refs", binding / resolving, BAR_NUMBERS)


def figure(what: str, value: float, bar: float, unit: str = "") -> bool:
    """Print one measured line; say whether it is over its bar."""
    print(f"{what}: {value:.2f} {unit}{' ' if unit else ''}(bar {bar:g})")
    return value > bar


def answer(drift: int) -> dict[str, Any]:
    """Return a response whose supports lie evenly over its text, each `drift` bytes too far."""
    sentences: list[str] = []
    length = 0
    while length < CHARACTERS:
        sentences.append(SENTENCE.format(len(sentences), len(sentences) % 90))
        length += len(sentences[-1])
    text = "".join(sentences)[:CHARACTERS]
    every = len(sentences) // SUPPORTS
    supports: list[dict[str, Any]] = []
    at = 0
    for number, sentence in enumerate(sentences):
        size = len(sentence.encode())
        if number % every == 0 and len(supports) < SUPPORTS:
            said = sentence.rstrip()
            segment = {
                "startIndex": at + drift,
                "endIndex": at + len(said.encode()) + drift,
                "text": said,
            }
            supports.append({"segment": segment, "groundingChunkIndices": [number % 20, (number + 7) % 20]})
        at += size
    chunks = [
        {"web": {"uri": f"https://example.com/{number}", "title": "example.com"}} for number in range(20)
    ]
    grounding = {"groundingChunks": chunks, "groundingSupports": supports}
    return {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding}]}


def in_pieces(response: dict[str, Any], size: int = 40) -> list[dict[str, Any]]:
    """Return a response as the chunks of a stream, the grounding on the last."""
    candidate = response["candidates"][0]
    text = candidate["content"]["parts"][0]["text"]
    pieces: list[dict[str, Any]] = [
        {"candidates": [{"content": {"parts": [{"text": text[at : at + size]}]}}]}
        for at in range(0, len(text), size)
    ]
    pieces[-1]["candidates"][0]["groundingMetadata"] = candidate["groundingMetadata"]
    return pieces


def stream(events: list[dict[str, Any]]) -> None:
    """Read a stream to its end."""
    reader = StreamReader("google")
    for event in events:
        reader.feed(event)
    reader.finish()


def encode_anew(response: dict[str, Any]) -> int:
    """Place every support by encoding the whole text for each of its offsets, as the baseline."""
    candidate = response["candidates"][0]
    text: str = candidate["content"]["parts"][0]["text"]
    right = 0
    for support in candidate["groundingMetadata"]["groundingSupports"]:
        segment = support["segment"]
        start = len(text.encode()[: segment["startIndex"]].decode())
        end = len(text.encode()[: segment["endIndex"]].decode())
        right += text[start:end] == segment["text"]
    return right


def best_of(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the shortest time of each piece of work, in seconds; they take turns."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for index, work in enumerate(works):
            gc.collect()
            began = time.perf_counter()
            work()
            best[index] = min(best[index], time.perf_counter() - began)
    return best


if __name__ == "__main__":
    sys.exit(main())
