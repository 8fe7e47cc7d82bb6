"""Whether a record or an event is what it should be: strictly for what goes out, tolerantly for what comes in.

The schemas are our own, written from the page of the event (0.6.0) and the field tables of the 0.4-era record. What
goes out has exactly their keys. What comes in may have more, and values that are newer than we are, with a warning.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.pointers import step
from pincite.core.text import one_line
from pincite.protocols.moca._json import fault_in
from pincite.protocols.moca.diagnostics import Diagnostic, error, warning
from pincite.protocols.moca.moments import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

EVENT_NAME: Final = "moca.citations"
"""The name of the event, as its page has it."""
EVENT_VERSION: Final = 1
"""The version of its value that we write, and the one that we read."""
RECORD_SCHEMA: Final = "citation-record.schema.json"
EVENT_SCHEMA: Final = "ag-ui-citations.schema.json"

# What a newer specification may have added: keys, values of a list, forms of a digest.
_MAY_BE_NEWER = frozenset({"additionalProperties", "enum", "pattern"})
# The name of a caller's schema that has none, and code points of what is said to be wrong with it.
_CALLERS, _REASON = "urn:pincite:moca:records-of-the-caller", 200
# Faults of one value that are told; who has more of them has been told enough.
_FAULTS = 20


@dataclass(frozen=True, slots=True)
class Validated:
    """What was found about a value: `diagnostics`, none of which is an error when `is_valid`."""

    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether there is no error among the remarks."""
        return not any(remark.is_error for remark in self.diagnostics)


@cache
def _schema(name: str) -> dict[str, Any]:
    text = files("pincite.protocols.moca").joinpath("schemas", name).read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a citation record, a copy of your own."""
    return json.loads(json.dumps(_schema(RECORD_SCHEMA)))


def event_schema(records: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the whole event, that of its records inside of it; a copy of your own.

    `records` is the schema of records where you have a newer one than ours.

    Raises:
        InputError: `records` is no schema, or refers to something outside of itself.
    """
    whole: dict[str, Any] = json.loads(json.dumps(_schema(EVENT_SCHEMA)))
    if records is None:
        whole["$defs"]["record"] = record_schema()
        return whole
    own = _own_schema(records)
    whole["$defs"]["record"] = own
    whole["$defs"]["citation"]["properties"]["record"]["$ref"] = own["$id"]
    return whole


def _own_schema(records: object) -> dict[str, Any]:
    """Return a schema of the caller's that has a name, and loads nothing."""
    fault = fault_in(records, depth=DEFAULT.moca_depth, size=DEFAULT.moca_record_bytes)
    if fault is not None or not isinstance(records, dict):
        msg = f"A schema of records is a JSON object. {'' if fault is None else fault.message}".strip()
        raise InputError(msg, field="records")
    own: dict[str, Any] = {"$id": _CALLERS, **json.loads(json.dumps(records))}
    try:
        Draft202012Validator.check_schema(own)
    except SchemaError as wrong:
        msg = f"The schema of records is no JSON Schema of 2020-12: {one_line(wrong.message, _REASON)}"
        raise InputError(msg, field="records") from wrong
    if any(not target.startswith("#") for target in _references(own)):
        msg = "The schema of records refers to something outside of itself; put that into its `$defs`."
        raise InputError(msg, field="records")
    return own


