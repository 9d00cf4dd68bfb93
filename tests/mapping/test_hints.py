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
    ("get", "/cron/run", "runCron", "", DESTROYS),
    ("get", "/#Action=TerminateInstances", "GET_TerminateInstances", "", DESTROYS),
    ("get", "/#Action=DescribeInstances", "GET_DescribeInstances", "", READS),
    ("get", "/dialog.open", "dialog_open", "", DESTROYS),
    ("get", "/steps.completed", "steps_stepCompleted", "", READS),
    ("get", "/workflows.stepCompleted", "", "", DESTROYS),
    ("get", "/conversations.history", "", "", READS),
    ("get", "/oauth.access", "", "", DESTROYS),
    ("get", "/cookies", "", "Sets cookies and goes elsewhere", DESTROYS),
    ("get", "/customers/{id}/confirm", "getConfirmationStatus", "", READS),
    ("get", "/jobs/{id}/cancel", "getJobsCancel", "", DESTROYS),
    ("get", "/messages/{id}/pin", "getPin", "", READS),
    ("get", "/login.html", "getLoginPage", "", READS),
    ("get", "/guilds/{id}/prune", "preview_prune_guild", "", READS),
    ("get", "/exec/{id}/json", "ExecInspect", "Inspect an exec instance", READS),
    # POST that reads
    ("post", "/pets/search", "searchPets", "Search pets", READS),
    ("post", "/pets/search", "", "", READS),
    ("post", "/accounts/get", "accountsGet", "Get accounts", READS),
    ("post", "/prices/estimate", "estimatePrice", "", READS),
    ("post", "/search", "postSearch", "", READS),
    ("post", "/orders/preview", "previewOrder", "", READS),
    ("post", "/addresses/validate", "validateAddress", "Validate an address without saving it", READS),
    ("post", "/lists/lookup", "lookupLists", "", READS),
    ("post", "/addresses/validate", "validateAddress", "", READS),
    ("post", "/messages/validate/push", "validatePush", "", READS),
    ("post", "/names/check", "checkName", "Check whether a name is free", READS),
    ("post", "/things/{id}/test", "testPermissions", "", READS),
    ("post", "/transfer/event/list", "transferEventList", "List transfer events", READS),
    ("post", "/batch/get", "batchGet", "", READS),
    ("post", "/v1/orders:batchGet", "shop.orders.batchGet", "", READS),
    ("post", "/contacts/batch/read", "readBatch", "Read a batch of contacts", READS),
    ("post", "/_msearch", "msearch.1", "", READS),
    ("post", "/search/scroll", "scroll.0", "", READS),
    ("post", "/export/data", "exportData", "Download the data", DESTROYS),
    ("post", "/v1/prefix", "query_prefix_v1_prefix_post", "Get the prefix", READS),
    ("post", "/carts/{id}/estimate", "quoteManagementV1EstimateByAddressPost", "", READS),
    ("post", "/#X-Amz-Target=Dynamo.GetItem", "GetItem", "", READS),
    ("post", "/keys/permissions", "hasPermission", "", READS),
    # POST that only seems to read
    ("post", "/email/verify", "verifyEmail", "Verify an email address", DESTROYS),
    ("post", "/hooks/{id}/tests", "testHook", "Test a hook", ADDS),
    ("post", "/token", "getToken", "Get a token", DESTROYS),
    ("post", "/uploads/url", "getUploadUrl", "", DESTROYS),
    ("post", "/notifications/read", "readNotifications", "", DESTROYS),
    ("post", "/query", "query", "Query", DESTROYS),
    ("post", "/searches", "createSearch", "Create a search", ADDS),
    ("post", "/items", "listItem", "List an item for sale", ADDS),
    ("post", "/list", "list", "List an item for sale", ADDS),
    ("post", "/count", "countVisit", "Count a visit", ADDS),
    ("post", "/users/get", "getOrCreateUser", "", ADDS),
    ("post", "/users/search", "searchUsers", "Search users and delete those that are found", DESTROYS),
    ("post", "/lists/{id}/sort", "sortList", "", DESTROYS),
    ("post", "/coupons/validate", "validateCode", "", DESTROYS),
    ("post", "/addresses/{id}/validate", "validateAddress", "", DESTROYS),
    ("post", "/sessions/check-in", "checkIn", "Check in", ADDS),
    ("post", "/sync-triggers", "listSyncTriggers", "", ADDS),
    ("post", "/search/filters", "searchFilters", "", ADDS),
    ("post", "/auth/token/get", "", "Get a token", DESTROYS),
    ("post", "/jobs/next", "getNextJob", "", DESTROYS),
    ("post", "/toasts/show", "showToast", "", DESTROYS),
    ("post", "/backups/list", "listBackups", "Lists backups. It can also be used to update their address", DESTROYS),
    # POST that adds
    ("post", "/pets", "createPet", "Create a pet", ADDS),
    ("post", "/pets", "", "", ADDS),
    ("post", "/transfers", "createTransfer", "Create a transfer", ADDS),
    ("post", "/users/register", "registerUser", "", ADDS),
    ("post", "/messages", "sendMessage", "", ADDS),
    ("post", "/files/{id}/tests", "testFile", "", ADDS),
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
    ("post", "/payments/{id}/captures", "", "", DESTROYS),
    ("post", "/pods/{id}/eviction", "createPodEviction", "", DESTROYS),
    ("post", "/lists/{id}/archiveAllCards", "addListsArchiveAllCardsByIdList", "", DESTROYS),
    ("post", "/users/{id}/reset_password", "generateResetPasswordToken", "", DESTROYS),
    ("post", "/machines/commands", "sendCommand", "", DESTROYS),
    ("post", "/sites/{id}/keys", "generateNewKey", "Generates a new key", DESTROYS),
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


