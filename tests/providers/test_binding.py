"""Looking up what a citation means costs no more for many sources, and ranges and anchors are bounded; synthetic."""

from __future__ import annotations

from pincite.core.citation import Citation, MarkerCitationAnchor, TextPart, WebCitationSource
from pincite.core.limits import DEFAULT
from pincite.providers.response import ProviderResponse
from pincite.providers.sources import SentSources


def numbered(count: int) -> SentSources:
    """Return numbered sources."""
    sources = SentSources()
    for at in range(count):
        sources.add_numbered(f"Source {at}.")
    return sources


def answered(text: str) -> ProviderResponse:
    """Return a response of one part that cites nothing itself."""
    return ProviderResponse("openai", "responses", (TextPart(text),))


def test_a_range_of_numbers_is_bounded() -> None:
    """One that names more than a marker may is no citation; it cost as many steps as it has numbers."""
    most = DEFAULT.markers_per_group
    found = numbered(most + 5).bind(answered(f"Yes [1-{most}]. No [1-{most + 1}]. Oh [3-1]."))
    (citation,) = found.citations
    assert len(citation.sources) == most
    assert [(one.raw, one.reason) for one in found.unmapped] == [
        (f"[1-{most + 1}]", f"It holds a range of more than {most:,} numbers."),
        ("[3-1]", "It holds a number that no source has."),
    ]


def test_an_anchor_without_end_takes_no_memory() -> None:
    """A set of its 50,000,000,000 code points took all there was."""
    odd = Citation((WebCitationSource("https://a.example"),), MarkerCitationAnchor(0, 50_000_000_000))
    part = TextPart("Yes [1].", (odd,))
    assert len(numbered(1).bind(ProviderResponse("openai", "responses", (part,))).citations) == 1


def test_sources_are_looked_up_by_all_that_names_them() -> None:
    """An id before a name, an address with and without its tracking, and none where two are alike."""
    sources = SentSources()
    first = sources.add_document("A text.", id="a", name="b", title="T")
    second = sources.add_document("A text.", id="b", title="T")
    page = sources.add_search_result("https://a.example/x/?utm_source=y&z=1", text="A text.")
    assert sources.resolve("b") == second
    assert sources.resolve("a") == first
    assert sources.resolve("T") is None
    assert sources.resolve("https://A.example/x?z=1") == page
