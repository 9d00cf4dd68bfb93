"""The Jinja environment: what did not come through a filter is refused, and what Jinja offers keeps working."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, TemplateError, UndefinedError

from toolcast.emit.environment import RefusedError, Templates, templates_root

RAW = 'x\'\n"""; import os'

LEAKS = [
    "{{ raw }}",
    "{{ raw|py ~ raw }}",
    "{{ raw ~ raw|py }}",
    "{{ raw|py + raw }}",
    "{{ '%s'|py % raw }}",
    "{{ ('{}'|py).format(raw) }}",
    "{{ (raw|py).replace('x', raw) }}",
    "{{ (raw|py)[1:] }}",
    "{{ (raw|py).upper() }}",
    "{{ (raw|py).join([raw]) }}",
    "{{ raw if true else '' }}",
    "{{ none }}",
    "{{ true }}",
    "{{ 1.5 }}",
    "{{ 'abc' }}",
    "{{ [raw|py] }}",
    "{{ (raw|py,) }}",
    "{{ {'a': raw} }}",
    "{% set x = raw %}{{ x }}",
    "{% set x = raw|py ~ raw %}{{ x }}",
    "{% set x %}{{ raw }}{% endset %}{{ x|py }}",
    "{% set x %}{{ raw|py }}{% endset %}{{ x ~ raw }}",
    "{% macro m(v) %}{{ v }}{% endmacro %}{{ m(raw) }}",
    "{% macro m(v) %}{{ v|py }}{% endmacro %}{{ m(raw) ~ raw }}",
    "{% macro m() %}{{ caller() ~ raw }}{% endmacro %}{% call m() %}x{% endcall %}",
    "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ raw }}{% endcall %}",
    "{% for x in [raw] %}{{ x }}{% endfor %}",
    "{% for x in raw %}{{ x }}{% endfor %}",
    "{% with x = raw %}{{ x }}{% endwith %}",
    "{% block b %}{{ raw }}{% endblock %}",
    "{% block b %}x{% endblock %}{{ self.b() ~ raw }}",
    "{% include 'leaking' %}",
    "{% import 'macros' as m %}{{ m.leak(raw) }}",
    "{% extends 'base' %}{% block b %}{{ super() ~ raw }}{% endblock %}",
    "{{ loop }}",
    "{{ raw.__class__ }}",
]
REFUSED_TO_COMPILE = [
    "{{ raw|safe }}",
    "{{ raw|e }}",
    "{{ raw|tojson }}",
    "{{ raw|replace('x', 'y') }}",
    "{{ [raw]|join }}",
    "{{ raw|urlize }}",
    "{{ raw|format }}",
    "{{ {'a': raw}|xmlattr }}",
    "{{ [raw]|map('upper')|list }}",
    "{% filter py %}x{% endfilter %}",
    "{% filter upper %}{{ raw|py }}{% endfilter %}",
    "{% autoescape true %}{{ raw }}{% endautoescape %}",
    "{% autoescape false %}{{ raw|py }}{% endautoescape %}",
]
NO_GLOBALS = [
    "{{ range(2) }}",
    "{{ lipsum() }}",
    "{{ cycler(raw) }}",
    "{{ joiner(raw) }}",
    "{{ namespace() }}",
    "{{ gone }}",
]

WORKING = {
    "{{ raw|py }}": '"x\'\\n\\"\\"\\"; import os"',
    "{{ 42 }}": "42",
    "{% set x = 'a'|py %}{{ x }}": '"a"',
    "{% set x %}[{{ 'a'|py }}]{% endset %}{{ x }}": '["a"]',
    "{% macro m(v) %}<{{ v|py }}>{% endmacro %}{{ m('a') }}": '<"a">',
    "{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}{{ 'a'|py }}{% endcall %}": '<"a">',
    "{% for x in ['a', 'b'] %}{{ loop.index }}{{ x|py }}{% endfor %}": '1"a"2"b"',
    "{% block b %}{{ 'a'|py }}{% endblock %}{{ self.b() }}": '"a""a"',
    "{% include 'sound' %}": '"x"',
    "{% import 'macros' as m %}{{ m.sound('a') }}": '"a"',
    "{% extends 'base' %}{% block b %}{{ super() }}{{ 'a'|py }}{% endblock %}": 'base"a"',
}
OTHERS = {
    "leaking": "{{ raw }}",
    "sound": "{{ 'x'|py }}",
    "macros": "{% macro leak(v) %}{{ v }}{% endmacro %}{% macro sound(v) %}{{ v|py }}{% endmacro %}",
    "base": "{% block b %}base{% endblock %}",
}


def rendered(source: str) -> str:
    """A template's text, with a raw text as ``raw``."""
    return Templates(DictLoader({**OTHERS, "template": source})).rendered("template", {"raw": RAW})


@pytest.mark.parametrize("source", LEAKS)
def test_a_template_that_forgets_a_filter_fails(source: str) -> None:
    with pytest.raises((RefusedError, UndefinedError)):
        rendered(source)


@pytest.mark.parametrize("source", REFUSED_TO_COMPILE)
def test_other_filters_and_their_blocks_are_refused(source: str) -> None:
    with pytest.raises(TemplateError):
        rendered(source)


@pytest.mark.parametrize("source", NO_GLOBALS)
def test_there_is_nothing_but_the_view(source: str) -> None:
    with pytest.raises(UndefinedError):
        rendered(source)


@pytest.mark.parametrize("source", [*WORKING])
def test_what_jinja_offers_keeps_working(source: str) -> None:
    assert rendered(source) == WORKING[source]


def test_a_refusal_names_the_filters_and_its_place() -> None:
    with pytest.raises(RefusedError, match="needs a filter: one of annotation, code_span") as refusal:
        rendered("{{ 1 }}\n\n{{ raw }}")
    assert refusal.traceback[-2].lineno == 2  # from 0


def test_the_built_in_templates_are_found() -> None:
    assert (templates_root() / "project" / "pyproject.toml.jinja").is_file()
    assert (templates_root() / "runtime" / "LICENSE").is_file()
