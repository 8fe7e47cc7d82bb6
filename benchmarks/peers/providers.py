"""Citations of model providers, through pincite and through pydantic-ai's own model classes, on recorded responses.

Runs in the environment of `make peers` and prints the section of `docs/comparison.md`. The recordings are those of the
shared folder `recordings`. Each is given to both: to pydantic-ai as the reply of the provider's own SDK, as the tests
do it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter, defaultdict
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.peers.tables import (
    ROOT,
    AbsentError,
    named,
    print_list,
    print_table,
    shared,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

WITHOUT = {
    "cohere, chat_v2": "its `CohereModel` says nothing of citations in its source.",
    "google, interactions": "it has no class for this API.",
    "xai, responses": "its `XaiModel` reads citations, over gRPC; the recording is of the HTTP API.",
}
INSTEAD = {
    "perplexity": (
        "OpenAIChatModel",
        "`OpenAIChatModel`, as Perplexity's API is like OpenAI's; a class for Perplexity is not in it.",
    ),
}
MEASURES = ("citations", "anchored", "excerpts", "places")


def main() -> int:
    """Print the section; return 3 when the recordings are absent."""
    try:
        folder = shared("recordings")
    except AbsentError as absent:
        print(absent, file=sys.stderr)
        return 3
    own: Any = import_module("pincite")
    sys.path.insert(0, str(ROOT / "tests" / "agents"))
    both: Any = import_module("test_native_recordings")
    counts: dict[str, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
    for path in sorted(folder.glob("*.json")):
        recording = both._readable(json.loads(path.read_text("utf-8")))  # noqa: SLF001
        api = "interactions" if path.stem == both.INTERACTIONS else recording["api"]
        name = f"{recording['provider']}, {api}"
        ours, theirs = counts[name]
        ours["recordings"] += 1
        tally(ours, (one for part in both.ours(recording) for one in part.citations))
        if name in WITHOUT:
            continue
        parts = both._parts(asyncio.run(asked(both, recording)))  # noqa: SLF001
        theirs["recordings"] += 1
        tally(theirs, (one for part in parts for one in part.citations or ()))
    print_table(
        (
            "Provider, API",
            "Recordings",
            *(f"{name}: pincite / pydantic-ai" for name in MEASURES),
        ),
        (
            (
                provider,
                ours["recordings"],
                *(f"{ours[name]} / {theirs[name] if theirs['recordings'] else '–'}" for name in MEASURES),
            )
            for provider, (ours, theirs) in counts.items()
        ),
    )
    print(
        f"pincite {own.__version__} and {named('pydantic-ai-slim')} with {named('anthropic')}, {named('openai')},"
        f" {named('google-genai')} and {named('boto3')}.\n"
    )
    print_list("Not given to pydantic-ai:", (f"{provider}: {why}" for provider, why in WITHOUT.items()))
    print_list("Given to another class of it:", (f"{name}: {why[1]}" for name, why in INSTEAD.items()))
    return 0


async def asked(both: Any, recording: Any) -> Any:
    """Return what pydantic-ai makes of a recording, by the class for its provider or for the like of it."""
    if recording["provider"] not in INSTEAD:
        return await both.theirs(recording)
    openai: Any = import_module("pydantic_ai.models.openai")
    provider: Any = import_module("pydantic_ai.providers.openai").OpenAIProvider
    messages: Any = import_module("pydantic_ai.messages")
    parameters: Any = import_module("pydantic_ai.models").ModelRequestParameters()
    prompt = [messages.ModelRequest(parts=[messages.UserPromptPart("x")])]
    async with both._client(recording) as client:  # noqa: SLF001
        cls = getattr(openai, INSTEAD[recording["provider"]][0])
        model = cls("any", provider=provider(api_key="x", http_client=client))
        if not recording["stream"]:
            return await model.request(prompt, None, parameters)
        async with model.request_stream(prompt, None, parameters) as stream:
            async for _ in stream:
                pass
            return stream.get()


def tally(counts: Counter[str], citations: Iterable[Any]) -> None:
    """Count citations, and those with an anchor, an excerpt, and a place in the source."""
    for one in citations:
        counts["citations"] += 1
        counts["anchored"] += one.anchor is not None
        counts["excerpts"] += any(source.excerpts for source in one.sources)
        counts["places"] += any(getattr(source, "span", None) is not None for source in one.sources)


if __name__ == "__main__":
    sys.exit(main())
