"""Categories: The tree of categories that books are filed under."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.operation import Content, Field, Operation, Query

if TYPE_CHECKING:
    from ..types import Category, CreateCategoryArguments, ListCategoriesArguments

LIST_CATEGORIES: Operation[ListCategoriesArguments, list[Category]] = Operation(
    name="list_categories",
    method="GET",
    path="/categories",
    accept=("application/json", "application/problem+json"),
    wrapped=True,
)
"""List the tree of categories."""

CREATE_CATEGORY: Operation[CreateCategoryArguments, Category] = Operation(
    name="create_category",
    method="POST",
    path="/categories",
    bindings=(Query("parent"), Field("slug"), Field("name"), Field("description"), Field("children")),
    body=Content(required=True),
    accept=("application/json", "application/problem+json"),
    security=(("apiKey", "staffToken"),),
)
"""Adds a category, and in the same request any tree of categories below it. All slugs must be new."""
