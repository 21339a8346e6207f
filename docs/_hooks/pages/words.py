"""Words of sentences that claim: of comparison, condition, change, relation, contrast and side.

One of them swapped for its neighbour, *doubles* for *squares*, *a third* for *two fifths*, *row*
for *column*, reads as well as the true one, and no number on the page is wrong. So a sentence
with such a word has an entry of its own, see `compared.py`; and where the word is a number,
*twice*, the entry computes with that number.
"""

import re
from functools import lru_cache

from engine.quoted_shares import BOUND, COUNTS, PARTS
from engine.sentences import CODE, FORMULA, TITLE

COMPARES = re.compile(
    r"\b(?:(?:earli|lat|soon|larg|small|fast|slow|high|low|long|short|near|far|furth|farth|clos|"
    r"weak|strong|great|wid|narrow|cheap|coars|fin|loud|quiet)(?:er|est)|(?:in|de)creas\w+|"
    r"(?:grow|shrink|fall|rise)s?|ahead|more|fewer|less|best|better|worst|worse|wins? over|"
    r"too (?:small|large|few|many|much|little|short|long|low|high|early|late|near|fast|slow))\b",
    re.IGNORECASE,
)
CONDITION = re.compile(  # of a statement, or its bound
    r"\b(?:if|unless|except|but for|only|finite|zero|whole|real|even|odd|every|each|all|any"
    rf"|at most|exceeds?|within|up to(?= {FORMULA})|below|above|commutes)\b",
    re.IGNORECASE,
)
RELATES = re.compile(
    r"\b(?:cancel(?:s|led)?|vanish(?:es)?|dies? out|proportion(?!al\*)\w*|inverse(?:ly)?(?! sine)"
    r"|reciprocals?|quadratic(?:ally)?|linearly|linear in|logarithms?|exponential(?:ly| of)"
    r"|geometric|depends?|opposite)\b",
    re.IGNORECASE,
)
# What follows from a condition, and from which mistake a wrong number comes; other mistakes of a
# reader, *if you said yes*, and of a function, *if peak fails*, are no claims.
FOLLOWS = re.compile(
    rf"(?<!\bas )\bif (?!only \*|\*|you (?:\w+ed|said|got|forgot|took|wrote|thought|have ever"
    rf"|also)\b(?! (?:[\d{FORMULA}{CODE}])))|\bunless\b",
    re.IGNORECASE,
)
# Where a library has what: both in one sentence.
LIBRARY = re.compile(
    r"\b(?:transformers|tensor2tensor|PyTorch|TensorFlow|JAX|Flax|torch\w+|NumPy|PIL"
    r"|BERT|ViT|MAE|NaViT|Swin|Qwen\S*|Llama|GPT\S*|(?:RT-)?DETR|fairseq|keras-hub|vLLM|DeepSeek\S*"
    r"|Cohere|BLOOM|MPT|Marian|CTRL|Whisper|MusicGen|diffusers|timm"
    r"|rotary-embedding-torch|positional-encodings)\b"
)
PLACE = re.compile(r"\b(?:rows?|columns?|heights?|widths?)\b", re.IGNORECASE)
# Which way pairs turn, and where they stand.
LAYOUT = re.compile(
    r"\bclockwise\b|\binterleav(?:ed?|es|ing)\b|\bhalf\*? layout\b|\ball (?:sines|cosines)\b",
    re.IGNORECASE,
)
# What a thing is not, differs in, comes from or does without, and which step comes first.
CONTRASTS = re.compile(
    r", (?:and |but )?not\b(?! yet)|\bnot [^,.;:]+, but\b|\bdiffers? in\b|\bcomputed from\b"
    r"|\bneeds no\b|\b(?:before|after|inside) the (?:kernel|division|turn|projections?|product)\b",
    re.IGNORECASE,
)
# Which of two it is, and on which side: *query* for *key*, *first* for *last*. Where both stand
# together, *queries and keys*, they may be exchanged.
_ONE = r"quer(?:y|ies)|keys?|columns?|sines?|cosines?|interleaved|heights?|before|after|fast|slow"
_BOTH = rf"(?:{_ONE}|rows?|widths?|left|right|first|last|even|odd|above|below|half)"
TOGETHER = re.compile(
    rf"\b{_BOTH}(?:,| and| or| nor|/) (?:the |of |to |a |an |by |each )*{_BOTH}\b", re.IGNORECASE
)
_WHERE = (
    r"(?:on|to|from|at|in) the (?:upper |lower )?(?:left|right)|(?:upper|lower) (?:left|right)"
    r"|(?:left|right)(?:most|[- ](?:half|to|side|panel|hand|column|one|part|corner|bound|pair))"
)
_NUMBERED = (
    r"(?:first|last)(?= (?:row|channel|pair|key|quer|token|axis|half|line|word|bucket|place"
    r"|position|one|two|three|step|layer|dimension|block|bit)\w*|[.,;])"
    r"|even(?= (?:number|position|base|multiple|channel|function|one|bias))|odd"
    rf"|(?:above|below)(?= (?:[\d{FORMULA}]|one|zero))|at (?:most|least)"
)
SIDE = re.compile(
    rf"\b(?:{_ONE}|{_WHERE}|{_NUMBERED}|inside|outside|periods?|always|never|added|multiplied"
    r"|absolute|relative|top|bottom|near|early|late|(?<!\bso )(?<!\bas )far|half (?:layout|order))"
    r"(?!\w)",
    re.IGNORECASE,
)
# What is the same, and what is so alone.
ALIKE = re.compile(
    r"\b(?<!at the )(?:same|alike|equal(?:ly)?|only|alone|whatever)\b", re.IGNORECASE
)
# What multiplies, and by how much: the group that matched, or the word in it, says the number.
_COUNT = "|".join(COUNTS)
_PART = {**PARTS, "ten-thousandth": 10_000}
TIMES = re.compile(
    r"\b(?:(?P<two>twice|doubl(?:es?|ed|ing)|squared|squares (?:each|every|it|the)"
    r"|the square of|its square|halv(?:e|ed|ing)|(?<!both )(?<!two )(?<!the )halves"
    r"|half (?:an?|as|its|of|the|their)|(?:an?|by|one) half(?! layout| turn))"
    r"|(?P<three>thrice|tripl(?:ed|ing)|threefold)|(?P<four>quadrupl(?:es|ed|ing)|fourfold)"
    rf"|(?P<count>{_COUNT}) times (?:as|that|the)"
    rf"|(?:{_COUNT})[ -](?P<part>{'|'.join(_PART)})s?"
    r"(?= (?:of|at|and|as|by|in|from|apart|longer|more|less|wide)\b|[)]?[.,;:?]|$))(?!\w)",
    re.IGNORECASE,
)
# Words that read as well where the other of their pair belongs. Pages beside the chapters prove
# little and tell a great deal: there, each of them needs an entry, and so do a denial, a number, a
# formula and the name of a library.
PAIRS = """
grows/falls rises/falls grow/fall rise/fall larger/smaller longer/shorter faster/slower more/less
higher/lower above/below left/right top/bottom row/column rows/columns first/last even/odd
sine/cosine sines/cosines query/key queries/keys before/after always/never fast/slow
interleaved/half base/period width/height increases/decreases most/least inside/outside
absolute/relative added/multiplied near/far early/late light/dark clockwise/counter-clockwise
"""
OTHER = {
    one: other
    for pair in PAIRS.split()
    for first, second in [pair.split("/")]
    for one, other in ((first, second), (second, first))
}
NEIGHBOUR = re.compile(rf"\b(?:{'|'.join(sorted(OTHER, key=len, reverse=True))})\b", re.IGNORECASE)
# What denies, and which operation it is.
DENIES = re.compile(
    r"\b(?:not|no|none|neither|nor|nothing|nobody|without|cannot|against"
    r"|adds?|subtracts?|multipl(?:y|ies)|divides?)\b",
    re.IGNORECASE,
)
# A number or a number type, but not of a source text, or a formula that is more than a letter.
NUMBER = re.compile(r"(?<!\d)(?!00\d\b)\d|\$[^$\n]*[-+/^=<>][^$\n]*\$")
POINTS = re.compile(
    r"\A(?:(?:In|See|More:) )?(?:\[[^]]*\](?:\([^)]*\)|\[\])(?:, (?:and )?)?)+[.:]?\Z"
)  # to other pages
ASKS = re.compile(r"\A(?:Write|Let|You need|After this chapter)\b")
LINK = re.compile(r"\[[^]]*\](?:\([^()\n]*\)|\[\])")
NO_CLAIM = re.compile(r"\]\([^()\n]*\)|\bno longer\b")  # where a link leads, and *not any more*


