from __future__ import annotations

from typing import Any

import pytest

from .documents import tool

READS, ADDS, DESTROYS = (True, False), (False, False), (False, True)

# method, path, operationId, summary → (read-only, destructive)
OPERATIONS: list[tuple[str, str, str, str, tuple[bool, bool]]] = [
    # reading methods
    ("get", "/pets", "listPets", "List pets", READS),
    ("get", "/pets/{id}", "", "", READS),
    ("head", "/pets/{id}", "", "", READS),
    ("options", "/pets", "", "", READS),
    ("get", "/transfers", "", "Transfers", READS),
    ("get", "/transfers/{id}", "getTransfer", "Get a transfer", READS),
    ("get", "/orders/{id}/cancelled", "", "", READS),
    ("get", "/policy", "getCancelPolicy", "Cancel policy of the shop", DESTROYS),
    ("get", "/policy", "getCancelPolicy", "The policy for cancelling", READS),
    ("get", "/jobs/{id}/actions", "listActions", "List actions", READS),
    ("get", "/merges", "", "", READS),
    ("get", "/reset-tokens", "", "", READS),
    ("get", "/books/new", "", "", READS),
    ("get", "/update-history", "", "", READS),
    ("get", "/pulls/{id}/merge", "pulls/check-if-merged", "Check if a pull request is merged", READS),
    ("get", "/exports/{id}/archive", "downloadArchive", "Download the archive", READS),
    ("get", "/block/{hash}", "", "The block with a hash", READS),
    ("get", "/charge/{id}", "", "", READS),
    ("get", "/runs/{id}", "getRun", "Retrieve a run", READS),
    ("get", "/keys/{id}", "repos/get-deploy-key", "Get a deploy key", READS),
    ("get", "/readPet", "readPet", "", READS),
    ("get", "/pets/{id}.json", "", "", READS),
    ("get", "/deleted-items", "listDeletedItems", "List deleted items", READS),
    # writes in the disguise of reads
    ("get", "/logout", "", "", DESTROYS),
    ("get", "/auth/logout", "AuthController_logout", "", DESTROYS),
    ("get", "/logout.php", "", "", DESTROYS),
    ("get", "/jobs/{id}", "cancelJob", "", DESTROYS),
    ("get", "/jobs/{id}/cancel", "", "", DESTROYS),
    ("get", "/jobs/{id}/stop", "", "", DESTROYS),
    ("get", "/jobs/{id}:cancel", "", "", DESTROYS),
    ("get", "/users/delete/{id}", "", "", DESTROYS),
    ("get", "/deleteUser/{id}", "", "", DESTROYS),
    ("get", "/delete-user", "", "", DESTROYS),
    ("get", "/sendEmail", "", "", DESTROYS),
    ("get", "/cancelOrder", "", "", DESTROYS),
    ("get", "/users", "users.delete", "", DESTROYS),
    ("get", "/users", "Users_Delete", "", DESTROYS),
    ("get", "/x", "JobsController_restart", "", DESTROYS),
    ("get", "/x", "userDelete", "", DESTROYS),
    ("get", "/auth.revoke", "", "", DESTROYS),
    ("get", "/x", "", "Users: delete everyone", DESTROYS),
    ("get", "/x", "", "Users - Delete everyone", DESTROYS),
    ("get", "/x", "", "Deletes a user", DESTROYS),
    ("get", "/x", "", "<b>Delete</b> a user", DESTROYS),
    ("get", "/Library/Refresh", "RefreshLibrary", "", DESTROYS),
    ("get", "/items/{id}/unsubscribe", "", "", DESTROYS),
    ("head", "/logout", "", "", DESTROYS),
    # POST that reads
    ("post", "/pets/search", "searchPets", "Search pets", READS),
    ("post", "/pets/search", "", "", READS),
    ("post", "/accounts/get", "accountsGet", "Get accounts", READS),
    ("post", "/prices/estimate", "estimatePrice", "", READS),
    ("post", "/search", "postSearch", "", READS),
    ("post", "/orders/preview", "previewOrder", "", READS),
    ("post", "/addresses/validate", "validateAddress", "Validate an address without saving it", READS),
    ("post", "/lists/lookup", "lookupLists", "", READS),
    # POST that only seems to read
    ("post", "/email/verify", "verifyEmail", "Verify an email address", DESTROYS),
    ("post", "/hooks/{id}/tests", "testHook", "Test a hook", ADDS),
    ("post", "/token", "getToken", "Get a token", DESTROYS),
    ("post", "/uploads/url", "getUploadUrl", "", DESTROYS),
    ("post", "/notifications/read", "readNotifications", "", DESTROYS),
    ("post", "/query", "query", "Query", DESTROYS),
    ("post", "/searches", "createSearch", "Create a search", ADDS),
    ("post", "/items", "listItem", "List an item for sale", ADDS),
    # POST that adds
    ("post", "/pets", "createPet", "Create a pet", ADDS),
    ("post", "/pets", "", "", ADDS),
    ("post", "/transfers", "createTransfer", "Create a transfer", ADDS),
    ("post", "/users/register", "registerUser", "", ADDS),
    # POST that may take something away
    ("post", "/pets/{id}/cancel", "", "", DESTROYS),
    ("post", "/jobs/{id}/actions", "createAction", "Create an action", DESTROYS),
    ("post", "/transfer", "transfer", "", DESTROYS),
    ("post", "/pets", "deletePets", "", DESTROYS),
    ("post", "/pets", "createOrUpdatePet", "", DESTROYS),
    ("post", "/pets", "", "Create or update a pet", DESTROYS),
    ("post", "/settings", "", "", DESTROYS),
    ("post", "/device/status", "", "", DESTROYS),
    ("post", "/thing", "", "", DESTROYS),
    ("post", "/pets", "updatePet", "", DESTROYS),
    # the others
    ("put", "/pets/{id}", "replacePet", "", DESTROYS),
    ("patch", "/pets/{id}", "updatePet", "", DESTROYS),
    ("delete", "/pets/{id}", "deletePet", "", DESTROYS),
]


