"""The kinds of texts that a view holds. Annotations of views name them, and tools that reflect on views read that."""

from __future__ import annotations

from typing import TypeAlias

# Made or checked by the mapping: letters, digits and a few signs that no language minds.
Name: TypeAlias = str
# The document's or the owner's: it may hold anything, also what breaks out of quotes.
Text: TypeAlias = str
