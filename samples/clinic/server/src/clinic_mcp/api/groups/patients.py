"""Patients: Who is treated here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Content, Field, Operation, Path, Query, Xml

if TYPE_CHECKING:
    from ..types import FindPatientsArguments, GetPatientArguments, Patient, RegisterPatientArguments

FIND_PATIENTS: Operation[FindPatientsArguments, list[Patient]] = Operation(
    name="find_patients",
    method="GET",
    path="/patients",
    bindings=(Query("name"), Query("born"), Query("allergies", style="pipeDelimited", explode=False), Query("page")),
    accept=("application/json",),
    security=(("staff",),),
    wrapped=True,
)
"""Finds patients by name, by day of birth, or by what they are allergic to. Without any, lists all."""

REGISTER_PATIENT: Operation[RegisterPatientArguments, str] = Operation(
    name="register_patient",
    method="POST",
    path="/patients",
    bindings=(Field("name"), Field("born"), Field("allergies")),
    body=Content(
        "application/xml",
        required=True,
        xml=Xml(
            "patient",
            namespace="https://clinic.example/ns",
            fields=("name", "born", ("allergies", Xml(wrapped=True, items=Xml("allergy")))),
        ),
    ),
    accept=("application/xml",),
    security=(("staff",),),
)
"""Register a patient."""

GET_PATIENT: Operation[GetPatientArguments, Patient] = Operation(
    name="get_patient",
    method="GET",
    path="/patients/{patientId}",
    bindings=(Path("patientId"),),
    accept=("application/json",),
    security=(("staff",),),
)
"""Get a patient"""
