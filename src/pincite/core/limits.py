"""Every limit, as one frozen table; each is the setting `PINCITE_LIMIT_<NAME>`.

The figures of reading come from the measurements in `docs/stack.md`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pincite.core.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "PINCITE_LIMIT_"


# The most that a setting may say: what every system call and database takes, and far beyond any use.
_MOST_NUMBER, _MOST_SECONDS = 10**15, 10**6


def _limit(default: float, doc: str, *, least: int | None = None, most: int | None = None) -> Any:  # noqa: ANN401 - the dataclass field stands in for its value
    """`least` and `most` are what a setting may say: from one of what is counted, from no seconds, unless given."""
    counted = isinstance(default, int)
    metadata = {
        "doc": doc,
        "least": int(counted) if least is None else least,
        "most": most or (_MOST_NUMBER if counted else _MOST_SECONDS),
    }
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes, counts, seconds and pixels; build another with `dataclasses.replace` or from the environment."""

    file_bytes: int = _limit(256 * 1024 * 1024, "Bytes of one file to be read.")
    pages: int = _limit(20_000, "Pages of one document.")
    document_code_points: int = _limit(64_000_000, "Code points of one document's text.")
    read_memory_bytes: int = _limit(
        512 * 1024 * 1024, "Bytes of address space a reading worker may take beyond its start."
    )
    read_page_seconds: float = _limit(5.0, "Seconds to the first page, and for any one page.")
    read_cpu_seconds: float = _limit(30.0, "Processor seconds of one document, before its pages.")
    read_cpu_seconds_per_page: float = _limit(0.05, "Processor seconds added to that for each page.")
    ocr_page_seconds: float = _limit(60.0, "Seconds in which one page must be read by OCR.")
    ocr_memory_bytes: int = _limit(
        2 * 1024 * 1024 * 1024,
        "Bytes of address space a reading worker may take during OCR, its models included.",
    )
    ocr_pages: int = _limit(2_000, "Pages of one document that are read by OCR; further ones are flagged.")
    ocr_dpi: int = _limit(300, "Dots an inch of the picture that OCR reads.")
    ocr_pixels: int = _limit(9_000_000, "Pixels of that picture, at most.")
    scan_pixels: int = _limit(
        100_000_000, "Pixels of one picture that is read as a document; a larger one is left out."
    )
    page_objects: int = _limit(
        10_000,
        "Objects and path segments of a PDF's page among which tables and hidden text are looked for; a page with "
        "more is a drawing.",
    )
    page_fields: int = _limit(
        5_000,
        "Form fields, stamps and remarks of a PDF's page that are drawn and read; further ones are flagged.",
    )
    document_fields: int = _limit(
        5_000, "Form fields, stamps and remarks of a whole PDF that are read; further ones are flagged."
    )
    workers: int = _limit(0, "Reading workers kept warm; 0 is one a core.", least=0)
    worker_files: int = _limit(200, "Files a worker reads before it is replaced.")
    zip_files: int = _limit(20_000, "Files inside of one zip, as office formats and EPUB are.")
    zip_file_bytes: int = _limit(256 * 1024 * 1024, "Bytes of one file inside of a zip, unpacked.")
    zip_bytes: int = _limit(1024 * 1024 * 1024, "Bytes of all that is read of one zip, unpacked.")
    part_elements: int = _limit(
        1_000_000, "XML elements of one part of a Word or PowerPoint file; a page has some hundreds."
    )
    chapter_bytes: int = _limit(
        8 * 1024 * 1024, "Bytes of one chapter of a book, unpacked; a larger one is left out and flagged."
    )
    web_bytes: int = _limit(32 * 1024 * 1024, "Bytes of one page of the web, unpacked.")
    web_seconds: float = _limit(60.0, "Seconds in which a page of the web has to arrive whole.")
    web_redirects: int = _limit(10, "Redirects that are followed for one page of the web.", least=0)
    web_pages: int = _limit(1_000, "Pages that are added from one map of a site.")
    web_maps: int = _limit(500, "Maps that are read of one site whose map is an index of maps.")
    web_map_addresses: int = _limit(
        50_000, "Addresses of one map that are looked at; its protocol allows no more."
    )
    web_map_seconds: float = _limit(
        120.0, "Seconds in which the maps of a site are read, all of them together."
    )
    sheet_cells: int = _limit(
        5_000_000, "Cells of one workbook or table, empty ones that are written included."
    )
    passage_tokens: int = _limit(
        220,
        "Tokens of the embedder that a passage grows to before the next begins; what it reads at once is 254.",
    )
    passage_hard_tokens: int = _limit(500, "Tokens at which a passage is cut even inside a sentence.")
    passage_code_points: int = _limit(
        900, "Code points a passage grows to before the next begins, where nothing counts tokens."
    )
    passage_hard_code_points: int = _limit(
        2_000, "Code points at which a passage is cut even inside a sentence."
    )
    section_code_points: int = _limit(
        12_000, "Code points of a whole section that a hierarchical row may carry."
    )
    query_code_points: int = _limit(4_000, "Code points of a question; the rest is refused.")
    results: int = _limit(50, "Rows of one search.")
    candidates: int = _limit(50, "Hits taken from each half of a hybrid search.")
    snippet_code_points: int = _limit(400, "Code points of a preview's snippet.")
    title_code_points: int = _limit(200, "Code points of a title or label as it is shown.")
    image_pixels: int = _limit(30_000_000, "Pixels of one page image.")
    image_dpi: int = _limit(150, "Dots an inch of a page image, where nothing else is asked for.")
    image_most_dpi: int = _limit(600, "Dots an inch of a page image that may be asked for.")
    image_least: int = _limit(
        200, "Pixels that the shorter side of a page image has at least, where no width is asked for."
    )
    image_width: int = _limit(4_000, "Pixels of a page image's width that may be asked for.")
    image_cache_bytes: int = _limit(
        64 * 1024 * 1024,
        "Bytes of page images kept in memory for those who ask again; 0 keeps none.",
        least=0,
    )
    document_marks: int = _limit(
        2_000, "Highlights in one annotated copy of a document, one for each citation of it."
    )
    highlight_seconds: float = _limit(
        20.0, "Seconds that a model may take to pick the words that support an answer's citations."
    )
    highlight_code_points: int = _limit(
        60_000,
        "Code points of passages in which a model is asked for these words; the rest is not asked about.",
    )
    marker_code_points: int = _limit(2_000, "Code points that one citation marker may span.")
    markers_per_group: int = _limit(100, "Ids in one group of brackets.")
    cited_ids: int = _limit(100_000, "Evidence ids in one check.")
    fetch_ids: int = _limit(1_000, "Evidence ids in one fetch.")
    fetch_code_points: int = _limit(
        4_000, "Code points that one fetch returns of an id, where it asks for no other."
    )
    ledger_entries: int = _limit(
        100_000, "Evidence ids that one ledger remembers as received; the oldest are forgotten first."
    )
    ledger_clients: int = _limit(
        1_000, "Clients whose ledgers are kept between requests; who was quiet longest is forgotten first."
    )
    ledger_newcomers: int = _limit(
        1_000,
        "Clients that began with their last call, whose ledgers are kept until they come back; counted apart.",
    )
    ledger_seconds: float = _limit(
        86_400.0, "Seconds that a client's ledger is kept after it was last saved."
    )
    deferred_sentences: int = _limit(
        2_000, "Sentences of one answer that are matched to passages after the fact; the rest has no source."
    )
    deferred_sentence_code_points: int = _limit(
        4_000, "Code points of a sentence that is matched to passages; a longer one has no source."
    )
    deferred_passage_code_points: int = _limit(
        50_000, "Code points of one passage that sentences are matched with; the rest is not looked at."
    )
    support_claim_code_points: int = _limit(4_000, "Code points of one claim; a longer one is not checked.")
    support_passages: int = _limit(100, "Passages that one claim is checked against.")
    support_code_points: int = _limit(
        200_000, "Code points of all passages that one claim is checked against."
    )
    evaluation_line_bytes: int = _limit(
        32 * 1024 * 1024, "Bytes of one line of a file that is evaluated; a longer one is a fault."
    )
    answer_claims: int = _limit(
        2_000, "Claims of one answer that are checked for support; the rest is unchecked."
    )
    answer_passages: int = _limit(
        200, "Passages among which the best one is looked for that a claim does not cite."
    )
    answer_quotations: int = _limit(500, "Quotations of one answer that are checked; the rest is unchecked.")
    quotation_words: int = _limit(
        3,
        "Words in quotation marks from which they are taken for a quotation; in scripts without spaces, letters.",
    )
    answer_claims_at_once: int = _limit(
        8, "Claims of one answer that a method is asked about at the same time."
    )
    quote_least_code_points: int = _limit(
        12, "Code points under which a quote proves nothing; letters of scripts without spaces count twice."
    )
    quote_code_points: int = _limit(20_000, "Code points of one quote; a longer one is not checked.")
    quote_occurrences: int = _limit(1_000, "Places of one quote among which its surroundings decide.")
    quote_gap_code_points: int = _limit(
        2_000, "Code points of a source that an ellipsis of a quote may stand for."
    )
    quote_head_code_points: int = _limit(
        300, "Code points of a page's head and foot that may stand inside of a quote."
    )
    quote_search_code_points: int = _limit(
        4_000_000,
        "Code points of a source that is compared letter by letter when no piece of a quote is in it.",
    )
    embed_batch: int = _limit(16, "Passages embedded in one call of the model.")
    busy_seconds: float = _limit(30.0, "Seconds to wait for another writer of the library.")
    dump_row_bytes: int = _limit(
        1024 * 1024 * 1024, "Bytes of one row in a dump to be loaded, the text of a version at the longest."
    )
    file_cache_bytes: int = _limit(
        10 * 1024 * 1024 * 1024,
        "Bytes of copies kept on a node of files from a bucket; those that were not asked for longest go, and what was "
        "asked for in the last 15 minutes stays.",
        least=0,
    )
    jobs_waiting: int = _limit(1_000, "Jobs of one tenant that may wait; further ones are refused.")
    job_attempts: int = _limit(5, "Times that a job is begun before it has failed.")
    job_lease_seconds: float = _limit(
        30.0, "Seconds after which the job of a worker that was not heard of is another's.", least=1
    )
    job_beat_seconds: float = _limit(1.0, "Seconds between two reports of a worker on its job.")
    job_seconds: float = _limit(604_800.0, "Seconds that a job is remembered after it has ended.")
    upload_kept_seconds: float = _limit(
        3_600.0, "Seconds that an uploaded file is kept for a job that has not been asked for yet."
    )
    document_metadata_bytes: int = _limit(
        16_384, "Bytes of the metadata that are given for one document, as JSON."
    )
    filter_values: int = _limit(500, "Values of one kind in one filter of documents.")
    agent_tool_calls: int = _limit(20, "Calls of tools for one answer; further ones are refused.")
    answer_seconds: float = _limit(300.0, "Seconds in which an answer that is streamed has to be whole.")
    answers_at_once: int = _limit(
        100, "Answers that one server process streams at a time; who asks for one more is told to come again."
    )
    history_code_points: int = _limit(
        40_000, "Code points of earlier questions and answers that a model is shown with a question.", least=0
    )
    run_messages: int = _limit(2_000, "Messages that a client may send with one run.")
    agent_requests: int = _limit(12, "Requests to the model for one answer, those of its repair included.")
    agent_fetch_code_points: int = _limit(60_000, "Code points that an agent may fetch for one answer.")
    agent_tool_ids: int = _limit(50, "Evidence ids in one call of an agent's tool.")
    mcp_ids: int = _limit(20, "Evidence ids in one fetch over MCP.")
    mcp_cited_ids: int = _limit(200, "Evidence ids in one check over MCP.")
    mcp_id_code_points: int = _limit(200, "Code points of one evidence id in a call over MCP.")
    mcp_fetch_code_points: int = _limit(
        12_000, "Code points of one passage in one fetch over MCP; `offset` goes on from there."
    )
    mcp_reply_code_points: int = _limit(
        80_000, "Code points of passages in one reply over MCP; what does not fit is named there."
    )
    mcp_answer_code_points: int = _limit(
        200_000, "Code points of an answer that is parsed or rendered over MCP."
    )
    mcp_occurrences: int = _limit(500, "Citations that one reply over MCP lists; it says where to go on.")
    mcp_quotes: int = _limit(50, "Quotes in one call over MCP.")
    mcp_quote_code_points: int = _limit(4_000, "Code points of one quote in a call over MCP.")
    mcp_quote_passages: int = _limit(
        200, "Fetched passages, the latest first, in which a quote is looked for over MCP."
    )
    provider_event_bytes: int = _limit(
        32 * 1024 * 1024,
        "Bytes of one event in the stream of a model provider; a longer one ends the stream.",
    )
    provider_json_depth: int = _limit(
        200, "Objects and arrays inside one another in a structured answer, whose fields are told apart."
    )
    prompt_link_code_points: int = _limit(
        500,
        "Code points of an address in a prompt, of a source that a person referred to; a longer one is left out.",
    )
    prompt_excerpts: int = _limit(10, "Excerpts of one source that a person referred to, in a prompt.")
    request_bytes: int = _limit(
        4 * 1024 * 1024, "Bytes of the body of one request to the server, where it carries no files."
    )
    upload_bytes: int = _limit(2 * 1024 * 1024 * 1024, "Bytes of one request that carries files.")
    upload_files: int = _limit(1_000, "Files in one request.")
    request_seconds: float = _limit(
        30.0, "Seconds until the answer to a request begins; then it is given up."
    )
    upload_seconds: float = _limit(600.0, "The same for a request that carries files.")
    body_seconds: float = _limit(15.0, "Seconds in which the body of a request without files has to arrive.")
    requests_arriving: int = _limit(
        1_000, "Requests whose bodies are arriving at a time; further ones are refused."
    )
    arriving_bytes: int = _limit(
        256 * 1024 * 1024,
        "Bytes that the bodies of all requests without files hold until their answers begin, beyond the first 16,384 "
        "of each; what is over it is refused.",
    )
    searches_at_once: int = _limit(
        0, "Searches that a server works on at a time; 0 is one a core. Further ones wait.", least=0
    )
    searches_waiting: int = _limit(64, "Searches that wait for their turn; further ones are refused.")
    requests_at_once: int = _limit(
        200, "Requests that a server works on at a time; further ones are refused."
    )
    key_requests: int = _limit(1_200, "Requests a minute with one API key.")
    visitor_requests: int = _limit(120, "Requests a minute of one visitor.")
    rates_seconds: float = _limit(
        0.5, "Seconds in which the store of `PINCITE_RATES` must answer, else a node counts for itself."
    )
    session_requests: int = _limit(60, "Sessions a minute that one network address may begin.")
    visitor_token_seconds: float = _limit(900.0, "Seconds that a visitor's token is good for.", least=1)
    tenants_open: int = _limit(
        64, "Tenants whose search a server keeps open; who was quiet longest is closed."
    )
    audit_waiting: int = _limit(
        1_000, "Entries of the audit log that wait to be written; then a reader waits for the writer."
    )
    scores_kept: int = _limit(
        1_000,
        "Best scores of recent searches that a server keeps for each collection; the oldest is forgotten first.",
    )
    credential_code_points: int = _limit(200, "Code points of a key; what is longer is not looked up.")
    grant_seconds: float = _limit(
        86_400.0, "Seconds that a visitor may open a passage that a search returned to them.", most=10**8
    )
    audit_seconds: float = _limit(
        90 * 86_400.0, "Seconds that an entry of the log of what was read is kept.", most=10**10
    )
    audit_rows: int = _limit(1_000, "Entries of that log in one look.")
    embed_origins: int = _limit(100, "Origins of pages that one embed may stand on.")
    embed_greeting_code_points: int = _limit(2_000, "Code points of an embed's greeting.")
    embed_theme_bytes: int = _limit(4_096, "Bytes of an embed's theme, as JSON.")
    agent_collections: int = _limit(200, "Collections of one stored agent.")
    agent_instructions_code_points: int = _limit(20_000, "Code points of a stored agent's instructions.")
    agent_resources: int = _limit(1_000, "Resources that a stored agent names as citable.")
    agent_processor_bytes: int = _limit(
        16_384, "Bytes of what a stored agent says of its citation processor, as JSON."
    )
    mcp_claims: int = _limit(50, "Claims in one check of support over MCP.")
    mcp_calls: int = _limit(16, "Calls over MCP that are at work at a time; further ones wait.")
    mcp_seconds: float = _limit(30.0, "Seconds of one call over MCP, its waiting included.")
    mcp_request_seconds: float = _limit(
        15.0, "Seconds in which a request for MCP over HTTP has to arrive whole."
    )
    mcp_connections: int = _limit(
        500,
        "Connections for MCP over HTTP; beyond them, the one that has waited longest for a request is closed.",
    )
    agui_event_code_points: int = _limit(
        10 * 1024 * 1024, "Code points of one event that a client of AG-UI takes; a larger one is left out."
    )
    agui_messages: int = _limit(
        5_000, "Messages that a client of AG-UI keeps; the oldest is forgotten first."
    )
    agui_text_code_points: int = _limit(
        16_000_000, "Code points of all messages that a client of AG-UI keeps; what is over it is left out."
    )
    agui_citations: int = _limit(
        1_000,
        "Citations, sources or highlights of one event that a client of AG-UI takes; the rest is left out.",
    )
    agui_depth: int = _limit(
        100, "Objects and arrays inside one another in an event or the state of AG-UI.", most=200
    )
    agui_state_bytes: int = _limit(
        16 * 1024 * 1024,
        "Bytes of the state that a client of AG-UI keeps, a value counting as 32; a change beyond it is left out.",
    )
    agui_state_messages: int = _limit(
        200, "Messages whose citations the state of a client of AG-UI holds; the oldest go first."
    )
    agui_patch_operations: int = _limit(
        10_000, "Operations of one change of state that a client of AG-UI makes."
    )
    agui_diagnostics: int = _limit(
        1_000, "Remarks on a stream of AG-UI that are kept; later ones are counted."
    )
    moca_depth: int = _limit(40, "Objects and arrays inside one another in a MOCA citation record or event.")
    moca_record_bytes: int = _limit(
        1024 * 1024,
        "Bytes of one MOCA citation record, a value counting as 32 at least; a larger one is refused.",
    )
    moca_event_bytes: int = _limit(
        4 * 1024 * 1024,
        "Bytes of one event of MOCA citations, counted alike: texts are left out of one that would be larger, and a "
        "larger one that comes in is ignored.",
    )
    moca_citations: int = _limit(
        1_000, "Citations of one event of MOCA citations; further ones are left out."
    )
    moca_records: int = _limit(5_000, "MOCA citation records kept of one run; further ones are refused.")
    moca_messages: int = _limit(
        1_000, "Messages whose MOCA citations a client keeps; the oldest is forgotten first."
    )
    moca_message_code_points: int = _limit(
        200_000, "Code points of a message in which a client looks for the markers of MOCA citations."
    )
    moca_list: int = _limit(
        100, "Entries of one list in a MOCA citation record that are shown: signers, reviews, evidence."
    )
    moca_label_code_points: int = _limit(
        400, "Code points of a name, a date or another field of a MOCA citation record that are shown."
    )
    moca_text_code_points: int = _limit(
        20_000, "Code points of the text of a MOCA citation record, or of a quote in it, that are shown."
    )
    moca_diagnostics: int = _limit(
        1_000, "Remarks on MOCA records and events that are kept; later ones are counted."
    )

    moca_files: int = _limit(20_000, "Files of one MOCA package; a package with more is refused.")
    moca_package_bytes: int = _limit(
        512 * 1024 * 1024, "Bytes of all files of one MOCA package, unpacked, and of the archive itself."
    )
    moca_path_bytes: int = _limit(1_000, "Bytes of one path in a MOCA package.")
    moca_manifest_bytes: int = _limit(
        512 * 1024, "Bytes of the manifest of a MOCA package, a value counting as 32 at least."
    )
    moca_node_bytes: int = _limit(4 * 1024 * 1024, "Bytes of one node's file in a MOCA package.")
    moca_frontmatter_bytes: int = _limit(64 * 1024, "Bytes of the frontmatter of one node.")
    moca_frontmatter_values: int = _limit(5_000, "Keys and values in the frontmatter of one node.")
    moca_package_values: int = _limit(
        1_000_000,
        "Keys and values in the frontmatter of all nodes of one package; a node after them is refused.",
    )
    moca_links: int = _limit(
        200_000, "Links in all nodes of one MOCA package; a package with more is not valid."
    )
    moca_frontmatter_depth: int = _limit(
        20, "Collections inside one another in the frontmatter of one node.", most=30
    )
    moca_evidence: int = _limit(256, "Pieces of evidence of one node that are looked for in their sources.")
    moca_source_bytes: int = _limit(
        8 * 1024 * 1024, "Bytes of a source in which evidence is looked for; in a larger one it is unchecked."
    )
    moca_evidence_bytes: int = _limit(
        512 * 1024 * 1024,
        "Bytes of sources that are gone through for all the evidence of one package; the rest is unchecked.",
    )
    moca_attestations: int = _limit(200, "Attestations of one MOCA package; further ones are malformed.")
    moca_attestation_bytes: int = _limit(
        256 * 1024, "Bytes of one attestation, a value in it counting as 32 at least."
    )
    moca_members: int = _limit(200, "Members of one MOCA package, those of its members included.")
    moca_packages: int = _limit(1_000, "Packages in one library of a Reader, members included.")
    moca_chunk_bytes: int = _limit(
        1_200, "Bytes of a node's text that a chunk of its index grows to before the next begins.", least=64
    )
    moca_hits: int = _limit(
        20_000, "Hits of a backend that one search of a Reader looks at until it has its records."
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Limits:
        """Read `PINCITE_LIMIT_<NAME>` from `environ` (default: the process's own).

        Raises:
            SettingError: a value is not a number, is too small or too large, or the name is unknown.
        """
        given = os.environ if environ is None else environ
        known = {f.name: f for f in fields(cls)}
        values: dict[str, Any] = {}
        for key, raw in given.items():
            if not key.startswith(PREFIX):
                continue
            name = key.removeprefix(PREFIX).lower()
            if name not in known:
                msg = f"`{key}` is not a limit; `docs/settings.md` lists them."
                raise SettingError(msg, field=key)
            kind: type[int | float] = int if known[name].type == "int" else float
            try:
                value = kind(raw)
            except ValueError as error:
                msg = f"`{key}` must be a number, not {raw[:40]!r}."
                raise SettingError(msg, field=key) from error
            least, most = known[name].metadata["least"], known[name].metadata["most"]
            if not least <= value <= most:
                msg = f"`{key}` must be from {least} to {most:,}, not {raw[:40]!r}."
                raise SettingError(msg, field=key)
            values[name] = value
        return cls(**values)


def limits_table() -> list[tuple[str, float, str]]:
    """Return (setting, default, what it bounds) of every limit, for the docs."""
    return [
        (PREFIX + f.name.upper(), f.default, str(f.metadata["doc"]))  # type: ignore[misc]
        for f in fields(Limits)
    ]


DEFAULT = Limits()
"""The limits of a call that was given none."""
