"""Suspicion: texts that speak to the model that reads them rather than of the API (tool poisoning)."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Orders to developers ("you must call /login first") are none; what is named here has no place in an API's text. Each
# pattern stands with words of which a text has one at least that it matches.
_ORDERS: Final = tuple(
    (tuple(needed.split("|")), re.compile(pattern, re.IGNORECASE))
    for needed, pattern in (
        (  # what was told before
            "ignore|disregard|forget|bypass",
            r"\b(?:ignore|disregard|forget|bypass)\s+(?:\w+\s+){0,3}"
            r"(?:previous|prior|above|earlier|preceding|other|system|safety|security)\s+(?:\w+\s+)?"
            r"(?:instructions?|prompts?|messages?|rules|directions|guidelines)\b",
        ),
        (  # what the user must not know
            "the user|the human",
            r"\b(?:do\s+not|don['’]t|never|without|avoid)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|alert(?:ing)?|"
            r"reveal(?:ing)?|show(?:ing)?|notify(?:ing)?|ask(?:ing)?)\s+(?:\w+\s+){0,3}?(?:to\s+)?"
            r"the\s+(?:user|human)\b(?!['’]s)|"
            r"\b(?:keep|hide)\s+(?:this|it|that)\s+(?:a\s+)?(?:secret\s+)?from\s+the\s+(?:user|human)\b",
        ),
        (  # what the model knows, and the API does not
            "system prompt|history|conversation|previous|environment variables",
            r"\b(?:reveal|print|repeat|leak|output|include|send|copy|pass)\s+(?:\w+\s+){0,3}(?:system\s+prompt|"
            r"chat\s+history|conversation\s+(?:history|so\s+far)|previous\s+(?:messages|conversation)|"
            r"environment\s+variables)\b",
        ),
        (
            "file",
            r"\b(?:read|open|cat|send|upload|include|copy)\s+(?:\w+\s+){0,3}(?:user['’]s|private|local)\s+"
            r"(?:\w+\s+){0,2}files?\b",
        ),
        (
            "~/|id_rsa|/etc/",
            r"\b(?:read|open|cat|send|pass|contents?\s+of)\b[^.\n]{0,40}(?:~/\.\w+|\bid_rsa\b|/etc/(?:passwd|shadow)\b)",
        ),
        (  # who speaks
            "system|instruction|assistant|inst]|im_start|im_end|you are now",
            r"</?\s*(?:system|instructions?|assistant)\s*>|\[/?inst\]|<\|im_(?:start|end)\|>|\byou\s+are\s+now\s+an?\b",
        ),
        (  # which tools to take
            "tool|function",
            r"\b(?:before|after|instead\s+of)\s+(?:using|calling|invoking)\s+(?:any|every|all|the)\s+other\s+tools?\b|"
            r"\balways\s+(?:call|use|invoke|run|prefer|choose)\s+this\s+(?:tool|function)\b",
        ),
        (
            "assistant|llm|ai ",
            r"\b(?:assistants?|llms?|ai\s+(?:agents?|models?|assistants?))\s+(?:must|should)\s+"
            r"(?:always\s+|first\s+|also\s+)*(?:call|invoke|use|send|read|pass|forward|include|ignore|tell|mention)\b",
        ),
    )
)


def orders(text: str) -> str | None:
    """What of a text tries to instruct the model, on one line of at most 80 characters; None where nothing does."""
    text = unicodedata.normalize("NFKC", text)
    small = text.lower()
    for needed, pattern in _ORDERS:
        if any(word in small for word in needed):
            found = pattern.search(text)
            if found is not None:
                return " ".join(found[0].split())[:80]
    return None
