"""The types of arguments and answers, as the API's document describes them; for type checkers only."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class AddOrderLineArguments(TypedDict):
    orderId: int
    bookId: int
    quantity: int


class AddReviewArguments(TypedDict):
    bookId: int
    customerId: int
    rating: int
    text: NotRequired[str | None]


class Attachment(TypedDict):
    id: int
    title: str
    kind: Literal["excerpt", "photo", "press"]
    fileName: str
    mediaType: str
    size: int


class AttachmentMetadata(TypedDict):
    """What is known about an attached file."""

    title: str
    kind: Literal["excerpt", "photo", "press"]


class Book(TypedDict):
    """A book of the catalogue."""

    isbn: str
    title: str
    subtitle: NotRequired[str | None]
    authors: list[str]
    category: str
    language: NotRequired[str]
    binding: NotRequired[Literal["hardcover", "paperback"] | None]
    publishedYear: int
    priceCents: int
    stock: NotRequired[int]
    description: NotRequired[str | None]
    id: int
    status: Literal["available", "sold_out", "withdrawn"]
    hasCover: bool
    averageRating: float | None
    attachments: list[Attachment]
    createdAt: str
    updatedAt: str
    withdrawnAt: str | None


class BookPage(TypedDict):
    """A part of a longer list."""

    items: list[Book]
    total: int
    nextCursor: str | None


class CancelOrderArguments(TypedDict):
    orderId: int
    reason: NotRequired[Literal["changed_mind", "ordered_twice", "too_late", "other"]]
    comment: NotRequired[str | None]


class Cancellation(TypedDict):
    """Why an order is cancelled."""

    reason: NotRequired[Literal["changed_mind", "ordered_twice", "too_late", "other"]]
    comment: NotRequired[str | None]


class CardPayment(TypedDict):
    type: Literal["card"]
    number: str
    expires: str
    securityCode: NotRequired[str]


class CardPaymentOutput(TypedDict):
    type: Literal["card"]
    number: str
    expires: str


class Category(TypedDict):
    """A category and, as `children`, the categories right below it."""

    slug: str
    name: str
    description: NotRequired[str | None]
    bookCount: NotRequired[int]
    children: NotRequired[list[Category]]


class CategoryInput(TypedDict):
    """A category and, as `children`, the categories right below it."""

    slug: str
    name: str
    description: NotRequired[str | None]
    children: NotRequired[list[CategoryInput]]


class CreateBookArguments(TypedDict):
    isbn: str
    title: str
    subtitle: NotRequired[str | None]
    authors: list[str]
    category: str
    language: NotRequired[str]
    binding: NotRequired[Literal["hardcover", "paperback"] | None]
    publishedYear: int
    priceCents: int
    stock: NotRequired[int]
    description: NotRequired[str | None]


class CreateCategoryArguments(TypedDict):
    parent: NotRequired[str]
    slug: str
    name: str
    description: NotRequired[str | None]
    children: NotRequired[list[CategoryInput]]


class CustomerOutput(TypedDict):
    id: NotRequired[int]
    name: str
    email: str
    phone: NotRequired[str | None]
    hasPickupPin: NotRequired[bool]
    createdAt: NotRequired[str]


class DeleteBookArguments(TypedDict):
    bookId: int


class GetBookArguments(TypedDict):
    bookId: int


class GetCustomerArguments(TypedDict):
    customerId: int


class GetOrderArguments(TypedDict):
    orderId: int


class InvoicePayment(TypedDict):
    type: Literal["invoice"]
    vatId: NotRequired[str | None]


class ListCategoriesArguments(TypedDict):
    pass


class ListCustomersArguments(TypedDict):
    filter_email: NotRequired[str]
    cursor: NotRequired[str]
    limit: NotRequired[int]


class ListCustomersResult(TypedDict):
    """A part of a longer list."""

    items: list[CustomerOutput]
    total: int
    nextCursor: str | None


class ListOrdersArguments(TypedDict):
    customerId: NotRequired[int]
    filter_status: NotRequired[list[Literal["open", "shipped", "cancelled"]]]
    placedSince: NotRequired[str]
    cursor: NotRequired[str]
    limit: NotRequired[int]


class ListReviewsArguments(TypedDict):
    bookId: int
    at_least: NotRequired[int]
    cursor: NotRequired[str]
    limit: NotRequired[int]


class NewOrderLine(TypedDict):
    bookId: int
    quantity: int


class OrderLine(TypedDict):
    bookId: int
    title: str
    quantity: int
    unitPriceCents: int


class PriceRange(TypedDict):
    """A range of prices in euro cents; an end that is left out is open."""

    min: NotRequired[int]
    max: NotRequired[int]


class RestoreBookArguments(TypedDict):
    bookId: int


class Review(TypedDict):
    customerId: int
    rating: int
    text: NotRequired[str | None]
    id: int
    bookId: int
    createdAt: str


SearchBooksArgumentsPublished = TypedDict(
    "SearchBooksArgumentsPublished",
    {
        "from": NotRequired[int],
        "to": NotRequired[int],
    },
)


class UpdateBookArguments(TypedDict):
    bookId: int
    isbn: NotRequired[str]
    title: NotRequired[str]
    subtitle: NotRequired[str | None]
    authors: NotRequired[list[str]]
    category: NotRequired[str]
    language: NotRequired[str]
    binding: NotRequired[Literal["hardcover", "paperback"] | None]
    publishedYear: NotRequired[int]
    priceCents: NotRequired[int]
    stock: NotRequired[int]
    description: NotRequired[str | None]


class VoucherPayment(TypedDict):
    type: Literal["voucher"]
    code: str


class AddAttachmentArguments(TypedDict):
    bookId: int
    file: str
    metadata: AttachmentMetadata


class BrowseBooksArguments(TypedDict):
    q: NotRequired[str]
    filter_status: NotRequired[list[Literal["available", "sold_out", "withdrawn"]]]
    filter_category: NotRequired[list[str]]
    filter_language: NotRequired[list[str]]
    price: NotRequired[PriceRange]
    publishedFrom: NotRequired[int]
    publishedTo: NotRequired[int]
    sort: NotRequired[Literal["title", "-title", "priceCents", "-priceCents", "publishedYear", "-publishedYear"]]
    cursor: NotRequired[str]


class ListReviewsResult(TypedDict):
    """A part of a longer list."""

    items: list[Review]
    total: int
    nextCursor: str | None


PaymentMethod: TypeAlias = CardPayment | InvoicePayment | VoucherPayment


PaymentMethodOutput: TypeAlias = CardPaymentOutput | InvoicePayment | VoucherPayment


class SearchBooksArguments(TypedDict):
    text: NotRequired[str]
    authors: NotRequired[list[str]]
    status: NotRequired[list[Literal["available", "sold_out", "withdrawn"]]]
    categories: NotRequired[list[str]]
    languages: NotRequired[list[str]]
    price: NotRequired[PriceRange]
    published: NotRequired[SearchBooksArgumentsPublished]
    minRating: NotRequired[int]
    sort: NotRequired[Literal["title", "-title", "priceCents", "-priceCents", "publishedYear", "-publishedYear"]]
    cursor: NotRequired[str]
    limit: NotRequired[int]
    projection: NotRequired[str]


CreateOrderArguments = TypedDict(
    "CreateOrderArguments",
    {
        "Idempotency-Key": NotRequired[str],
        "customerId": int,
        "lines": list[NewOrderLine],
        "payment": PaymentMethod,
        "note": NotRequired[str | None],
    },
)


class OrderOutput(TypedDict):
    id: int
    customerId: int
    status: Literal["open", "shipped", "cancelled"]
    lines: list[OrderLine]
    totalCents: int
    payment: PaymentMethodOutput
    note: str | None
    placedAt: str
    cancelledAt: str | None
    cancellation: Cancellation | None


class ListOrdersResult(TypedDict):
    """A part of a longer list."""

    items: list[OrderOutput]
    total: int
    nextCursor: str | None