@lru_cache(maxsize=8192)  # each build asks again
def claims(sentence: str, stated: bool) -> bool:
    """Return whether a sentence, of a statement or none, has a word that needs an entry."""
    if POINTS.match(sentence):
        return False
    said = NO_CLAIM.sub("", sentence)
    if COMPARES.search(said) or (stated and CONDITION.search(said)):
        return True
    placed = LAYOUT.search(said) or (LIBRARY.search(said) and PLACE.search(said))
    relates = TIMES.search(said) or RELATES.search(said) or FOLLOWS.search(said)
    relates = relates or SIDE.search(TOGETHER.sub("", said)) or ALIKE.search(said)
    return bool(placed or relates or CONTRASTS.search(said)) and not ASKS.match(said)


def tells(sentence: str) -> bool:
    """Return whether a sentence beside the chapters needs an entry, too, by its words and code."""
    if POINTS.match(sentence):
        return False
    said = NO_CLAIM.sub("", sentence)
    if DENIES.search(said):
        return True
    if TITLE.fullmatch(sentence):  # of a paragraph
        return False
    named = NEIGHBOUR.search(said) or LIBRARY.search(said)
    return bool(named or NUMBER.search(LINK.sub("", sentence)))


def numbers(sentence: str) -> set[int]:
    """Return the numbers that words of a sentence say: 2 for *halves*, 5 for *two fifths*.

    What is a bound, *less than half of it*, needs no such number, nor does a table.
    """
    if sentence.startswith("|"):
        return set()
    said = NO_CLAIM.sub("", sentence)
    found = (match for match in TIMES.finditer(said) if not BOUND.search(said, 0, match.start()))
    words = (match["count"] or match["part"] or match.lastgroup or "" for match in found)
    return {(COUNTS | _PART)[word.lower()] for word in words}
