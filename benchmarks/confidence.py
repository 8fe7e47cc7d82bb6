"""Find the bar that tells answered questions from others: `python benchmarks/confidence.py`.

Two collections: the documents of `examples/` and Python's own help topics. Three kinds of questions: answered
(somebody who knows the text would find the answer in it, worded otherwise), near (of the same field, but the
text does not say) and far (of another field). What is judged is the score of the best row. The bar with the best
balanced accuracy is chosen on the even questions and tried on the odd ones, and the other way round.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.core.document import Document
from pincite.core.ids import document_id, version_of
from pincite.core.refs import RefIssuer
from pincite.library import Library
from pincite.library.ingest import add_paths
from pincite.reading import ReadingPool, chunk
from pincite.search import CoverageReranker, embed_pending, open_search

if TYPE_CHECKING:
    from pincite.library import Collection
    from pincite.search import Measure, Search

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

ANSWERED = {
    "handbook": """
        Who has to agree before I spend 150 euros?
        How many vacation days do I get?
        What is the car mileage reimbursement?
        How long can I work from home each week?
        What should I do when my computer gets infected?
        When do I need a doctor's note?
        How much may a hotel room cost?
        Can I fly business class?
        Is wine with dinner paid for?
        How long are payslips stored?
        What notice must I give to quit my job?
        How long must a password be?
        May I plug in my own USB drive?
        How do I report a stolen laptop?
        What extra pay is there for working on Sundays?
        Do guests need an escort?
        What happens to unused vacation at year end?
        I lost a receipt, what now?
        Can I stay home when my daughter is ill?
        How long is the camera footage kept?
        When does the calibration lab relocate?
        Which prices go up in April?
        How long is the guarantee on data loggers?
        Can I get paid in advance for a trip?
        What are the core working hours?
        Does the company pay for work shoes?
        Days off for getting married
        May I paste confidential text into a translation website?
        Is there a shuttle between the two offices?
        What does the late shift pay extra?
        Can I keep the office chair when I leave?
        Who keeps the accident records?
        Can I use my personal phone for mail?
        Will I get a letter of recommendation after leaving?
    """,
    "python": """
        How do I catch an error and run cleanup code?
        What happens when I divide integers?
        How do I make a class callable like a function?
        How can I define my own context manager?
        What is the difference between is and ==?
        How do I write a function with a variable number of arguments?
        What does the star before an argument mean?
        Why does my default list argument keep its values?
        How do I format a number with two decimals in a string?
        How do I delete a variable?
        What is a generator and how does it send values?
        How do I stop a loop early?
        How does method resolution order work with several parents?
        How is a module found when it is imported?
        How do I step through code in the debugger?
        What are the rules for operator precedence?
        Which names are keywords?
        What does global do inside a function?
        How do I slice a list backwards?
        Can I overload the plus operator for my objects?
        How do I add type annotations to a variable?
        What is a raw string?
        How are complex numbers written?
        How do I assert a condition?
        What is a decorator?
        How do I compare several values in one expression?
        How do dictionary views behave when the dictionary changes?
        How can attribute access be customised?
        What does a lambda look like?
        How do I match patterns against a value?
    """,
}
NEAR = {
    "handbook": """
        How many weeks of paternity leave do fathers get?
        Does the company contribute to a pension fund?
        Is there a canteen with vegetarian meals?
        How is the yearly bonus calculated?
        Can I bring my dog to the office?
        What is the dress code?
        Does the firm pay for a gym membership?
        How do I apply for a promotion?
        Which health insurance do employees have?
        Are there shares or stock options for staff?
        Can I take a sabbatical of one year?
        How do I book a meeting room?
    """,
    "python": """
        How do I read a CSV file into a data frame?
        How do I install a package with pip?
        How do I plot a histogram?
        How can I send an HTTP request?
        How do I connect to a PostgreSQL database?
        How do I run tasks on several processor cores?
        How do I build a graphical window with buttons?
        How do I train a neural network?
        How do I publish my library on the package index?
        How do I parse JSON from a web service?
        How do I create a virtual environment?
        How do I schedule a job every night?
    """,
}
FAR = """
    What is the capital of Mongolia?
    Who painted the Mona Lisa?
    How do I bake sourdough bread?
    Which planet has the most moons?
    How tall is Mount Everest?
    When was the Battle of Hastings?
    What is the boiling point of ethanol?
    How do vaccines train the immune system?
    Who won the football world cup in 1998?
    What causes the northern lights?
    How do I prune an apple tree?
    Which chords are in the key of G major?
    How deep is the Mariana Trench?
    What do pandas eat?
    Who wrote War and Peace?
    How does a jet engine work?
    What is the plot of Hamlet?
    How many bones are in the human body?
    What is photosynthesis?
    How do I knit a scarf?
    When did the Roman Empire fall?
    What are the symptoms of measles?
    How far away is the moon?
    Which whale is the largest?
    How do volcanoes form?
    What is the recipe for pesto?
    Who discovered penicillin?
    How do I train a puppy to sit?
    What language is spoken in Brazil?
    How long do elephants live?
