"""The names' endings of source code, by the family of languages whose definitions begin alike."""

from __future__ import annotations

from typing import Final

FAMILIES: Final = {
    "python": ".py .pyi .pyx",
    "script": ".js .mjs .cjs .jsx .ts .tsx .mts .cts .vue .svelte",
    "curly": (
        ".java .kt .kts .scala .swift .cs .rs .php .dart .groovy .c .h .cc .cpp .cxx .hh .hpp .hxx .m .mm .zig"
    ),
    "go": ".go",
    "ruby": ".rb",
    "shell": ".sh .bash .zsh",
    "r": ".r",
    "lua": ".lua",
    "elixir": ".ex .exs",
    "perl": ".pl .pm",
    "sql": ".sql",
    "sections": ".toml .ini .cfg .conf .properties",
}
"""Families whose definitions are told by how their first line begins."""

_OTHERS = (
    ".yaml .yml .xml .css .scss .less .hs .ml .mli .clj .cljs .erl .fs .fsx .vb .ps1 .bat .cmd .asm .s .jl .nim .tf"
    " .hcl .proto .graphql .gql .gradle .cmake .mk .tex .bib .sol .vhd .vhdl .v .sv .f .f90 .f95 .pas .lisp .el .scm"
    " .diff .patch .awk .sed .dockerfile .nix"
)

SOURCE_SUFFIXES: Final = tuple(" ".join((*FAMILIES.values(), _OTHERS)).split())
"""All of them."""
