"""The rules, in the order in which their findings are shown."""

from __future__ import annotations

from typing import Final

from toolcast.lint import answers, behaviour, inputs, names, texts
from toolcast.lint.rule import Rule

RULES: Final = (
    Rule(code="TC401", name="An operation has no text", severity="warning", check=texts.missing_text),
    Rule(code="TC402", name="A text says nothing", severity="warning", check=texts.empty_text),
    Rule(code="TC403", name="A text is cut", severity="info", check=texts.long_text),
    Rule(code="TC404", name="A text holds invisible characters", severity="warning", check=texts.hidden_characters),
    Rule(code="TC405", name="A text instructs the model", severity="error", check=texts.instructions),
    Rule(code="TC406", name="Two texts are nearly alike", severity="warning", check=texts.nearly_alike),
    Rule(code="TC411", name="An operation has no operationId", severity="warning", check=names.missing_id),
    Rule(code="TC412", name="An operationId is vague", severity="warning", check=names.vague_name),
    Rule(code="TC413", name="Operations share an operationId", severity="warning", check=names.shared_id),
    Rule(code="TC414", name="An operationId is too long", severity="info", check=names.long_id),
    Rule(code="TC421", name="A parameter has no text", severity="warning", check=inputs.parameter_without_text),
    Rule(code="TC422", name="Most fields have no text", severity="info", check=inputs.fields_without_text),
    Rule(code="TC423", name="A body is untyped", severity="warning", check=inputs.untyped_body),
    Rule(code="TC424", name="A value is untyped", severity="warning", check=inputs.untyped_field),
    Rule(code="TC425", name="An enumeration is huge", severity="warning", check=inputs.huge_enum),
    Rule(code="TC426", name="Codes have no meaning", severity="warning", check=inputs.codes_without_meaning),
    Rule(code="TC427", name="An id comes from nowhere", severity="warning", check=inputs.id_of_unknown_origin),
    Rule(code="TC428", name="A time has no format", severity="info", check=inputs.time_without_format),
    Rule(code="TC429", name="A tool is over its budget", severity="warning", check=inputs.over_budget),
    Rule(code="TC431", name="No success is documented", severity="warning", check=answers.no_answer),
    Rule(code="TC432", name="An answer has no schema", severity="warning", check=answers.answer_without_schema),
    Rule(code="TC433", name="No error is documented", severity="info", check=answers.errors_undocumented),
    Rule(code="TC434", name="A list has no paging", severity="info", check=answers.list_without_paging),
    Rule(code="TC441", name="A GET changes things", severity="warning", check=behaviour.get_that_changes),
    Rule(code="TC442", name="A write asks for no credentials", severity="warning", check=behaviour.open_write),
    Rule(code="TC443", name="Security is not declared", severity="info", check=behaviour.no_security),
    Rule(code="TC444", name="There are too many tools", severity="info", check=behaviour.too_many_tools),
)
