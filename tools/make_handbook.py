# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "fpdf2==2.8.9",
#   "fonttools==4.68.0",
#   "uharfbuzz==0.57.0",
#   "font-source-sans-pro==0.0.1",
#   "font-source-serif-pro==0.0.1",
# ]
# ///
"""Set the staff handbook of an invented company as ``examples/handbook.pdf``.

Run it with ``uv run tools/make_handbook.py``, or with any Python that has the packages named above. The same packages give the same
bytes on every run: the creation date is fixed and the file id is a hash of the content.

The page is set to be as hard to read back as a real one: text is shaped, so ``fi`` and ``ffi`` are single glyphs; words are broken
at soft hyphens; a paragraph runs over a page break; section 8 stands in two columns; tables have no vertical rules.

All of it is invented. The fonts are Source Serif Pro and Source Sans Pro (SIL Open Font License 1.1), embedded as subsets.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = Path(__file__).parent.parent / "examples" / "handbook.pdf"
CREATED = datetime(2025, 12, 15, 9, 0, tzinfo=UTC)
COMPANY = "Halvick Instruments"
EDITION = "Edition 7, valid from 1 January 2026"

# A4 in points. `GUTTER` parts the two columns; `HANG` is the indent of a list item and `PAD` that of a table cell.
WIDTH, HEIGHT = 595.28, 841.89
LEFT, RIGHT, TOP, BOTTOM = 72.0, WIDTH - 72.0, 86.0, HEIGHT - 72.0
GUTTER, HANG, PAD = 24.0, 14.0, 6.0
INK, ACCENT, MUTED, TINT = (33, 37, 41), (18, 84, 96), (104, 113, 120), (232, 240, 241)

# The text, in a markup of seven line starts: `# ` section, `## ` clause, `- ` list item, `| ` table row (the first is its head),
# `[page]`, `[columns]` and `[one column]`; anything else is a paragraph. `~` marks a place where a word may be hyphenated.
TEXT = """
[page]
# About this handbook
## Who it applies to
This handbook applies to everyone employed by Halvick Instruments, including part-time staff and apprentices. It does not apply to \
contractors, except for section 8 on information security, which binds anyone who uses our systems.
Where your employment contract and this handbook differ, the contract takes precedence. Where the handbook is silent, ask the people \
lead before you act; a wrong guess is harder to put right than a short delay.
## How it changes
The people lead publishes a new edition every January. A decision recorded in the minutes of the management meeting takes effect on \
the date it names, even if the handbook has not yet been reprinted. If two documents disagree, the later decision applies.
## Roles named in this handbook
Rules here refer to roles rather than to people, so that they remain correct when someone changes jobs. Your line manager is the \
person who signs off your time sheet. The people lead, the finance lead, the operations lead and the security officer each have a \
deputy, who may decide in their place when they are away for more than two working days.

# Working hours
## The working week
The standard working week is 38 hours for full-time staff, spread over Monday to Friday. You may start at any time between 07:00 and \
10:00, except on days when you are rostered for the service desk, which opens at 08:00. Core hours are 10:00 to 15:00.
You are entitled to an unpaid break of 30 minutes if you work more than six hours in a day, and to a further 15 minutes if you work \
more than nine. Breaks cannot be saved up to leave early.
## Overtime
Overtime must be agreed with your line manager before it is worked. The first 10 hours of overtime in a calendar month are taken as \
time off; any further hours are paid at 125 per cent of your hourly rate. Overtime on a Sunday or a public holiday is always paid, at \
150 per cent.
Such time off must be used within six months, unless the operations lead extends it in writing.
## Workshop shifts
The workshop at North Quay runs an early shift from 06:00 to 14:00 and a late shift from 14:00 to 22:00. The late shift carries an \
allowance of 2.40 EUR per hour. Shift plans are posted three weeks ahead, and two people may swap shifts if both tell the shift \
coordinator by noon on the day before.
## Recording your time
Enter your hours in the time sheet by 12:00 on the first working day of the following week. Late entries delay the payroll for \
everyone, so a missing time sheet is filled in by your line manager with the standard hours and corrected a month later.

