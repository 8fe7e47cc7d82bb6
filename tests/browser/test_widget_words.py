"""Which words of a page the widget lights, and whether a reader sees them: made-up pages, and no server behind them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from absent import missing
from console_parts import NARROW, WIDE
from pincite.core.fold import fold
from pincite.core.text_fragments import words_fragment
from pincite.server import static

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page, Route

ROOT: Final = Path(__file__).resolve().parent.parent.parent
BUILT: Final = Path(static.__file__).parent / "static" / "widget.js"
SITE: Final = "https://site.example/page"
SERVER: Final = "https://pincite.example"
KEY: Final = "kve_0123456789abcdefghij"
WORDS: Final = "Receipts are kept for seven years."
PICTURE: Final = "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='2400'/>"
LIT: Final = "() => [...(CSS.highlights.get('pincite-cited') ?? [])]"
FILLER: Final = "<p>Something else stands here, and says nothing of it.</p>"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A visitor whose network is made up. No test may end with a fault of a page."""
    found = chromium.new_context(viewport=WIDE, reduced_motion="reduce")
    faults: list[str] = []
    found.on("weberror", lambda error: faults.append(str(error.error)))
    found.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield found
    found.close()
    assert faults == []


def arrived(context: BrowserContext, html: str, words: str = WORDS, **asked: Any) -> Page:
    """Return a page at which a visitor arrives who was sent there for `words`."""
    page = context.new_page()
    config: dict[str, Any] = {"name": "A", "greeting": "", "theme": {}, "previews": False}

    def answer(route: Route) -> None:
        url = route.request.url
        headers = {
            "Content-Security-Policy": f"default-src 'self'; script-src {SERVER}; connect-src {SERVER}"
        }
        if url == f"{SERVER}/widget.js":
            route.fulfill(
                body=BUILT.read_text(encoding="utf-8"), content_type="text/javascript; charset=utf-8"
            )
        elif url.startswith(SERVER):
            route.fulfill(json=config, headers={"access-control-allow-origin": "*"})
        elif url == SITE:
            # Styles come by attribute from the test alone; a site's policy says nothing of them here.
            headers["Content-Security-Policy"] += "; style-src 'unsafe-inline'"
            tag = f"<script src='{SERVER}/widget.js' data-key='{KEY}'></script>"
            head = "<!doctype html><html lang=en><title>Page</title><meta name=viewport content='width=device-width'>"
            route.fulfill(
                body=f"{head}<body>{html}{tag}", content_type="text/html; charset=utf-8", headers=headers
            )
        elif url.endswith(".svg"):
            time.sleep(0.4)
            route.fulfill(body=PICTURE, content_type="image/svg+xml")
        else:
            route.fulfill(status=404)

    page.route("**/*", answer)
    pending = {
        "url": SITE,
        "words": [
            {"exact": words, "before": asked.get("before", ""), "behind": asked.get("behind", "")},
        ],
        "passage": asked.get("passage", words),
        "message": "m",
        "index": 0,
    }
    kept: dict[str, Any] = {
        "thread": "t",
        "open": asked.get("is_open", False),
        "questions": [],
        "pending": pending,
    }
    page.add_init_script(
        f"sessionStorage.getItem('was') || sessionStorage.setItem('pincite:{KEY[-12:]}',"
        f" {json.dumps(json.dumps(kept))}); sessionStorage.setItem('was', '1');"
    )
    if "before_all" in asked:
        page.add_init_script(asked["before_all"])
    if asked.get("is_hurried"):
        page.clock.install()
    page.goto(SITE)
    if asked.get("is_hurried"):
        page.clock.run_for(6_000)
    return page


def lit(page: Page) -> list[str]:
    """Return the texts of what is lit."""
    expect(page.get_by_role("button", name="Clear")).to_be_visible()
    found: list[str] = page.evaluate(f"({LIT})().map(String)")
    return found


def place(page: Page) -> dict[str, float]:
    """Return the box of what is lit, in the view."""
    lit(page)
    found: dict[str, float] = page.evaluate(f"({LIT})()[0].getBoundingClientRect().toJSON()")
    return found


def is_in_the_middle(page: Page) -> bool:
    """Say whether what is lit stands in the middle half of the view."""
    box, height = place(page), page.evaluate("innerHeight")
    return height / 4 < (box["top"] + box["bottom"]) / 2 < height * 3 / 4


