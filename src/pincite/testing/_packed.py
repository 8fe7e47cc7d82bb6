"""Deflated data of gigabytes, made in milliseconds: one piece is packed, and its bytes stand there again and again."""

from __future__ import annotations

import zlib


def packed(piece: bytes, times: int, *, head: bytes = b"", tail: bytes = b"") -> tuple[bytes, int]:
    """Return `head`, `piece` so many times and `tail`, as raw deflate, and the size that it inflates to.

    A full flush ends in a whole byte and forgets what was before, so the packed piece may follow on itself (RFC 1951).
    """
    whole = bytearray()
    for part, count in ((head, 1), (piece, times)):
        maker = zlib.compressobj(9, zlib.DEFLATED, -15)
        whole += (maker.compress(part) + maker.flush(zlib.Z_FULL_FLUSH)) * count
    maker = zlib.compressobj(9, zlib.DEFLATED, -15)
    whole += maker.compress(tail) + maker.flush()
    return bytes(whole), len(head) + len(piece) * times + len(tail)


def checksum(piece: bytes, times: int, *, head: bytes = b"", tail: bytes = b"") -> int:
    """Return the CRC-32 of all that `packed` holds; it reads every byte of it."""
    value = zlib.crc32(head)
    for _ in range(times):
        value = zlib.crc32(piece, value)
    return zlib.crc32(tail, value)


def zeros(count: int) -> bytes:
    """Return a zlib stream of so many megabytes (2^20) of zeros."""
    raw, size = packed(b"\0" * (1 << 20), count)
    # Adler-32 of zeros: the first sum stays 1, and the second counts them (RFC 1950).
    return b"\x78\xda" + raw + (((size % 65_521) << 16) | 1).to_bytes(4, "big")