[page]
# Annual leave
## Entitlement
Full-time staff receive 27 days of paid annual leave in each calendar year, in addition to public holidays. The entitlement rises to \
29 days after five full years of service and to 31 days after ten. Part-time staff receive a share in proportion to their working days.
In the year you join, you earn one twelfth of the annual entitlement for each full month of employment. You may take leave during \
your probation, but no more than you have earned so far.
## Asking for leave
Ask for up to three days of leave at least one week ahead, and for longer leave at least six weeks ahead. Your line manager answers \
within five working days; a request that has not been answered by then counts as approved.
No leave is granted to finance staff between 2 and 15 January, when the annual accounts are closed, except for family emergencies.
## Carrying leave over
Up to five unused days may be carried into the next year and must be taken by 31 March. Days not taken by then lapse, unless sickness \
or parental leave prevented you from taking them.
## Special leave
On full pay and without touching your annual leave you may take:
- one day for moving house, at most once in two years;
- two days for your own wedding;
- three days after the death of a partner, parent or child, and one day after that of another close relative.

# Remote work
## How often
Once you have completed your probation of six months, you may work remotely for up to two days a week. Staff whose tasks are tied to \
the workshop or the calibration laboratory may work remotely only for documentation and training, up to two days a month.
## Where
You and your line manager sign a remote work agreement, which is reviewed every twelve months. Remote work from another country is \
limited to 20 working days a year and must be approved by the people lead at least four weeks ahead.
## Costs
Staff who work remotely on at least four days in a month receive a flat allowance of 25 EUR for that month. It covers electricity, \
heating and the internet connection, and it is not paid for months spent entirely on leave.

[page]
# Expenses
## Approval
Halvick Instruments reimburses costs that you incur on its behalf if they are necessary, reasonable and supported by a receipt. \
Expenses over 100 EUR require prior approval from your line manager. Expenses over 1,000 EUR also require the approval of the finance \
lead. A purchase must not be split to stay below a limit.
Approval after the event is possible only in an emergency, and you must then ask for it within two working days.
## Receipts and claims
Submit receipts within 30 days of the purchase. Claims older than 90 days are not paid, unless you were on sick leave for most of \
that time. If a receipt is lost, a signed statement is accepted for amounts up to 25 EUR, no more than three times a year.
Claims filed by the 20th of a month are paid with that month's salary. Amounts in another currency are converted at the rate shown on \
your card statement.
## Mileage
If you use your own car for company business, we pay 0.30 EUR per kilometre. For each colleague who travels with you, the rate rises \
by 0.05 EUR per kilometre. Journeys by bicycle are paid at 0.15 EUR per kilometre. Commuting between your home and your usual place of \
work is not reimbursed.
## Meals
On journeys of more than eight hours we reimburse meals up to the caps below. The caps include drinks and tips.
| Meal | At home | Abroad | Receipt needed
| Breakfast | 12 EUR | 15 EUR | yes
| Lunch | 18 EUR | 24 EUR | yes
| Dinner | 32 EUR | 42 EUR | yes
| Snacks, per day | 6 EUR | 8 EUR | no
Alcohol is not reimbursed, except at a customer dinner approved by the sales lead.
## Not reimbursed
We do not pay for:
- traffic fines and parking penalties;
- seat upgrades, lounge access and in-room films;
- gifts worth more than 40 EUR, whoever receives them.

[page]
# Travel
## Booking
Book journeys through the travel desk at least 14 days ahead. Bookings made elsewhere are reimbursed only if the travel desk was \
closed and the journey could not wait. Take the train where you can; a flight may be booked only if the train would take more than \
six hours from door to door.
Trains are booked in second class, except for journeys of more than four hours, for which first class is allowed. Flights are booked \
in economy class, whatever their length.
## Hotels
A hotel may cost up to 130 EUR per night including breakfast, or 170 EUR in a capital city. If nothing suitable is offered within the \
cap, the travel desk may raise it by up to 20 per cent for a single stay.
## Travel time
Travel time on a working day counts as working time, up to ten hours a day. Travel on a Saturday or Sunday is credited hour for hour \
as time off, unless you chose the weekend for private reasons.
## Advances and safety
The finance office pays an advance of up to 500 EUR if you ask for it at least five working days before departure. Journeys outside \
Europe need a safety briefing from the security officer, which is valid for twelve months.

