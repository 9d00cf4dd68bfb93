"""Findings: What was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._runtime.operation import Content, Field, Operation, Part, Path

if TYPE_CHECKING:
    from ..types import AddFindingArguments, AddFindingResult, GetFindingFileArguments

GET_FINDING_FILE: Operation[GetFindingFileArguments, Any] = Operation(
    name="get_finding_file",
    method="GET",
    path="/findings/{id}/file",
    bindings=(Path("id"),),
    accept=("image/png", "application/pdf"),
    security=(("staff",),),
)
"""Get the file of a finding"""

ADD_FINDING: Operation[AddFindingArguments, AddFindingResult] = Operation(
    name="add_finding",
    method="POST",
    path="/patients/{patientId}/findings",
    bindings=(Path("patientId"), Field("title"), Field("file"), Field("tags")),
    body=Content("multipart/form-data", parts=(Part("file", file=True),), required=True),
    accept=("application/json",),
    security=(("staff",),),
)
"""Adds a finding with its picture or document."""
