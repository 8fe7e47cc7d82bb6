"""Chromium scrolls to the words that a directive of ours names, in any script."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from pincite.core.text_fragments import text_link, words_fragment

if TYPE_CHECKING:
    from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

PARAGRAPHS = [
    "Expenses over 100 EUR require prior approval.",
    "The well-known e.g. U.S. rules (3.5 %, A & B) apply - always; don’t guess!",
    "النفقات التي تزيد عن مئة يورو تحتاج إلى موافقة مسبقة، من المدير.",
    "הוצאות מעל מאה אירו דורשות אישור מראש.",
    "ค่าใช้จ่ายที่เกินหนึ่งร้อยยูโรต้องได้รับอนุมัติล่วงหน้า",
    "费用超过一百欧元需要事先批准，请向经理提交申请。",
    "百ユーロを超える経費は、事前の承認が必要です。",
    "백 유로를 초과하는 경비는 사전 승인이 필요합니다.",
    "सौ यूरो से अधिक के खर्च के लिए पूर्व अनुमति आवश्यक है।",
    "Größere Ausgaben über 1.000,50 € – „nur mit Zustimmung“.",
    "Expenses over 100 EUR require prior approval.",
]
SCRIPT = """<script>addEventListener('load', () => setTimeout(() => {
  const seen = [...document.querySelectorAll('p')].find(p => {
    const box = p.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight; });
  document.title = 'seen:' + (seen ? seen.id : 'nothing');
}, 500))</script>"""


def _seen(page: Path, link: str) -> str:
    """Return the id of the first paragraph that the browser shows when it opens a link."""
    done = subprocess.run(
        [
            str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000",
            f"--user-data-dir={page.parent / 'profile'}", "--dump-dom", link,
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    seen = re.search(r"<title>seen:(\w+)</title>", done.stdout)
    assert seen is not None
    return seen[1]


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("number", range(len(PARAGRAPHS)))
def test_the_browser_scrolls_there(number: int, tmp_path: Path) -> None:
    """Of paragraphs that stand screens apart, the one that is meant is seen; of two alike, the right one."""
    spacer = '<div style="height:4000px"></div>'
    blocks = (
        f'{spacer}<p id="p{place}">{words.replace("&", "&amp;")}</p>'
        for place, words in enumerate(PARAGRAPHS)
    )
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8>{SCRIPT}{''.join(blocks)}{spacer}", encoding="utf-8")
    text = "\n\n".join(PARAGRAPHS)
    start = sum(len(words) + 2 for words in PARAGRAPHS[:number])
    link = text_link(page.as_uri(), text, start, start + len(PARAGRAPHS[number]))
    assert _seen(page, link) == f"p{number}"


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_menu_that_repeats_the_heading_is_not_where_it_lands(tmp_path: Path) -> None:
    """The menu is no part of our text; a light that began at the heading's name would begin there."""
    spacer = '<div style="height:4000px"></div>'
    texts = [
        "Costs need an approval before they are made.",
        "Receipts are due within a month of the purchase.",
    ]
    page = tmp_path / "page.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8>{SCRIPT}<nav><p id=menu>Expenses</p></nav>{spacer}"
        f"<h2>Expenses</h2>{spacer}<p id=first>{texts[0]}</p>{spacer}<p id=second>{texts[1]}</p>{spacer}",
        encoding="utf-8",
    )
    text = "\n\n".join(["Expenses", *texts])
    assert _seen(page, text_link(page.as_uri(), text)) == "first"
    assert _seen(page, f"{page.as_uri()}#{words_fragment(text)}") == "first"