# Equipment
## What you receive
Every employee whose work requires it receives a laptop, which is replaced after four years, and a headset. Workshop staff receive \
protective clothing and may spend up to 120 EUR on safety shoes every 24 months. Staff with a remote work agreement may spend up to \
300 EUR, once, on a desk or a chair for their home.
## Care and loss
Equipment remains the property of the company. Report loss or theft to the IT desk within 24 hours, and to the police if the item was \
stolen. You are not charged for damage, unless it was caused on purpose or through gross carelessness.
## Instruments on loan
Flow meters, level probes and loggers may be borrowed for demonstrations for up to 14 days. Sign them out at the calibration \
laboratory, and return them clean, dry and in their original case.

[page]
[columns]
# Information security
## Passwords
A password must have at least 14 characters and be used for one account only. Every account that can be reached from outside the \
office needs a second factor. Passwords are never shared, not even with the IT desk; an admin~is~tra~tor who needs access to your \
work has other means.
## Screens and desks
Lock your screen whenever you leave your desk; it locks by itself after five minutes. Confi~den~tial papers are locked away \
over~night and shredded on site.
## Three classes of information
Public information may be shown to anyone. Internal information stays within the company and its con~trac~tors. Confidential \
information may be seen only by people whom its owner has named, and is encrypted wherever it is stored.
Information that nobody has classified is treated as internal.
## Removable media
USB sticks and memory cards may not be connected to company computers, except for encrypted drives issued by the IT desk.
## Online services
Confidential information must not be entered into an online service, including trans~lation and writing assistants, unless the \
security officer has approved that service. The list of approved services is reviewed every quarter.
## Reporting an incident
Report a suspected incident to the security officer within one hour, at any time of day or night. Nobody is blamed for a report made \
in good faith, even if it was their own click that started the trouble.
Do not switch the computer off. Discon~nect it from the network and wait for instruc~tions.
## Visitors
Visitors sign in at the front office, wear a badge and are accompanied at all times. The badge expires at 18:00 on the day of issue. \
Photographs in the workshop need the consent of the oper~ations lead.
## Training
Everyone completes the security training by 30 September each year. It takes about 45 minutes. Accounts of staff who have not \
finished it by 31 October are suspended until they do.
## Work on site
Staff who visit customers take only the files they need, and follow the customer's own rules where these are stricter. Log files \
copied from a customer's flow computer are confi~dential and are deleted ten working days after the job is finished.
## Phones
A private phone may be used for company e-mail if it has a screen lock and receives security updates. The IT desk can erase the \
company's data from it, but neither sees nor erases anything else.
## Updates
Updates are installed within seven days of their release, or within 24 hours if the security officer marks them as urgent. \
Instru~ments in the labor~atory are exempt while a meas~ure~ment is running.
[one column]

[page]
# Sickness
## Telling us
If you are too ill to work, tell your line manager by 09:00 on the first day. Workshop staff call the shift coordinator at least one \
hour before their shift begins. Say how long you expect to be away; you do not have to say what is wrong.
A medical certificate is required from the fourth calendar day of absence. Your line manager may ask for one from the first day only \
if the people lead agrees.
## Pay during sickness
Halvick Instruments continues your full pay for the first six weeks of an illness. After that, and for up to 20 further weeks, the \
company tops up public sickness benefit to 90 per cent of your net pay, provided you have been employed for at least one year.
## Coming back
After an absence of more than six weeks you may return in steps, with shorter days for up to eight weeks. The plan is agreed between \
you, your doctor and your line manager, and it can be stopped at any time by any of the three.
## A sick child
Each parent may stay at home on full pay for up to eight days a year to care for a sick child under 12. Single parents may take up to \
16 days.
## Accidents at work
Every accident at work, however small, is entered in the accident book on the same day. If an accident leads to more than three days \
of absence, the operations lead reports it to the insurer within 72 hours.

# Leaving the company
## Notice
During probation either side may give notice of two weeks. After that the period is two months to the end of a calendar month, and \
four months once you have been employed for ten years. Notice must be given in writing and signed by hand; an e-mail is not enough.
## Handing over
Write down what your successor needs to know, and agree on the list with your line manager no later than ten working days before you \
leave. Remaining leave is taken before the last working day. It is paid out only if the workload makes that impossible, in which case \
the people lead confirms the number of days in writing and the amount is paid with the final salary.
## Equipment and accounts
Return all equipment, keys and badges to the IT desk by your last working day. You may keep a desk or a chair bought for your home if \
it is more than two years old. Your accounts are closed at 18:00 on that day, and messages sent to your mailbox are forwarded to your \
line manager for 30 days, after which the mailbox is deleted. Private files are yours to copy beforehand; company files stay where \
they are, unless the operations lead releases them to you in writing.
## Reference
You receive a written reference within four weeks of your last working day. You may ask for an interim reference at any time, but not \
more than once a year.

