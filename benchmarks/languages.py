"""Search in nine languages: `python benchmarks/languages.py` prints the table of `docs/languages.md`.

Eight sentences of a handbook stand in each language, so the hardest wrong answer to a question is the right sentence in
another one. A question counts as answered when its own language's sentence comes first. The texts were written for this
measurement; eight questions a language tell a good language from a bad one, and no more than that.
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
from pincite.reading import chunk
from pincite.reading.language import language_of
from pincite.search import embed_pending, open_search
from pincite.search.index import Within

if TYPE_CHECKING:
    from pincite.library import Collection
    from pincite.search import Search

FACTS: dict[str, list[tuple[str, str]]] = {
    "en": [
        (
            "Expenses over 100 euro require the approval of the line manager.",
            "Who approves expenses above 100 euro?",
        ),
        ("Receipts are kept for seven years.", "How long are receipts kept?"),
        (
            "Every employee has thirty days of paid leave a year.",
            "How many days of leave does an employee have?",
        ),
        (
            "Sick leave starts with a phone call before nine in the morning.",
            "By what time do I have to call when I am sick?",
        ),
        ("Visitors wear a badge and are accompanied at all times.", "What do visitors have to wear?"),
        ("A lost laptop must be reported within one hour.", "How soon must a lost laptop be reported?"),
        (
            "The pump must be switched off before the cover is opened.",
            "What must be done before the cover is opened?",
        ),
        ("The warehouse is closed on Sundays.", "On which day is the warehouse closed?"),
    ],
    "de": [
        (
            "Ausgaben über 100 Euro bedürfen der Genehmigung der Führungskraft.",
            "Wer genehmigt Ausgaben von mehr als 100 Euro?",
        ),
        ("Belege werden sieben Jahre lang aufbewahrt.", "Wie lange werden Belege aufbewahrt?"),
        (
            "Alle Angestellten haben dreißig Tage bezahlten Urlaub im Jahr.",
            "Wie viele Tage Urlaub haben die Angestellten?",
        ),
        ("Wer krank ist, ruft vor neun Uhr morgens an.", "Bis wann muss ich anrufen, wenn ich krank bin?"),
        ("Besucher tragen einen Ausweis und werden immer begleitet.", "Was müssen Besucher tragen?"),
        (
            "Ein verlorener Laptop ist innerhalb einer Stunde zu melden.",
            "Wie schnell muss ein verlorener Laptop gemeldet werden?",
        ),
        (
            "Vor dem Öffnen der Abdeckung ist die Pumpe auszuschalten.",
            "Was ist vor dem Öffnen der Abdeckung zu tun?",
        ),
        ("Das Lager ist sonntags geschlossen.", "An welchem Tag ist das Lager geschlossen?"),
    ],
    "fr": [
        (
            "Les dépenses de plus de 100 euros exigent l'accord du responsable.",
            "Qui approuve les dépenses de plus de 100 euros ?",
        ),
        ("Les reçus sont conservés pendant sept ans.", "Combien de temps les reçus sont-ils conservés ?"),
        (
            "Chaque salarié a trente jours de congés payés par an.",
            "Combien de jours de congés a un salarié ?",
        ),
        (
            "Le congé de maladie commence par un appel avant neuf heures du matin.",
            "Avant quelle heure faut-il appeler en cas de maladie ?",
        ),
        (
            "Les visiteurs portent un badge et sont toujours accompagnés.",
            "Que doivent porter les visiteurs ?",
        ),
        (
            "Un ordinateur perdu doit être signalé dans l'heure.",
            "Dans quel délai faut-il signaler un ordinateur perdu ?",
        ),
        (
            "La pompe doit être arrêtée avant l'ouverture du couvercle.",
            "Que faut-il faire avant l'ouverture du couvercle ?",
        ),
        ("L'entrepôt est fermé le dimanche.", "Quel jour l'entrepôt est-il fermé ?"),
    ],
    "ru": [
        (
            "Расходы свыше 100 евро должен одобрить руководитель.",
            "Кто должен одобрить расходы свыше 100 евро?",
        ),
        ("Чеки хранятся семь лет.", "Сколько лет хранятся чеки?"),
        (
            "Каждый сотрудник имеет тридцать дней оплачиваемого отпуска в год.",
            "Сколько дней отпуска имеет сотрудник?",
        ),
        (
            "Больничный начинается со звонка до девяти часов утра.",
            "До какого часа нужно позвонить, если я болею?",
        ),
        ("Посетители носят бейдж, их всегда сопровождают.", "Что должны носить посетители?"),
        ("О потере ноутбука надо сообщить в течение часа.", "Как скоро надо сообщить о потере ноутбука?"),
        (
            "Перед открытием крышки насос необходимо выключить.",
            "Что необходимо сделать перед открытием крышки?",
        ),
        ("Склад закрыт по воскресеньям.", "В какой день закрыт склад?"),
    ],
    "ar": [
        (
            "يجب أن يوافق المدير على النفقات التي تزيد على 100 يورو.",
            "من يوافق على النفقات التي تزيد على 100 يورو؟",
        ),
        ("تحفظ الإيصالات سبع سنوات.", "كم سنة تحفظ الإيصالات؟"),
        ("لكل موظف ثلاثون يوما من الإجازة المدفوعة في السنة.", "كم يوما من الإجازة لكل موظف؟"),
        ("تبدأ الإجازة المرضية بمكالمة قبل التاسعة صباحا.", "قبل أي ساعة تكون مكالمة الإجازة المرضية؟"),
        ("يحمل الزوار بطاقة ويرافقهم أحد دائما.", "ماذا يحمل الزوار؟"),
        ("يجب الإبلاغ عن الحاسوب المفقود خلال ساعة.", "متى يجب الإبلاغ عن الحاسوب المفقود؟"),
        ("يجب إيقاف المضخة قبل فتح الغطاء.", "ماذا يجب قبل فتح الغطاء؟"),
        ("المستودع مغلق يوم الأحد.", "في أي يوم يكون المستودع مغلقا؟"),
    ],
    "zh": [
        ("超过100欧元的费用须经主管批准。", "谁批准超过100欧元的费用?"),
        ("收据保存七年。", "收据要保存多久?"),
        ("每名员工每年有三十天带薪休假。", "员工每年有多少天休假?"),
        ("病假须在早上九点以前打电话说明。", "请病假要在几点以前打电话?"),
        ("访客须佩戴胸牌并始终有人陪同。", "访客须佩戴什么?"),
        ("笔记本电脑丢失须在一小时内报告。", "笔记本电脑丢失后多久须报告?"),
        ("打开盖子之前必须关闭水泵。", "打开盖子之前必须做什么?"),
        ("仓库星期天关闭。", "仓库哪一天关闭?"),
    ],
    "ja": [
        ("100ユーロを超える費用は上司の承認が必要です。", "100ユーロを超える費用は誰の承認が必要ですか。"),
        ("領収書は七年間保管されます。", "領収書は何年間保管されますか。"),
        ("従業員には年に三十日の有給休暇があります。", "従業員の有給休暇は何日ですか。"),
        ("病気のときは朝九時までに電話をします。", "病気のときは何時までに電話をしますか。"),
        ("来客は名札を付け、常に付き添われます。", "来客は何を付けますか。"),
        ("ノートパソコンの紛失は一時間以内に報告します。", "ノートパソコンの紛失はいつまでに報告しますか。"),
        ("カバーを開ける前にポンプを止めてください。", "カバーを開ける前に何をしますか。"),
        ("倉庫は日曜日に閉まっています。", "倉庫は何曜日に閉まっていますか。"),
    ],
    "ko": [
        (
            "100유로가 넘는 비용은 관리자의 승인이 필요합니다.",
            "100유로가 넘는 비용은 누구의 승인이 필요합니까?",
        ),
        ("영수증은 칠 년 동안 보관합니다.", "영수증은 몇 년 동안 보관합니까?"),
        ("모든 직원은 일 년에 삼십 일의 유급 휴가가 있습니다.", "직원의 유급 휴가는 며칠입니까?"),
        ("병가는 아침 아홉 시 전에 전화로 알립니다.", "병가는 몇 시 전에 전화로 알립니까?"),
        ("방문객은 명찰을 달고 항상 안내를 받습니다.", "방문객은 무엇을 답니까?"),
        ("분실한 노트북은 한 시간 안에 신고해야 합니다.", "분실한 노트북은 언제까지 신고해야 합니까?"),
        ("덮개를 열기 전에 펌프를 꺼야 합니다.", "덮개를 열기 전에 무엇을 해야 합니까?"),
        ("창고는 일요일에 문을 닫습니다.", "창고는 무슨 요일에 문을 닫습니까?"),
    ],
    "th": [
        ("ค่าใช้จ่ายเกิน 100 ยูโรต้องได้รับอนุมัติจากหัวหน้า", "ใครอนุมัติค่าใช้จ่ายเกิน 100 ยูโร"),
        ("ใบเสร็จต้องเก็บไว้เจ็ดปี", "ใบเสร็จต้องเก็บไว้กี่ปี"),
        ("พนักงานทุกคนมีวันลาโดยได้รับค่าจ้างสามสิบวันต่อปี", "พนักงานมีวันลากี่วันต่อปี"),
        ("การลาป่วยต้องโทรแจ้งก่อนเก้าโมงเช้า", "การลาป่วยต้องโทรแจ้งก่อนกี่โมง"),
        ("ผู้มาเยือนต้องติดบัตรและมีคนพาไปเสมอ", "ผู้มาเยือนต้องติดอะไร"),
        ("คอมพิวเตอร์ที่หายต้องแจ้งภายในหนึ่งชั่วโมง", "คอมพิวเตอร์ที่หายต้องแจ้งภายในเวลาเท่าไร"),
        ("ต้องปิดปั๊มก่อนเปิดฝา", "ต้องทำอะไรก่อนเปิดฝา"),
        ("คลังสินค้าปิดวันอาทิตย์", "คลังสินค้าปิดวันไหน"),
    ],
}


def main() -> int:
    """Print a row a language: questions answered by words, by meaning and by both, and how many are supported."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with Library.open(home) as library:
            collection = library.collection("languages", create=True)
            owners = {
                language: [
                    keep(library, collection, f"upload://{language}{i}.txt", fact)
                    for i, (fact, _) in enumerate(facts)
                ]
                for language, facts in FACTS.items()
            }
            search = open_search(library, home)
            embed_pending(library, search.embedder)
            print("| Language | By words | By meaning | Both | Supported | Tokens a character | Told |")
            print("|---|---:|---:|---:|---:|---:|---|")
            for language, facts in FACTS.items():
                print(row(search, collection, language, facts, owners[language]))
    return 0