@pytest.mark.parametrize(
    ("method", "path", "id_", "summary", "expected"), OPERATIONS, ids=lambda value: str(value).replace("/", "|")
)
def test_hints(method: str, path: str, id_: str, summary: str, expected: tuple[bool, bool]) -> None:
    operation: dict[str, Any] = {"summary": summary, "responses": {"200": {"description": "OK"}}}
    made = tool(operation | ({"operationId": id_} if id_ else {}), path, method)
    assert (made.hints.read_only.value, made.hints.destructive.value) == expected, made.hints


@pytest.mark.parametrize("status", ["201", "202"])
def test_a_search_that_makes_something_does_not_only_read(status: str) -> None:
    operation = {"operationId": "searchPets", "responses": {status: {"description": "Made"}}}
    assert not tool(operation, "/pets/search").hints.read_only.value


@pytest.mark.parametrize("name", ["sql", "queryText", "statement", "script", "command", "mutation", "code"])
@pytest.mark.parametrize("union", [False, True])
def test_a_body_that_holds_a_language_may_do_anything(name: str, union: bool) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {name.replace("queryText", "query"): {"type": "string"}}}
    operation = {
        "operationId": "searchPets",
        "requestBody": {"content": {"application/json": {"schema": {"oneOf": [schema]} if union else schema}}},
    }
    assert not tool(operation, "/pets/search").hints.read_only.value


def test_a_body_of_another_language_may_do_anything() -> None:
    operation: dict[str, Any] = {"operationId": "searchPets", "requestBody": {"content": {"application/sql": {}}}}
    assert not tool(operation, "/search").hints.read_only.value


def test_a_get_that_takes_a_command_may_do_anything() -> None:
    operation = {"parameters": [{"name": "sql", "in": "query", "schema": {"type": "string"}}]}
    assert not tool(operation, "/db", "get").hints.read_only.value


@pytest.mark.parametrize(("method", "expected"), [("get", True), ("put", True), ("delete", True), ("post", False)])
def test_idempotence_follows_the_method(method: str, expected: bool) -> None:
    assert tool({}, "/pets/{id}", method).hints.idempotent.value is expected


def test_a_write_in_disguise_is_not_idempotent() -> None:
    assert not tool({}, "/logout", "get").hints.idempotent.value


def test_every_hint_has_a_reason() -> None:
    made = tool({}, "/pets").hints
    assert all(hint.reason for hint in (made.read_only, made.destructive, made.idempotent, made.open_world))
    assert made.open_world.value