# Data retention
## How long we keep records
We keep personal data only as long as we need it or the law requires it. The periods below run from the end of the calendar year in \
which the record was last changed, unless the table says otherwise.
| Record | Kept for | Deleted by
| Personnel files | 3 years after leaving | people lead
| Unsuccessful job applications | 6 months after the decision | people lead
| Payroll and expense records | 8 years | finance lead
| Time sheets | 2 years | finance lead
| Calibration certificates | 12 years | operations lead
| Visitor log | 90 days after the visit | front office
| Door camera at North Quay | 72 hours after recording | security officer
Records that have reached the end of their period are deleted every February.
## When we keep them longer
A record is not deleted while it is needed for a dispute, an audit or an insurance claim. The finance lead keeps the list of such \
records and reviews it every six months.
## Asking what we hold about you
You may ask the people lead for a copy of your own data at any time. The request is answered within one month, free of charge.
"""


@dataclass(frozen=True, slots=True)
class Style:
    """How one kind of text is set: font family and style, size and line step in points, space above in points, and colour."""

    family: str
    face: str
    size: float
    step: float
    above: float
    colour: tuple[int, int, int] = INK


BODY = Style("Serif", "", 10.3, 14.3, 5)
ITEM = Style("Serif", "", 10.3, 14.3, 2.5)
SECTION = Style("Sans", "B", 18, 23, 22, ACCENT)
CLAUSE = Style("Sans", "B", 11, 14.6, 11)
CELL = Style("Serif", "", 10, 19, 0)
HEAD = Style("Sans", "B", 9.4, 19, 0, ACCENT)
SMALL = Style("Sans", "", 8.6, 11, 0, MUTED)


def font_folder(package: str) -> Path:
    """Return the folder of the font files that an installed font package carries."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        sys.exit(f"{package} is not installed; see the list at the top of {Path(__file__).name}")
    return Path(spec.origin).parent / "files"