# -- whether they are seen -------------------------------------------------------------------------


def test_words_far_down_a_long_paragraph_are_in_view(context: BrowserContext) -> None:
    """The words are scrolled to, and not the paragraph that they stand in."""
    filler = "Something else stands here, and says nothing of it. " * 600
    page = arrived(context, f"<p>{filler}{WORDS} {filler}</p>")
    assert lit(page) == [WORDS]
    assert is_in_the_middle(page)


def test_words_in_parts_that_scroll_by_themselves_are_in_view(context: BrowserContext) -> None:
    """Each part that scrolls is scrolled, upright and sideways, and the page with them."""
    inner = f"<div style='width:3000px'>{FILLER * 60}<p style='padding-left:2000px'>{WORDS}</p>{FILLER * 60}</div>"
    boxes = (
        f"<div style='height:500px;overflow:auto'>{FILLER * 40}<div id=inner style='height:200px;overflow:auto'>"
        f"{inner}</div>{FILLER * 40}</div>"
    )
    page = arrived(context, FILLER * 60 + boxes + FILLER * 60)
    assert lit(page) == [WORDS]
    assert is_in_the_middle(page)
    box = place(page)
    frame: dict[str, float] = page.evaluate(
        "document.getElementById('inner').getBoundingClientRect().toJSON()"
    )
    assert frame["top"] <= box["top"] < box["bottom"] <= frame["bottom"]
    assert frame["left"] <= box["left"] < box["right"] <= frame["right"]


def test_words_are_not_put_under_what_sticks_to_the_edge(context: BrowserContext) -> None:
    """A passage that is higher than the view begins below a header that stays, and one that sticks."""
    passage = "The rule is long and has many parts. " * 400
    header = "<header style='position:sticky;top:0;height:150px;background:#ccc'>Site</header>"
    bar = "<nav style='position:sticky;top:150px;height:50px;background:#ddd'>Menu</nav>"
    page = arrived(
        context, f"{header}{FILLER * 80}{bar}{FILLER * 5}<p>{passage}</p>{FILLER * 80}", passage.strip()
    )
    assert 200 <= place(page)["top"] < 240


def test_what_loads_late_does_not_move_the_words_away(context: BrowserContext) -> None:
    """A picture in front of them that comes when they are lit is followed by the view."""
    page = arrived(context, f"<img src='/high.svg' alt=''>{FILLER * 40}<p>{WORDS}</p>{FILLER * 80}")
    page.wait_for_load_state("load")
    assert is_in_the_middle(page)


