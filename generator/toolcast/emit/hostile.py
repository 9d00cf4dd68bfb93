"""Texts that break out of a language when they are not written as its literals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

HOSTILE: Final[Mapping[str, str]] = {
    "quotes": 'it\'s "quoted" \'\'\'x\'\'\' """x""" and `x`',
    "quote at the end": 'ends with "',
    "quotes at both ends": "\"\"\"'''",
    "backslash at the end": "ends with \\",
    "backslash and quote": '\\" \\\\" \\\' \\N{BULLET} \\u0041 \\x',
    "python": "'); import os; os.system('true')\n\"\"\"\nimport os\n#",
    "jinja": "{{ 7 * 7 }} {% raw %} {# x #} {%- endraw %}",
    "lines": "one\ntwo\r\nthree\rfour\u2028five\u2029six\x85seven\x0beight\x0cnine",
    "line that begins a block": "\n# heading\n\n- item\n\n    code\n\n```\nfence\n---\n| a | b |\n|---|---|\n",
    "controls": "\x00\x01\x1b[31m\x7f\x9b",
    "directions": "\u202e\u2066evil\u2069\u200b\u200e\ufeff\U000e0041",
    "html": "</script><script>alert(1)</script> <!-- --> <img src=x onerror=alert(1)> &amp; <https://evil.example>",
    "markdown": "[x](javascript:alert(1)) ![x](https://evil.example/x.png) *a* _b_ **c** ~~d~~ | e | 1. f $g$",
    "code of markdown": "` <b>x</b> [x](https://evil.example) ``` y",
    "shell": "${HOME} $(true) `true` ; true && true | true > x\n! ~ *",
    "toml": "\"]\nname = \"x\"\n[tool.evil]\nkey = '''",
    "yaml": "key: [value, {a: b}]\n- !!python/object:os.system &a *a\n---\n...",
    "formats": "%s %(x)s {x} {0} {x!r} f'{x}' $x",
    "characters": "ünïcödé 🚀 👩\u200d👧 \u0627\u0644",
    "comment": "# noqa # type: ignore # fmt: off # pragma: no cover",
    "empty": "",
    "blank": " ",
}
