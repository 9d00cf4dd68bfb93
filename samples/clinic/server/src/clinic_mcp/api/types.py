"""The types of arguments and answers, as the API's document describes them; for type checkers only."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AddFindingArguments(TypedDict):
    patientId: int
    title: str
    file: str
    tags: NotRequired[list[str]]


class AddFindingResult(TypedDict):
    id: int
    title: str
    tags: NotRequired[list[str]]


class Appointment(TypedDict):
    id: int
    at: str
    minutes: int
    reason: NotRequired[Literal["check", "pain", "vaccination", "other"]]


class CancelAppointmentArguments(TypedDict):
    id: int


class FindPatientsArguments(TypedDict):
    name: NotRequired[str]
    born: NotRequired[str]
    allergies: NotRequired[list[str]]
    page: NotRequired[int]


class GetFindingFileArguments(TypedDict):
    id: int


class GetPatientArguments(TypedDict):
    patientId: int


class MakeAppointmentArguments(TypedDict):
    patientId: int
    at: str
    minutes: NotRequired[int]
    reason: NotRequired[Literal["check", "pain", "vaccination", "other"]]


class Patient(TypedDict):
    id: NotRequired[int]
    name: str
    born: str
    allergies: NotRequired[list[str]]


class RegisterPatientArguments(TypedDict):
    name: str
    born: str
    allergies: NotRequired[list[str]]