class Handbook(FPDF):
    """A document that is written from the top: text goes into the current column, which gives way to the next column or page."""

    def __init__(self, pages: dict[str, int]) -> None:
        """Start an empty document; `pages` maps a section title to its page and fills the table of contents."""
        super().__init__(unit="pt", format=(WIDTH, HEIGHT))
        sans, serif = font_folder("font_source_sans_pro"), font_folder("font_source_serif_pro")
        self.add_font("Sans", "", sans / "SourceSansPro-Regular.ttf")
        self.add_font("Sans", "B", sans / "SourceSansPro-Semibold.ttf")
        self.add_font("Serif", "", serif / "SourceSerifPro-Regular.ttf")
        self.set_text_shaping(use_shaping_engine=True)
        self.set_auto_page_break(auto=False)
        self.set_margin(0)
        self.c_margin = 0
        self.set_title(f"{COMPANY}: Staff Handbook")
        self.set_author(COMPANY)
        self.set_subject(EDITION)
        self.set_lang("en-GB")
        self.set_creation_date(CREATED)
        self.printed = pages
        self.found: dict[str, int] = {}
        self.targets = {title: self.add_link(page=page) for title, page in pages.items()}
        self.columns = [(LEFT, RIGHT - LEFT)]
        self.column = 0
        self.down = self.start = TOP
        self.clause = 0

    # What every page carries.

    def header(self) -> None:
        """Print the running head, except on the title page."""
        if self.page == 1:
            return
        self.line_of(SMALL, f"{COMPANY}  |  Staff Handbook", (LEFT, 46))
        self.set_draw_color(*ACCENT)
        self.set_line_width(0.6)
        self.line(LEFT, 64, RIGHT, 64)

    def footer(self) -> None:
        """Print the edition and the page number."""
        self.line_of(SMALL, EDITION, (LEFT, HEIGHT - 50))
        total = max(self.printed.values(), default=0)
        self.line_to(SMALL, f"Page {self.page} of {total}", (RIGHT, HEIGHT - 50))

    # The smallest pieces.

    def use(self, style: Style) -> None:
        """Make `style` the current font and colour."""
        self.set_font(style.family, style.face, style.size)
        self.set_text_color(*style.colour)

    def line_of(self, style: Style, text: str, at: tuple[float, float], *, link: int = 0) -> None:
        """Print one line with the top left corner of its box at `at`."""
        self.use(style)
        self.set_xy(*at)
        self.cell(None, style.step, text, new_x=XPos.LEFT, new_y=YPos.TOP, link=link or "")

    def line_to(self, style: Style, text: str, at: tuple[float, float]) -> None:
        """Print one line with the top right corner of its box at `at`."""
        self.use(style)
        self.line_of(style, text, (at[0] - self.get_string_width(text), at[1]))

    def broken(self, style: Style, text: str, width: float) -> list[str]:
        """Return `text` in lines of at most `width` points, hyphenated at `~` where that helps, with curved apostrophes."""
        self.use(style)
        soft = text.replace("~", "\u00ad").replace("'", "\u2019")
        lines = self.multi_cell(
            width, style.step, soft, align="L", dry_run=True, output=MethodReturnValue.LINES
        )
        return cast("list[str]", lines)

    # Where the next line goes.

    def turn(self) -> None:
        """Go to the top of the next column, or of a new page after the last one."""
        self.column += 1
        if self.column == len(self.columns):
            self.add_page()
            self.column = 0
            self.start = TOP
        self.down = self.start

    def need(self, height: float) -> None:
        """Turn if fewer than `height` points are left in the column."""
        if self.down + height > BOTTOM:
            self.turn()

    def set_columns(self, count: int) -> None:
        """Set what follows in `count` columns of equal width, from the current line downwards."""
        width = (RIGHT - LEFT - GUTTER * (count - 1)) / count
        self.columns = [(LEFT + i * (width + GUTTER), width) for i in range(count)]
        self.column = 0
        self.start = self.down

    # The kinds of block.

    def put(self, style: Style, text: str, *, keep: int = 2, bullet: str = "") -> None:
        """Print a paragraph, leaving no fewer than `keep` of its lines together on either side of a break."""
        self.down += style.above if self.down > self.start else 0
        indent = HANG if bullet else 0
        lines = self.broken(style, text, self.columns[self.column][1] - indent)
        for i, line in enumerate(lines):
            left = len(lines) - i
            self.need(style.step * (min(keep, left) if i == 0 or left == keep else 1))
            x, _ = self.columns[self.column]
            if bullet and i == 0:
                self.line_of(style, bullet, (x + 2, self.down))
            self.line_of(style, line, (x + indent, self.down))
            self.down += style.step

    def open_section(self, title: str) -> None:
        """Print a section's heading over the full width, with its bookmark and the target of its link."""
        room = SECTION.above + SECTION.step + CLAUSE.above + CLAUSE.step + 3 * BODY.step
        self.need(room)
        self.down += SECTION.above if self.down > self.start else 0
        self.found[title] = self.page
        self.clause = 0
        number = len(self.found)
        if title in self.targets:
            self.set_link(self.targets[title], y=self.down, page=self.page)
        self.set_y(self.down)
        self.start_section(f"{number} {title}")
        self.line_of(SECTION, f"{number}   {title}", (LEFT, self.down))
        self.down += SECTION.step
        if len(self.columns) > 1:
            self.down += 10
            self.start = self.down

    def open_clause(self, title: str) -> None:
        """Print a clause's heading with its bookmark, together with at least two lines of what follows."""
        self.need(CLAUSE.above + CLAUSE.step + 3 + BODY.above + 2 * BODY.step)
        self.down += CLAUSE.above if self.down > self.start else 0
        self.clause += 1
        label = f"{len(self.found)}.{self.clause}"
        self.set_y(self.down)
        self.start_section(f"{label} {title}", level=1)
        self.line_of(CLAUSE, f"{label}  {title}", (self.columns[self.column][0], self.down))
        self.down += CLAUSE.step - 3

    def put_table(self, rows: list[list[str]]) -> None:
        """Print a table whose first row is its head; columns share the width by their longest cell."""
        self.down += 9
        self.need(CELL.step * len(rows))
        x, width = self.columns[self.column]
        self.use(HEAD)
        longest = [max(self.get_string_width(row[i]) for row in rows) for i in range(len(rows[0]))]
        widths = [width * w / sum(longest) for w in longest]
        for n, row in enumerate(rows):
            if n == 0:
                self.set_fill_color(*TINT)
                self.rect(x, self.down, width, CELL.step, style="F")
            at = x
            for cell, wide in zip(row, widths, strict=True):
                self.line_of(CELL if n else HEAD, cell, (at + PAD, self.down))
                at += wide
            self.down += CELL.step
            self.set_draw_color(205, 212, 214)
            self.set_line_width(0.4)
            self.line(x, self.down, x + width, self.down)
        self.down += 5

    def title_page(self) -> None:
        """Print the title, the edition and the table of contents."""
        self.add_page()
        self.set_fill_color(*ACCENT)
        self.rect(0, 0, WIDTH, 224, style="F")
        white = (255, 255, 255)
        self.line_of(Style("Sans", "B", 12, 16, 0, white), COMPANY, (LEFT, 84))
        self.line_of(Style("Sans", "B", 38, 46, 0, white), "Staff Handbook", (LEFT, 112))
        self.line_of(Style("Sans", "", 12, 16, 0, (206, 226, 229)), EDITION, (LEFT, 168))
        self.line_of(Style("Sans", "B", 15, 20, 0, ACCENT), "Contents", (LEFT, 268))
        entry = Style("Sans", "", 11.4, 23, 0)
        y = 298.0
        for number, (title, page) in enumerate(self.printed.items(), start=1):
            self.line_of(entry, f"{number}", (LEFT, y))
            self.line_of(entry, title, (LEFT + 26, y), link=self.targets[title])
            self.line_to(entry, f"{page}", (RIGHT, y))
            y += entry.step
            self.set_draw_color(222, 227, 228)
            self.set_line_width(0.4)
            self.line(LEFT, y, RIGHT, y)
        self.down = y + 30
        self.put(Style("Sans", "B", 11.4, 15.2, 0, ACCENT), "Questions")
        self.put(
            BODY,
            "Write to people@halvick.example about leave, sickness and contracts, to finance@halvick.example about expenses and pay, "
            "and to security@halvick.example about lost devices and suspicious messages. The front office at 12 Millrace Street is "
            "open from 08:00 to 17:30 on working days.",
        )