"""


class Watched(CoverageReranker):
    """The default reranker, which remembers the best score that it gave."""

    best = 0.0

    def score_measures(self, measures: list[Measure]) -> list[float]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the scores, and remember the best."""
        scores = super().score_measures(measures)
        self.best = max([self.best, *scores])
        return scores


def main() -> int:
    """Print how the best scores lie, the chosen bar, and what it does to questions that did not choose it."""
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder)) as library:
        collections = {"handbook": examples(library), "python": topics(library)}
        opened = open_search(library, Path(folder))
        embed_pending(library, opened.embedder)
        answered: list[float] = []
        near: list[float] = []
        far: list[float] = []
        for name, collection in collections.items():
            print(f"{name}: {sum(d.passages for d in library.documents(collection.collection_id))} passages")
            for kind, asked, kept in (
                ("answered", ANSWERED[name], answered),
                ("near", NEAR[name], near),
                ("far", FAR, far),
            ):
                found = [best(opened, collection, question) for question in questions(asked)]
                kept.extend(found)
                print(f"  {kind:9}{len(found):3} questions: {spread(found)}")
    for train, test in ((0, 1), (1, 0)):
        bar = choose(answered[train::2], far[train::2])
        right = accuracy(bar, answered[test::2], far[test::2])
        print(f"bar of one half {bar:.2f}: balanced accuracy on the other {right:.2f}")
    for bar in (0.30, 0.32, 0.34, 0.36, 0.38, 0.40, choose(answered, near + far)):
        print(
            f"bar {bar:.2f}: supported {share(bar, answered)} of answered, {share(bar, near)} of near, "
            f"{share(bar, far)} of far"
        )
    return 0


def examples(library: Library) -> Collection:
    """Keep the documents of `examples/`."""
    collection = library.collection("handbook")
    with ReadingPool() as pool:
        for result in add_paths(library, collection, [EXAMPLES], pool=pool):
            print(f"  {result.file}: {result.status}")
    return collection


def topics(library: Library) -> Collection:
    """Keep Python's help topics, each a document."""
    from pydoc_data.topics import topics as texts

    collection = library.collection("python")
    for name, text in texts.items():
        key = f"upload://{name}.txt"
        document = Document(text, version_of(text), name, "text/plain", "benchmark 1")
        passages = chunk(document, document_id(collection.collection_id, key))
        library.keep(collection, document, passages, data=text.encode(), source_key=key)
    return collection


def questions(text: str) -> list[str]:
    """Return the lines of `text` that hold something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def best(opened: Search, collection: Collection, question: str) -> float:
    """Return the score of the best row for `question`."""
    watched = Watched(opened.embedder, opened.index.terms)
    search = type(opened)(opened.library, opened.index, opened.embedder, watched)
    search.search(question, collections=[collection], refs=RefIssuer())
    return watched.best


def spread(scores: list[float]) -> str:
    """Return the least, the tenths, the middle and the greatest of `scores`."""
    ranked = sorted(scores)
    at = (0, len(ranked) // 10, len(ranked) // 2, len(ranked) * 9 // 10, len(ranked) - 1)
    return "min {:.2f}, 10% {:.2f}, median {:.2f}, 90% {:.2f}, max {:.2f}".format(*(ranked[i] for i in at))


def accuracy(bar: float, above: list[float], below: list[float]) -> float:
    """Return the mean of the shares of `above` at or over `bar` and of `below` under it."""
    over = sum(score >= bar for score in above) / len(above)
    return (over + sum(score < bar for score in below) / len(below)) / 2


def choose(above: list[float], below: list[float]) -> float:
    """Return the bar with the best balanced accuracy, in the middle of those that share it."""
    tried = [step / 200 for step in range(200)]
    top = max(accuracy(bar, above, below) for bar in tried)
    ties = [bar for bar in tried if accuracy(bar, above, below) == top]
    return ties[len(ties) // 2]


def share(bar: float, scores: list[float]) -> str:
    """Return how many of `scores` are at or over `bar`."""
    return f"{sum(score >= bar for score in scores)}/{len(scores)}"


if __name__ == "__main__":
    sys.exit(main())