def test_a_panel_that_fills_the_screen_gives_way(context: BrowserContext) -> None:
    """On a phone the words are seen, a bar of one line says so, and it leads to the answer."""
    small = context.browser
    assert small is not None
    phone = small.new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    page = arrived(phone, f"{FILLER * 40}<p>{WORDS}</p>{FILLER * 40}", is_open=True)
    assert lit(page) == [WORDS]
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert is_in_the_middle(page)
    bar = page.locator(".lit").bounding_box()
    assert bar is not None
    assert bar["height"] < 64
    assert bar["x"] + bar["width"] <= NARROW["width"]
    for button in page.locator(".lit button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= bar["x"] + bar["width"]
    page.get_by_role("button", name="Answer").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    phone.close()


def test_a_panel_that_lies_over_the_words_gives_way(context: BrowserContext) -> None:
    """Words in a column under the panel are seen, and the panel stays where it covers nothing."""
    page = arrived(context, f"<p style='margin-left:850px'>{WORDS}</p>{FILLER * 80}", is_open=True)
    lit(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    page = arrived(
        context, f"{FILLER * 80}<p style='margin-left:850px'>{WORDS}</p>{FILLER * 80}", is_open=True
    )
    lit(page)
    expect(page.get_by_role("dialog")).to_be_hidden()
    page = arrived(context, f"{FILLER * 80}<p>{WORDS}</p>{FILLER * 80}", is_open=True)
    lit(page)
    expect(page.get_by_role("dialog")).to_be_visible()


# -- which they are --------------------------------------------------------------------------------

UNSEEN: Final = (
    "<p style='display:none'>{}</p>",
    "<p style='visibility:hidden'>{}</p>",
    "<p hidden>{}</p>",
    "<div hidden><p>{}</p></div>",
    "<details><summary>More</summary>{}</details>",
    "<script type='text/plain'>{}</script>",
    "<style>/* {} */</style>",
    "<noscript>{}</noscript>",
    "<template>{}</template>",
    "<textarea>{}</textarea>",
    "<p aria-hidden='true'>{}</p>",
    "<p style='position:absolute;left:-9999px'>{}</p>",
    "<p style='position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'>{}</p>",
)


def test_what_nobody_sees_is_not_lit_in_place_of_what_is_seen(context: BrowserContext) -> None:
    """However a copy is hidden, the one that is seen is lit, and the other one is not what is looked at."""
    copies = "".join(one.format(WORDS) for one in UNSEEN)
    page = arrived(context, f"{copies}<p id=here>{WORDS}</p>{copies}")
    assert lit(page) == [WORDS]
    assert page.evaluate(f"({LIT})()[0].startContainer.parentElement.id") == "here"


def test_what_is_shown_in_odd_ways_is_lit(context: BrowserContext) -> None:
    """Elements without a box of their own, and what is shown again inside of what is invisible."""
    for html in (
        f"<div style='display:contents'><p style='display:contents'>{WORDS}</p></div>",
        f"<div style='visibility:hidden'>{WORDS}<p style='visibility:visible'>{WORDS}</p></div>",
        f"<details open><summary>More</summary>{WORDS}</details>",
        "<p aria-label='Receipts'>"
        + "".join(
            f"<span aria-hidden=true style='display:inline-block;white-space:pre'>{one}</span>"
            for one in WORDS
        )
        + "</p>",
        "<p>" + "<wbr>".join(WORDS) + "</p>",
    ):
        page = arrived(context, html)
        assert [one.replace("\n", "") for one in lit(page)] == [WORDS], html
        page.close()


def test_what_is_hidden_alone_is_not_on_the_page(context: BrowserContext) -> None:
    """Nothing is opened and nothing is changed; the visitor is told that the words are not there."""
    html = "".join(one.format(WORDS) for one in UNSEEN if "aria-hidden" not in one)
    page = arrived(context, html, is_hurried=True)
    expect(page.locator(".lit")).to_contain_text("not on this page any more")
    assert page.evaluate(LIT) == []
    assert page.locator("details[open]").count() == 0


def test_words_are_not_found_inside_of_others(context: BrowserContext) -> None:
    """Not where elements cut a word either; the edges of cells and items part words, with or without white space."""
    near = "<p>110 euro, 1<b>10 euro</b>, 10 euro<i>s</i> and 3.10 euro</p>"
    for here in (
        "<table><tr><td>Fee</td><td id=here>10 euro</td><td>Per year</td></tr></table>",
        "<ul><li>Fee</li><li id=here>10 euro</li><li>Per year</li></ul>",
        "<p>Fee<br><span id=here>10 euro</span><br>Per year</p>",
        "<p><span style='display:block'>Fee</span><span id=here style='display:block'>10 euro</span>9</p>",
    ):
        page = arrived(context, near + here, "10 euro")
        assert lit(page) == ["10 euro"], here
        assert page.evaluate(f"({LIT})()[0].startContainer.parentElement.id") == "here"
        page.close()


def test_signs_powers_and_marks_are_kept(context: BrowserContext) -> None:
    """A range is no minus, a square comes before a digit, and decomposed letters are found whole."""
    for html, words, found in (
        ("<p>3–5 C</p><p>is \u22125 C</p>", "-5 C", "\u22125 C"),
        ("<p>20 m2</p><p>20 m²</p>", "20 m²", "20 m²"),
        ("<p>20 m<sup>2</sup></p>", "20 m2", "20 m2"),
        ("<p>Das <b>Cafe</b>\u0301 o\u0308ffnet um acht.</p>", "Café öffnet", "Cafe\u0301 o\u0308ffnet"),
        ("<p>Das Café öffnet.</p>", "Cafe\u0301 o\u0308ffnet", "Café öffnet"),
    ):
        page = arrived(context, html, words)
        assert lit(page) == [found]
        page.close()


def test_of_a_thousand_places_the_right_one_is_lit(context: BrowserContext) -> None:
    """Words that stand on a page very often are told apart by what is around them."""
    rows = "".join(f"<p id=r{number}>Room {number} costs 10 euro a day.</p>" for number in range(1_500))
    page = arrived(context, rows, "10 euro", before="Room 1387 costs ", behind=" a day.")
    assert page.evaluate(f"({LIT})()[0].startContainer.parentElement.id") == "r1387"
    assert is_in_the_middle(page)


def test_without_the_highlight_api_boxes_lie_over_the_words(context: BrowserContext) -> None:
    """They are where the words are, also when a part of the page scrolls under them, and go when they are cleared."""
    inner = f"{FILLER * 20}<p id=here>{WORDS}</p>{FILLER * 30}"
    html = f"{FILLER * 60}<div id=inner style='height:300px;overflow:auto'>{inner}</div>"
    page = arrived(context, html, before_all="delete globalThis.Highlight; delete CSS.highlights;")
    box = page.locator(".boxes div")
    expect(box).to_have_count(1)

    def is_over() -> bool:
        return bool(
            page.evaluate(
                """() => {
                  const range = document.createRange();
                  range.selectNodeContents(document.getElementById("here"));
                  const [words, box] = [range, document.querySelector("pincite-widget").shadowRoot
                    .querySelector(".boxes div")].map((one) => one.getBoundingClientRect());
                  return ["left", "top", "width", "height"].every((side) => Math.abs(words[side] - box[side]) < 1);
                }"""
            )
        )

    assert is_over()
    page.evaluate(
        "new Promise((done) => { inner.scrollBy(0, 40); requestAnimationFrame(() => setTimeout(done, 9)); })"
    )
    assert is_over()
    page.get_by_role("button", name="Clear").click()
    expect(box).to_have_count(0)


# -- the same as the library -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def said() -> Callable[[str, list[str]], list[str]]:
    """What the widget's own code makes of texts, in Node: their `folds`, or the `fragments` that lead to them."""
    node = [sys.executable, str(ROOT / "tools" / "node.py")]
    if subprocess.run([*node, "install"], check=False, capture_output=True).returncode:
        missing("There is no Node, or npm does not get what the widget is built with.")

    def made(what: str, texts: list[str]) -> list[str]:
        done = subprocess.run(
            [*node, "run", "alike"],
            input=json.dumps({"folds": [], "fragments": [], what: texts}),
            check=True,
            capture_output=True,
            text=True,
        )
        # npm says first what it runs.
        found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
        return found[what]

    return made


def test_the_widget_folds_as_the_library_does(said: Callable[[str, list[str]], list[str]]) -> None:
    """Every letter and sign that is known, alone, inside of a word and inside of a number; white space aside."""
    known = (chr(code) for code in range(0x20, 0x20000) if not 0xD800 <= code < 0xE000)
    texts = [f"e {one} ab{one}cd 12{one}34" for one in known if unicodedata.category(one) != "Cn"]
    texts += [
        "a \u22125",
        "5 \u2212 a",
        "m\u00b2\u207b\u00b3",
        "10\u00b2",
        "1\u02e2\u1d57",
        "5\u20322\u2033",
        "\uff76\uff9e",
        "e\u0301\u0323",
    ]
    made = said("folds", texts)
    pairs = (
        (text, mine.replace(" ", ""), fold(text).text.replace(" ", ""))
        for text, mine in zip(texts, made, strict=True)
    )
    other = [(text, mine, theirs) for text, mine, theirs in pairs if mine != theirs]
    assert other == []


PIECES: Final = (
    *"alpha Be - 1. ß İ Straße 。 二重 壁 」 ， 😀 é e\u0301 a,b&c-d (x)!'*~_. ﬁ ΑΣ ς word word the ẞ ٣. Çok ı".split(),
    *("\n", "\n\n", "  ", " | ", "|", "\t", "\u00a0", "\u3000", "\x1c", "\x85", "\ufeff"),
    *("x" * 90, "字" * 30, "q" * 210),
)


def test_the_widget_makes_the_links_that_the_library_makes(
    said: Callable[[str, list[str]], list[str]],
) -> None:
    """The same directive for the same words, in any script, however long they are."""
    choose = random.Random(5)
    made = [
        "".join(
            choose.choice(PIECES) + choose.choice(["", " ", " "])
            for _ in range(choose.choice([1, 3, 8, 30, 90]))
        )
        for _ in range(1_000)
    ]
    made += [
        "wort " * 3_000,
        "字" * 12_000,
        "ab cd\n" * 2_500,
        "",
        "Fee",
        "The fee is 10 euro.",
        "a\n" + "b " * 80,
    ]
    assert said("fragments", made) == [words_fragment(one) for one in made]