def keep(library: Library, collection: Collection, key: str, text: str) -> str:
    """Keep a text of one sentence as a document of one passage; return the passage's id."""
    document = Document(text, version_of(text), key, "text/plain", "benchmark 1")
    (passage,) = chunk(document, document_id(collection.collection_id, key))
    library.keep(collection, document, [passage], data=text.encode(), source_key=key)
    return passage.chunk_id


def row(
    search: Search, collection: Collection, language: str, facts: list[tuple[str, str]], ids: list[str]
) -> str:
    """Return the line of one language."""
    within = Within((collection.collection_id,), None)
    by_words = by_meaning = both = supported = 0
    for (_, question), wanted in zip(facts, ids, strict=True):
        words = search.index.by_words(search.index.terms(question), within, 1)
        near = list(search.index.by_vector(search.embedder.embed([question])[0], within, 1))
        hits = search.search(question, collections=[collection], limit=1, refs=RefIssuer()).hits
        by_words += words[:1] == [wanted]
        by_meaning += bool(near) and near[0][0] == wanted
        right = bool(hits) and hits[0].chunk_id == wanted
        both += right
        supported += right and str(hits[0].confidence) == "supported"
    text = " ".join(fact for fact, _ in facts)
    counter = search.embedder
    tokens = counter.count([text])[0] / len(text)  # type: ignore[attr-defined]
    told = language_of(text) or "-"
    return f"| {language} | {by_words} | {by_meaning} | {both} | {supported} | {tokens:.2f} | {told} |"


if __name__ == "__main__":
    sys.exit(main())
