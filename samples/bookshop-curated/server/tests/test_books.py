"""Books: the request that each tool becomes."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Sent

CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "browse_books",
        {
            "q": "time machine",
            "filter_status": ["available"],
            "filter_category": ["gothic", "science-fiction"],
            "filter_language": ["fr", "de"],
            "price": {"min": 500, "max": 1200},
            "publishedFrom": 1800,
            "publishedTo": 1899,
            "sort": "-publishedYear",
            "cursor": "abc",
        },
        {
            "method": "GET",
            "path": "/books",
            "query": "q=time%20machine&filter%5Bstatus%5D=available&filter%5Bcategory%5D=gothic&filter%5Bcategory%5D=science-fiction&filter%5Blanguage%5D=fr%7Cde&price%5Bmin%5D=500&price%5Bmax%5D=1200&publishedFrom=1800&publishedTo=1899&sort=-publishedYear&cursor=abc&limit=20",
            "headers": {"accept": "application/json, application/problem+json", "x-api-key": "test-bookdesk-api-key"},
            "body": b"",
        },
    ),
    (
        "create_book",
        {
            "isbn": "9780000005182",
            "title": "Middlemarch",
            "subtitle": "A Study of Provincial Life",
            "authors": ["George Eliot"],
            "category": "novels",
            "language": "en",
            "binding": "hardcover",
            "publishedYear": 1871,
            "priceCents": 1450,
            "stock": 6,
            "description": "abc",
        },
        {
            "method": "POST",
            "path": "/books",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-bookdesk-staff-token",
                "content-type": "application/json",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"isbn":"9780000005182","title":"Middlemarch","subtitle":"A Study of Provincial Life","authors":["George Eliot"],"category":"novels","language":"en","binding":"hardcover","publishedYear":1871,"priceCents":1450,"stock":6,"description":"abc"}',
        },
    ),
    (
        "search_books",
        {
            "text": "abc",
            "authors": ["abc"],
            "status": ["available"],
            "categories": ["gothic"],
            "languages": ["en"],
            "price": {"max": 1000},
            "published": {"from": 1450, "to": 1450},
            "minRating": 1,
            "sort": "title",
            "cursor": "abc",
            "limit": 20,
        },
        {
            "method": "POST",
            "path": "/books/search",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "content-type": "application/json",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"text":"abc","authors":["abc"],"status":["available"],"categories":["gothic"],"languages":["en"],"price":{"max":1000},"published":{"from":1450,"to":1450},"minRating":1,"sort":"title","cursor":"abc","limit":20}',
        },
    ),
    (
        "delete_book",
        {"bookId": 1},
        {
            "method": "DELETE",
            "path": "/books/1",
            "query": "",
            "headers": {
                "accept": "application/problem+json",
                "authorization": "Bearer test-bookdesk-staff-token",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b"",
        },
    ),
    (
        "get_book",
        {"bookId": 1},
        {
            "method": "GET",
            "path": "/books/1",
            "query": "",
            "headers": {"accept": "application/json, application/problem+json", "x-api-key": "test-bookdesk-api-key"},
            "body": b"",
        },
    ),
    (
        "update_book",
        {
            "bookId": 1,
            "isbn": "9780000000378",
            "title": "abc",
            "subtitle": "abc",
            "authors": ["abc"],
            "category": "science-fiction",
            "language": "en",
            "binding": "hardcover",
            "publishedYear": 1450,
            "priceCents": 850,
            "stock": 1,
            "description": "abc",
        },
        {
            "method": "PATCH",
            "path": "/books/1",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-bookdesk-staff-token",
                "content-type": "application/json",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'{"isbn":"9780000000378","title":"abc","subtitle":"abc","authors":["abc"],"category":"science-fiction","language":"en","binding":"hardcover","publishedYear":1450,"priceCents":850,"stock":1,"description":"abc"}',
        },
    ),
    (
        "add_attachment",
        {"bookId": 1, "file": "aGVsbG8=", "metadata": {"title": "abc", "kind": "excerpt"}},
        {
            "method": "POST",
            "path": "/books/1/attachments",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-bookdesk-staff-token",
                "content-type": "multipart/form-data; boundary=61175ba0195ac37f5ae433a31153858d",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b'--61175ba0195ac37f5ae433a31153858d\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\nhello\r\n--61175ba0195ac37f5ae433a31153858d\r\nContent-Disposition: form-data; name="metadata"\r\nContent-Type: application/json\r\n\r\n{"title":"abc","kind":"excerpt"}\r\n--61175ba0195ac37f5ae433a31153858d--\r\n',
        },
    ),
    (
        "restore_book",
        {"bookId": 1},
        {
            "method": "POST",
            "path": "/books/1/restore",
            "query": "",
            "headers": {
                "accept": "application/json, application/problem+json",
                "authorization": "Bearer test-bookdesk-staff-token",
                "x-api-key": "test-bookdesk-api-key",
            },
            "body": b"",
        },
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "request_"), CASES, ids=[case[0] for case in CASES])
def test_request(tool: str, arguments: dict[str, Any], request_: dict[str, Any], sent: Sent) -> None:
    """The request is the one that was reviewed."""
    assert sent(tool, arguments) == request_