def _with(fields: dict[str, Any], operation_id: str, *, union: bool = False) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": fields}
    body = {"content": {"application/json": {"schema": {"oneOf": [schema]} if union else schema}}}
    return {"operationId": operation_id, "requestBody": body}


@pytest.mark.parametrize("name", ["sql", "statement", "script", "command", "mutation", "code", "sourceCode"])
@pytest.mark.parametrize("union", [False, True])
def test_a_body_that_holds_a_language_may_do_anything(name: str, union: bool) -> None:
    made = tool(_with({name: {"type": "string"}}, "searchPets", union=union), "/pets/search")
    assert (made.hints.read_only.value, made.hints.read_only.rule) == (False, "language")


@pytest.mark.parametrize("name", ["countryCode", "bank_statement_id", "query", "q"])
def test_a_phrase_and_a_code_of_another_kind_are_no_language(name: str) -> None:
    assert tool(_with({name: {"type": "string"}}, "searchPets"), "/pets/search").hints.read_only.value


TEXT: dict[str, Any] = {"type": "string"}
OBJECT: dict[str, Any] = {"type": "object", "properties": {"term": TEXT}}


@pytest.mark.parametrize(
    ("fields", "id_", "expected"),
    [
        ({"query": TEXT}, "queryPets", False),
        ({"query": OBJECT}, "queryPets", True),
        ({"queries": {"type": "array", "items": OBJECT}}, "queryPets", False),
        ({"filter": OBJECT, "limit": {"type": "integer"}}, "queryPets", True),
        ({"query": TEXT}, "getPets", False),
        ({"query": TEXT}, "previewPets", False),
        ({"query": {"anyOf": [TEXT, OBJECT]}}, "queryPets", False),
        ({"query": {}}, "queryPets", False),
        ({"autoCreateIndex": {"type": "boolean"}}, "searchPets", False),
        ({"save": {"type": "boolean"}}, "searchPets", False),
        ({"updatedSince": TEXT}, "searchPets", True),
    ],
)
def test_a_query_reads_where_its_body_describes_it(fields: dict[str, Any], id_: str, expected: bool) -> None:
    assert tool(_with(fields, id_), "/pets/query").hints.read_only.value is expected


def test_a_body_of_another_language_may_do_anything() -> None:
    operation: dict[str, Any] = {"operationId": "searchPets", "requestBody": {"content": {"application/sql": {}}}}
    assert not tool(operation, "/search").hints.read_only.value


def test_a_get_that_takes_a_command_may_do_anything() -> None:
    operation = {"parameters": [{"name": "sql", "in": "query", "schema": {"type": "string"}}]}
    assert not tool(operation, "/db", "get").hints.read_only.value


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("get", "/pets/{id}", True),
        ("put", "/pets/{id}", True),
        ("delete", "/pets/{id}", True),
        ("post", "/pets/{id}", False),
        ("patch", "/pets/{id}", False),
        ("put", "/counters/{id}/increment", False),
        ("put", "/keys/{id}/rotate", False),
        ("delete", "/queue/head", False),
        ("post", "/pets/{id}/archive", True),
        ("post", "/pets/{id}/cancel", True),
        ("post", "/pets/{id}/cancellations", False),
        ("post", "/pets/{id}/restart", False),
    ],
)
def test_idempotence_follows_the_method_and_the_verb(method: str, path: str, expected: bool) -> None:
    assert tool({}, path, method).hints.idempotent.value is expected


def test_a_stream_of_events_ends_with_the_connection_and_a_newsletter_does_not() -> None:
    events: dict[str, Any] = {"200": {"description": "OK", "content": {"text/event-stream": {}}}}
    subscribed: dict[str, Any] = {"operationId": "event.subscribe", "responses": events}
    assert tool(subscribed, "/event", "get").hints.read_only.value
    assert not tool({"operationId": "newsletter.subscribe"}, "/newsletter/subscribe", "get").hints.read_only.value


def test_extensions_are_evidence() -> None:
    assert not tool({"x-kubernetes-action": "connect"}, "/pods/{id}/proxy", "get").hints.read_only.value
    assert not tool({"x-ms-long-running-operation": True, "operationId": "listKeys"}).hints.read_only.value
    assert not tool({"x-openai-isConsequential": True}, "/pets", "get").hints.read_only.value
    assert tool({"x-openai-isConsequential": False, "operationId": "checkStock"}, "/stock").hints.read_only.value
    assert not tool({"operationId": "checkStock"}, "/stock").hints.read_only.value


def test_a_get_that_answers_201_starts_something() -> None:
    answers = {"201": {"description": "Made"}}
    assert not tool({"responses": answers}, "/reports/today", "get").hints.read_only.value
    assert tool({"responses": answers, "operationId": "getReport"}, "/reports/today", "get").hints.read_only.value


def test_a_write_in_disguise_is_not_idempotent() -> None:
    assert not tool({}, "/sendEmail", "get").hints.idempotent.value


def test_every_hint_has_a_reason() -> None:
    made = tool({}, "/pets").hints
    assert all(
        hint.reason and hint.rule for hint in (made.read_only, made.destructive, made.idempotent, made.open_world)
    )
    assert made.open_world.value