def blocks(text: str) -> Iterator[tuple[str, str | list[list[str]]]]:
    """Yield the blocks of `text` as (mark, content); the rows of a table are gathered into one block."""
    rows: list[list[str]] = []
    for line in (*text.splitlines(), ""):
        if line.startswith("| "):
            rows.append([cell.strip() for cell in line[2:].split("|")])
            continue
        if rows:
            yield "|", rows
            rows = []
        if line:
            mark, space, rest = line.partition(" ")
            yield (mark, rest) if space and mark in {"#", "##", "-"} else ("", line)


def set_handbook(pages: dict[str, int]) -> Handbook:
    """Return the document set from `TEXT`, its contents table filled from `pages`."""
    book = Handbook(pages)
    book.title_page()
    for mark, content in blocks(TEXT):
        match mark, content:
            case "|", list(rows):
                book.put_table(rows)
            case "#", str(title):
                book.open_section(title)
            case "##", str(title):
                book.open_clause(title)
            case "-", str(item):
                book.put(ITEM, item, bullet="\u2022")
            case _, "[page]":
                book.column = len(book.columns) - 1
                book.turn()
            case _, "[columns]":
                book.set_columns(2)
            case _, "[one column]":
                book.set_columns(1)
            case _, str(paragraph):
                book.put(BODY, paragraph)
            case _:
                pass
    return book


def main() -> None:
    """Set the handbook twice, the second time with the pages that the first one found, and write it."""
    titles = [str(content) for mark, content in blocks(TEXT) if mark == "#"]
    pages = set_handbook(dict.fromkeys(titles, 1)).found
    book = set_handbook(pages)
    if book.found != pages:
        sys.exit("the contents table moved the sections")
    book.output(str(TARGET))
    sys.stdout.write("".join(f"{page:>3}  {title}\n" for title, page in pages.items()))


if __name__ == "__main__":
    main()
