"""What the owner wants: the contents of ``toolcast.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from toolcast.model.limits import TOOL_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The owner's wishes; ``document`` is a path relative to the package's folder, with ``/``, or a URL.

    ``budget`` is what one tool may cost in a list, in tokens; ``output_schema`` how closely answers are described.
    ``templates`` is the folder with the owner's templates, such a path, too.
    """

    document: str = ""
    name: str = ""
    version: str = "0.1.0"
    budget: int = TOOL_TOKENS
    output_schema: Literal["loose", "strict", "off"] = "loose"
    templates: str = ""
