"""Every error that pincite raises on purpose.

PinciteError                 code, message, field: one plain sentence that says what to do
├── InputError               (also ValueError) the caller gave something that cannot be used
│   ├── MalformedIdError     a string is not an id of the form asked for
│   ├── ScopeError           a scope was given as something other than a collection of ids or keys
│   ├── LimitError           an input is over a limit of `core.limits`
│   ├── CitationRequestError a model provider cannot be asked for citations this way; told before anything is sent
│   └── SettingError         a setting or limit has a value that cannot be read
├── ReadingError             a file could not be turned into a document
│   ├── TooLargeError        over a size, page or memory limit
│   ├── EncryptedError       needs a password
│   ├── DamagedError         the bytes are not what the format says they should be
│   ├── UnsupportedError     no reader for this format
│   ├── TimedOutError        over a time limit
│   ├── EmptyError           opens, but holds no text
│   └── FetchError           an address did not give its page
│       └── AddressError     an address that is not opened, whatever is behind it
├── NotFoundError            (also LookupError) unknown, deleted or not yours: all three alike
├── AccessError              who asks may not
│   ├── UnknownCallerError   no credential, or one that is not known, or not for this door
│   ├── ForbiddenError       a known credential that does not open this
│   └── TooManyError         more requests than are allowed, or than can be served now; `seconds` to wait
├── ConflictError            the thing exists already, and is another
│   ├── KeyClashError        a citation key was registered before with other content
│   └── SourceTakenError     a source key belongs to another document
├── CitationContractError    (also AssertionError) a model is shown or told what is not registered, or the reverse
├── MissingExtraError        (also ImportError) an optional part is not installed
├── RenderError              a page has no image
├── ModelFileError           a model file is not the one that was pinned
├── ModelError               the model that should answer cannot be used, or failed
├── StoreError               the library could not be read or written
└── FailedError              something of ours failed, which is no fault of whoever asked
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class PinciteError(Exception):
    """Root of the tree; `code` is stable, `message` is for people, `field` names the input at fault."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field

    def as_dict(self) -> dict[str, dict[str, str | None]]:
        """Return the one error shape of every door: `{"error": {"code", "message", "field"}}`."""
        return {"error": {"code": self.code, "message": self.message, "field": self.field}}


class InputError(PinciteError, ValueError):
    """The caller gave something that cannot be used."""

    code = "bad_input"


class MalformedIdError(InputError):
    """A string is not an id of the form asked for."""

    code = "malformed"


class ScopeError(InputError):
    """A scope was given as something other than a collection of ids or keys."""

    code = "bad_scope"


class LimitError(InputError):
    """An input is over a limit of `core.limits`."""

    code = "over_limit"


class CitationRequestError(InputError):
    """A model provider cannot be asked for citations in this way; it is raised before the request is sent."""

    code = "citation_request"


class SettingError(InputError):
    """A setting or limit has a value that cannot be read."""

    code = "bad_setting"


class ReadingError(PinciteError):
    """A file could not be turned into a document; `code` is the reason that `pincite add` prints."""

    code = "unreadable"


class TooLargeError(ReadingError):
    """The file is over a size, page or memory limit."""

    code = "too_large"


class EncryptedError(ReadingError):
    """The file needs a password."""

    code = "encrypted"


class DamagedError(ReadingError):
    """The bytes are not what the format says they should be."""

    code = "damaged"


class UnsupportedError(ReadingError):
    """There is no reader for this format."""

    code = "unsupported"


class TimedOutError(ReadingError):
    """Reading took longer than a time limit."""

    code = "timed_out"


class EmptyError(ReadingError):
    """The file opens, but holds no text."""

    code = "empty"


class FetchError(ReadingError):
    """An address did not give its page: no such host, no answer, an error, too many redirects."""

    code = "not_fetched"


class AddressError(FetchError):
    """An address that is not opened: no http, or a host that is not on the public network."""

    code = "address_refused"


class NotFoundError(PinciteError, LookupError):
    """Unknown, deleted or not yours: the three look alike."""

    code = "not_found"


class AccessError(PinciteError):
    """Who asks may not have what is asked for."""

    code = "no_access"


class UnknownCallerError(AccessError):
    """There is no credential, or it is not known, or it is not one for this door."""

    code = "unauthorised"


class ForbiddenError(AccessError):
    """The credential is known, and does not open this."""

    code = "forbidden"


class TooManyError(AccessError):
    """There are more requests than are allowed, or than can be served now; `seconds` is when to ask again."""

    code = "too_many_requests"

    def __init__(self, message: str, *, field: str | None = None, seconds: int = 1) -> None:
        super().__init__(message, field=field)
        self.seconds = seconds


class ConflictError(PinciteError):
    """The thing exists already, and is another."""

    code = "conflict"


class KeyClashError(ConflictError):
    """A citation key was registered before with other content."""

    code = "key_clash"


class SourceTakenError(ConflictError):
    """A source key belongs to another document."""

    code = "source_taken"


class CitationContractError(PinciteError, AssertionError):
    """What a model is shown, what is registered and what it is told differ; `breaches` are all of them, in order."""

    code = "citation_contract"

    def __init__(self, message: str, *, field: str | None = None, breaches: Iterable[Any] = ()) -> None:
        super().__init__(message, field=field)
        self.breaches = tuple(breaches)


class MissingExtraError(PinciteError, ImportError):
    """An optional part is not installed; the message names the command that installs it."""

    code = "missing_extra"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra `{extra}`: pip install 'pincite[{extra}]'.")
        self.extra = extra


class RenderError(PinciteError):
    """A page has no image."""

    code = "no_image"


class ModelFileError(PinciteError):
    """A model file is not the one that was pinned."""

    code = "model_file"


class ModelError(PinciteError):
    """The model that should answer cannot be used, or failed."""

    code = "model"


class StoreError(PinciteError):
    """The library could not be read or written; nothing acknowledged is lost."""

    code = "store"


READING_ERRORS: dict[str, type[ReadingError]] = {
    kind.code: kind
    for kind in (
        TooLargeError,
        EncryptedError,
        DamagedError,
        UnsupportedError,
        TimedOutError,
        EmptyError,
    )
}
"""The reasons of a failed reading, by code: how a worker's answer becomes an error again."""


class FailedError(PinciteError):
    """Something of ours failed, which is no fault of whoever asked; what it was is in the log."""

    code = "failed"
