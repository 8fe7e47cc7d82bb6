"""The tools as a client is told of them: what each is for, its arguments with their limits, and its reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pincite.protocols.mcp._arguments import Arguments, Choice, Count, Ids, Items, Text
from pincite.protocols.mcp._replies import (
    CheckReply,
    FetchReply,
    ParseReply,
    QuotesReply,
    RenderReply,
    Reply,
    SearchReply,
    SupportReply,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.limits import Limits

# Passages of a search that asks for no number.
_FOUND: Final = 8


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a client is told of it: what it is for, its arguments with their limits, its reply."""

    name: str
    title: str
    description: str
    arguments: Arguments
    reply: type[Reply]


def tool_specs(limits: Limits) -> Iterable[ToolSpec]:
    """Yield the tools with the limits that hold here."""
    most = min(limits.mcp_fetch_code_points, limits.mcp_reply_code_points)
    ids = "Evidence ids, as `search_evidence` or an earlier fetch gave them."
    yield ToolSpec(
        "search_evidence",
        "Search evidence",
        "Find passages of the documents that answer a question. Each passage comes whole with its `evidence_id`, "
        "and may be cited by it.",
        Arguments(
            {
                "query": Text("What you want to know, in plain words.", limits.query_code_points),
                "limit": Count("Passages at most.", 1, limits.results, min(_FOUND, limits.results)),
            }
        ),
        SearchReply,
    )
    yield ToolSpec(
        "fetch_evidence",
        "Fetch evidence",
        "Read passages by their evidence ids. Only a passage that was received whole (`ok`) may be cited; one that "
        "is `truncated` can be continued with `offset` until it is whole.",
        Arguments(
            {
                "evidence_ids": Ids(ids, limits.mcp_ids, limits.mcp_id_code_points),
                "max_chars": Count(
                    "Code points of each passage at most.", 1, most, min(limits.fetch_code_points, most)
                ),
                "offset": Count(
                    "Where in each passage to begin, in code points.", 0, limits.document_code_points, 0
                ),
            }
        ),
        FetchReply,
    )
    yield ToolSpec(
        "check_citations",
        "Check citations",
        "Say for each evidence id that an answer cites whether it names text that was fetched in this session. Call "
        "it before you answer. `valid` shows traceability, not that the text supports the claim.",
        Arguments(
            {
                "evidence_ids": Ids(
                    "The evidence ids that the answer cites.", limits.mcp_cited_ids, limits.mcp_id_code_points
                )
            }
        ),
        CheckReply,
    )
    yield ToolSpec(
        "parse_citations",
        "Parse citations",
        "Find every evidence id in an answer, with its place and what it stands in.",
        Arguments(
            {
                "answer": Text("The answer's text.", limits.mcp_answer_code_points, least=0),
                "offset": Count(
                    "List those that begin there or later, in code points.",
                    0,
                    limits.mcp_answer_code_points,
                    0,
                ),
            }
        ),
        ParseReply,
    )
    yield ToolSpec(
        "render_citations",
        "Render citations",
        "Check an answer's citations and return the answer as it is to be shown: numbers in place of valid evidence "
        "ids, and a list of sources. Give it the answer as you wrote it, ids in square brackets.",
        Arguments(
            {
                "answer": Text("The answer's text.", limits.mcp_answer_code_points, least=0),
                "invalid": Choice(
                    "What becomes of ids that are not valid: left out, marked, or kept as written.",
                    ("drop", "mark", "keep"),
                    "drop",
                ),
                "numbering": Choice(
                    "One number a source (`[1]`), or one a passage (`[1a]`).", ("source", "passage"), "source"
                ),
            }
        ),
        RenderReply,
    )
    yield ToolSpec(
        "verify_quotes",
        "Verify quotes",
        "Say for each quotation whether its words stand in a passage that was fetched in this session.",
        Arguments(
            {
                "quotes": Items(
                    "The quotations.",
                    limits.mcp_quotes,
                    Arguments(
                        {
                            "quote": Text("The quoted words.", limits.mcp_quote_code_points),
                            "evidence_id": Text(
                                "The passage that they are from; every fetched one is looked at when it is "
                                "not given.",
                                limits.mcp_id_code_points,
                                default=None,
                            ),
                        }
                    ),
                )
            }
        ),
        QuotesReply,
    )
    yield ToolSpec(
        "check_support",
        "Check support",
        "Say for each sentence of an answer whether the passages that it cites, fetched in this session, say the same: "
        "`supported`, `partial`, `unsupported` or `contradicted`, with what differs. It shows what to look at again; "
        "it proves nothing.",
        Arguments(
            {
                "claims": Items(
                    "The sentences.",
                    limits.mcp_claims,
                    Arguments(
                        {
                            "claim": Text("The sentence, without its ids.", limits.support_claim_code_points),
                            "evidence_ids": Ids(
                                "The ids that it cites; without any, a fetched passage that supports it is named.",
                                limits.mcp_ids,
                                limits.mcp_id_code_points,
                                default=None,
                                least=0,
                            ),
                        }
                    ),
                )
            }
        ),
        SupportReply,
    )
