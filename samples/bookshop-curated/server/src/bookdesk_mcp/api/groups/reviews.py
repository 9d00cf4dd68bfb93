"""Reviews: What customers think of books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Content, Field, Operation, Path, Query

if TYPE_CHECKING:
    from ..types import AddReviewArguments, ListReviewsArguments, ListReviewsResult, Review

LIST_REVIEWS: Operation[ListReviewsArguments, ListReviewsResult] = Operation(
    name="list_reviews",
    method="GET",
    path="/books/{bookId}/reviews",
    bindings=(Path("bookId"), Query("at_least", name="minRating"), Query("cursor"), Query("limit")),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""List the reviews of a book."""

ADD_REVIEW: Operation[AddReviewArguments, Review] = Operation(
    name="add_review",
    method="POST",
    path="/books/{bookId}/reviews",
    bindings=(Path("bookId"), Field("customerId"), Field("rating"), Field("text")),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey",),),
)
"""Review a book."""
