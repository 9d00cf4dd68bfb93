"""Books: The catalogue with its covers and attachments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Content, Field, Operation, Part, Path, Query

if TYPE_CHECKING:
    from ..types import (
        AddAttachmentArguments,
        Attachment,
        Book,
        BookPage,
        BrowseBooksArguments,
        CreateBookArguments,
        DeleteBookArguments,
        GetBookArguments,
        RestoreBookArguments,
        SearchBooksArguments,
        UpdateBookArguments,
    )

BROWSE_BOOKS: Operation[BrowseBooksArguments, BookPage] = Operation(
    name="browse_books",
    method="GET",
    path="/books",
    bindings=(
        Query("q"),
        Query("filter_status", name="filter[status]", explode=False),
        Query("filter_category", name="filter[category]"),
        Query("filter_language", name="filter[language]", style="pipeDelimited", explode=False),
        Query("price", style="deepObject"),
        Query("publishedFrom"),
        Query("publishedTo"),
        Query("sort"),
        Query("cursor"),
        Query("limit"),
    ),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
    fixed=(("limit", 20),),
)
"""List books"""

CREATE_BOOK: Operation[CreateBookArguments, Book] = Operation(
    name="create_book",
    method="POST",
    path="/books",
    bindings=(
        Field("isbn"),
        Field("title"),
        Field("subtitle"),
        Field("authors"),
        Field("category"),
        Field("language"),
        Field("binding"),
        Field("publishedYear"),
        Field("priceCents"),
        Field("stock"),
        Field("description"),
    ),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey", "staffToken"),),
)
"""Add a book to the catalogue."""

SEARCH_BOOKS: Operation[SearchBooksArguments, BookPage] = Operation(
    name="search_books",
    method="POST",
    path="/books/search",
    bindings=(
        Field("text"),
        Field("authors"),
        Field("status"),
        Field("categories"),
        Field("languages"),
        Field("price"),
        Field("published"),
        Field("minRating"),
        Field("sort"),
        Field("cursor"),
        Field("limit"),
    ),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
    projection="projection",
)
"""Search books with a detailed filter."""

DELETE_BOOK: Operation[DeleteBookArguments, None] = Operation(
    name="delete_book",
    method="DELETE",
    path="/books/{bookId}",
    bindings=(Path("bookId"),),
    accept=("application/problem+json",),
    security=(("apiKey", "staffToken"),),
)
"""Withdraw a book."""

GET_BOOK: Operation[GetBookArguments, Book] = Operation(
    name="get_book",
    method="GET",
    path="/books/{bookId}",
    bindings=(Path("bookId"),),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""Get a book."""

UPDATE_BOOK: Operation[UpdateBookArguments, Book] = Operation(
    name="update_book",
    method="PATCH",
    path="/books/{bookId}",
    bindings=(
        Path("bookId"),
        Field("isbn"),
        Field("title"),
        Field("subtitle"),
        Field("authors"),
        Field("category"),
        Field("language"),
        Field("binding"),
        Field("publishedYear"),
        Field("priceCents"),
        Field("stock"),
        Field("description"),
    ),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey", "staffToken"),),
)
"""Change a book."""

ADD_ATTACHMENT: Operation[AddAttachmentArguments, Attachment] = Operation(
    name="add_attachment",
    method="POST",
    path="/books/{bookId}/attachments",
    bindings=(Path("bookId"), Field("file"), Field("metadata")),
    body=Content(
        "multipart/form-data",
        parts=(Part("file", file=True), Part("metadata", media_type="application/json")),
        required=True,
    ),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey", "staffToken"),),
)
"""Attach a file to a book."""

RESTORE_BOOK: Operation[RestoreBookArguments, Book] = Operation(
    name="restore_book",
    method="POST",
    path="/books/{bookId}/restore",
    bindings=(Path("bookId"),),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey", "staffToken"),),
)
"""Restore a withdrawn book."""
