"""Appointments: When they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Content, Field, Operation, Path

if TYPE_CHECKING:
    from ..types import Appointment, CancelAppointmentArguments, MakeAppointmentArguments

CANCEL_APPOINTMENT: Operation[CancelAppointmentArguments, None] = Operation(
    name="cancel_appointment",
    method="DELETE",
    path="/appointments/{id}",
    bindings=(Path("id"),),
    accept=("application/json", "application/xml"),
    security=(("staff",),),
)
"""Cancels an appointment; the time is free for others at once."""

MAKE_APPOINTMENT: Operation[MakeAppointmentArguments, Appointment] = Operation(
    name="make_appointment",
    method="POST",
    path="/patients/{patientId}/appointments",
    bindings=(Path("patientId"), Field("at"), Field("minutes"), Field("reason")),
    body=Content("application/x-www-form-urlencoded", required=True),
    accept=("application/json",),
    security=(("staff",),),
)
"""Make an appointment"""