def _references(value: object) -> Iterator[str]:
    """Yield what a schema refers to."""
    if isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            if key in ("$ref", "$dynamicRef") and isinstance(item, str):
                yield item
            yield from _references(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _references(item)


@cache
def _records() -> Draft202012Validator:
    return Draft202012Validator(_schema(RECORD_SCHEMA))


@cache
def _events() -> Draft202012Validator:
    return Draft202012Validator(event_schema())


def strict(record: object, *, limits: Limits = DEFAULT) -> Validated:
    """Say whether a record may go out: plain JSON, exactly the keys of the schema, and no contradiction in itself."""
    return _validated(record, limits, tolerates=False)


def tolerant(record: object, *, limits: Limits = DEFAULT) -> Validated:
    """Say whether a record may be taken: plain JSON, the required keys and types, and no contradiction in itself.

    A key or a value that is not known is a warning: a newer specification may have added it.
    """
    return _validated(record, limits, tolerates=True)


def valid_event(
    event: object, *, schema: Mapping[str, Any] | None = None, limits: Limits = DEFAULT
) -> Validated:
    """Say whether an event, as its page shows it, may go out: `{"type", "name", "value"}` and nothing unknown in it.

    Its records are looked at by the schema alone; `strict` tells the rest of each. `schema` is what `event_schema`
    gives for a newer schema of records.
    """
    fault = fault_in(event, depth=limits.moca_depth, size=limits.moca_event_bytes)
    if fault is not None:
        return Validated((error(fault.code, fault.message, fault.path),))
    validator = _events() if schema is None else Draft202012Validator(schema)
    found = _of_schema(validator, event, tolerates=False)
    if not found:
        value = cast("dict[str, Any]", event)["value"]
        if "computedAt" in value and moment_of(value["computedAt"]) is None:
            found.append(error("no_moment", "`computedAt` is no moment that there is.", "/value/computedAt"))
    return Validated(tuple(found))


def _validated(record: object, limits: Limits, *, tolerates: bool) -> Validated:
    fault = fault_in(record, depth=limits.moca_depth, size=limits.moca_record_bytes)
    if fault is not None:
        return Validated((error(fault.code, fault.message, fault.path),))
    found = _of_schema(_records(), record, tolerates=tolerates)
    if not any(remark.is_error for remark in found):
        found += _lints(cast("dict[str, Any]", record))
    return Validated(tuple(found))


def _of_schema(validator: Draft202012Validator, value: object, *, tolerates: bool) -> list[Diagnostic]:
    """Return what the schema finds, as much of it as anybody reads; an error is among it whenever there is one."""
    faults = cast("Iterable[Any]", validator.iter_errors(cast("Any", value)))  # pyright: ignore[reportUnknownMemberType] - its stubs leave types open
    errors: list[Diagnostic] = []
    warnings: list[Diagnostic] = []
    for fault in faults:
        rule = str(fault.validator)
        is_warning = tolerates and rule in _MAY_BE_NEWER
        if is_warning and len(warnings) == _FAULTS:
            continue
        path = "".join(f"/{step(str(one))}" for one in fault.absolute_path)
        code = f"schema_{_SNAKE.get(rule, rule)}"
        if is_warning:
            warnings.append(warning(code, _sentence(rule, fault), path))
            continue
        told = error(code, _sentence(rule, fault), path)
        if told in errors:
            continue  # each key that is missing is a fault of its own, and one sentence names them all
        errors.append(told)
        if len(errors) == _FAULTS:
            break
    return errors + warnings


_SNAKE: Final = {
    "additionalProperties": "unknown_key", "enum": "unknown_value", "minLength": "empty", "minimum": "too_small",
}  # fmt: skip


def _sentence(rule: str, fault: Any) -> str:  # noqa: ANN401 - an error of jsonschema
    """Say what is wrong in words of ours: jsonschema's may hold the whole value."""
    if rule == "required":
        missing = [name for name in fault.validator_value if name not in fault.instance]
        return f"It has no {', '.join(f'`{name}`' for name in missing)}."
    if rule == "type":
        wanted = fault.validator_value
        return f"It is not of the type {wanted if isinstance(wanted, str) else ' or '.join(wanted)}."
    if rule == "additionalProperties":
        known = fault.schema.get("properties", {})
        more = [name for name in fault.instance if name not in known]
        return f"It has keys that are not known: {', '.join(f'`{name[:40]}`' for name in more[:5])}."
    if rule == "enum":
        return f"It is none of {', '.join(map(str, fault.validator_value))}."
    if rule == "pattern":
        return "It has not the form that it should have."
    if rule == "const":
        return f"It is not {fault.validator_value}."
    if rule == "minLength":
        return "It is empty."
    return f"It breaks the rule `{rule}` of the schema."


def _lints(record: dict[str, Any]) -> Iterator[Diagnostic]:
    """Yield where a record that keeps to the schema contradicts itself."""
    package, node, span = record["package"], record["node"], record.get("span")
    wanted = f"{package['id']}#{node['path']}"
    if node["id"] != wanted:
        yield error("other_id", "`node.id` is not the package's id, `#` and the path.", "/node/id")
    wanted = f"{package['id']}@{package['version']}#{node['path']}"
    if node["ref"] != wanted:
        yield error(
            "other_ref",
            "`node.ref` is not the package's id, `@`, its version, `#` and the path.",
            "/node/ref",
        )
    if span is not None:
        if span["start"] > span["end"]:
            yield error("backward_span", "The span ends before it begins.", "/span")
        elif "text" in record and len(record["text"].encode()) != span["end"] - span["start"]:
            yield warning("other_length", "The text has another length in bytes than the span.", "/text")
    trust = record["trust"]
    if package.get("signers") and not package["signed"]:
        yield warning("unsigned_signers", "There are signers, and it is not signed.", "/package/signers")
    for flag, names in (("superseded", "supersededBy"), ("contested", "contestedBy")):
        if trust.get(names) and not trust[flag]:
            yield warning(
                f"not_{flag}", f"`{names}` names something, and `{flag}` is false.", f"/trust/{names}"
            )
