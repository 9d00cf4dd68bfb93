"""Markup: texts without the HTML, Markdown and hidden characters that documents are decorated with."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

# Control characters but tab and newline; bidirectional controls; invisible letters, tags and variation selectors.
# Joiners (U+200C, U+200D) and emoji's U+FE0F stay: many scripts need them.
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
# Anything that makes a text more than plain lines.
_MARKED: Final = re.compile(r"[<&\[`*_#|>\\\t\n]|  |--|\{\{|==")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT: Final = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BREAK: Final = re.compile(r"<\s*(?:br|/p|/div|/li|/tr|/h[1-6]|/ul|/ol)\s*/?\s*>", re.IGNORECASE)
# The elements that texts are written with; anything else in angle brackets is what the text speaks of (``<id>``).
_TAG: Final = re.compile(
    r"</?(?:a|abbr|article|aside|b|big|blockquote|body|br|button|caption|center|cite|code|col|colgroup|dd|del|details|"
    r"dfn|div|dl|dt|em|embed|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|important|input|ins|kbd|"
    r"label|li|link|main|mark|meta|nav|note|object|ol|p|param|pre|q|s|samp|script|section|small|span|strike|strong|style|"
    r"sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video|wbr)(?:[\s/][^<>]*)?>",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"!?\[([^\]\[]*)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)|\[[^\]\[\s]*\])")
_DEFINED: Final = re.compile(r"(?m)^\s{0,3}\[[^\]\[]+\]:\s*\S+[^\n]*$")
_AUTOLINK: Final = re.compile(r"<https?://[^<>\s]*>")
_SHORTCODE: Final = re.compile(r"\{\{[<%][^{}]*[>%]\}\}")
_FENCE: Final = re.compile(r"(?m)^\s*(?:```|~~~)[^\n]*$\n?")
_BLANKS: Final = re.compile(r"[ \t]+")
# Of a line: a quotation's mark, a call-out, a heading; a rule of a table or a page; an address and nothing else.
_QUOTED: Final = re.compile(r"^(?!>>>)(?:>\s?)++(?![\s=\d])")
_CALLOUT: Final = re.compile(r"^\[![A-Za-z]+\]\s*")
_HEADING: Final = re.compile(r"^#{1,6}(?=\s)")
_RULE: Final = re.compile(r"^(?:(?=.*--)[|:\s-]+|[*_=\s]{3,})$")
_ADDRESS: Final = re.compile(r"^<?https?://\S+>?$")
_CODE: Final = re.compile(r"(`[^`\n]+`)")
_STRONG: Final = re.compile(r"\*\*|(?<!\w)__(?=[^\s_])([^\n]{1,200}?)(?<=[^\s_])__(?!\w)")
_EMPHASIS: Final = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]{1,200}?)(?<=[^\s\\])\*(?![\w*])")
_ESCAPED: Final = re.compile(r"\\([_*<>#|~])")
_GOES_ON: Final = re.compile(r"[a-zß-öø-ÿ]|\d+(?![\d.)])")
_LINE_END: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_ROUNDS: Final = 8  # of markup inside markup
_WRAPPED: Final = 50  # characters that a line has at least which goes on in the next one


def hidden(text: str) -> set[str]:
    """The invisible, bidirectional and control characters of a text."""
    return set(_HIDDEN.findall(_LINE_END.sub("\n", text)))


@lru_cache(maxsize=8_192)
def clean(text: str) -> str:
    """A text without hidden characters, HTML and decoration; paragraphs become lines. Once is enough."""
    for _ in range(_ROUNDS):
        cleaned = _cleaned(text)
        if cleaned == text:
            return text
        text = cleaned
    # What still hides markup in markup was written to deceive.
    while (plain := _cleaned(re.sub(r"[<>&\[\]*_#`|\\{}=-]", "", text))) != text:
        text = plain
    return text


def _cleaned(text: str) -> str:
    text = _HIDDEN.sub("", _LINE_END.sub("\n", text))
    if not _MARKED.search(text):
        return text.strip()
    if "<" in text:
        text = _AUTOLINK.sub("", _SCRIPT.sub("", _COMMENT.sub("", text)))
        text = _TAG.sub("", _BREAK.sub("\n", text))
    if "&" in text:
        text = _HIDDEN.sub("", html.unescape(text))
    if "{{" in text:
        text = _SHORTCODE.sub("", text)
    if "[" in text:
        text = _DEFINED.sub("", _LINK.sub(r"\1", text))
    return "\n".join(_unwrapped(_FENCE.sub("", text)))


def _unwrapped(text: str) -> Iterator[str]:
    """The lines of a text, those together that were only wrapped."""
    begun = ""
    # A backslash at the end of a line breaks it; at the end of the text it is meant.
    for line in map(_line, re.sub(r"\\[ \t]*\n", "\n", text.strip()).split("\n")):
        if not line:
            continue
        if len(begun) >= _WRAPPED and begun[-1] not in ".!?:;|" and _GOES_ON.match(line):
            begun = f"{begun} {line}"
        else:
            if begun:
                yield begun
            begun = line
    if begun:
        yield begun


def _line(line: str) -> str:
    """A line without its decoration; empty when it has nothing else."""
    line = _CALLOUT.sub("", _QUOTED.sub("", _BLANKS.sub(" ", line).strip())).strip()
    if _RULE.match(line) or _ADDRESS.match(line):
        return ""
    if _HEADING.match(line):
        line = line.strip("# ")
        line = line if not line or line.endswith((".", ":", "!", "?", "…")) else f"{line}:"
    if len(line) > 1 and line[0] == line[-1] == "|":
        line = line.strip("| ").replace("||", "|")
    pieces = _CODE.split(line.replace("``", "`"))
    for at in range(0, len(pieces), 2):  # every second one is code
        pieces[at] = _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", pieces[at])))
    return "".join(pieces).strip()
