"""The bookshop that `openapi.yaml` describes; run it with `python upstream.py --port 8080`."""

from __future__ import annotations

import argparse
import base64
import contextlib
import csv
import hashlib
import io
import json
import re
import socket
import sqlite3
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any, Literal, cast
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

API_KEY = "demo-key"
STAFF = "demo-staff-token"
TRAINEE = "demo-trainee-token"  # may read what is for staff, and change nothing
PREFIX = "/v1"
MEBIBYTE = 2**20

Record = dict[str, Any]
Access = Literal["public", "key", "staff"]
Reader = Callable[[Request], Awaitable[Any]]  # of a body


# Problems -----------------------------------------------------------------------------------------


class ProblemError(Exception):
    """An answer of the kind application/problem+json."""

    def __init__(
        self,
        status: int,
        detail: str,
        errors: list[tuple[str, str, str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.errors = errors or []  # where (path, query, header, body), which value, what is wrong
        self.headers = headers

    def response(self) -> Response:
        """Gives the problem as an HTTP response."""
        title, detail = HTTPStatus(self.status).phrase, str(self)
        content: Record = {"type": "about:blank", "title": title, "status": self.status, "detail": detail}
        if self.errors:
            content["errors"] = [dict(zip(("in", "name", "detail"), error, strict=True)) for error in self.errors]
        return JSONResponse(content, self.status, self.headers, "application/problem+json")


def unprocessable(pointer: str, detail: str) -> ProblemError:
    """Gives the problem of one wrong value in the body."""
    return ProblemError(422, f"The body is wrong: {pointer} {detail}.", [("body", pointer, detail)])


# Rules --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a value must be, in the words of JSON Schema."""

    type: Literal["string", "integer", "array", "object"] = "string"
    nullable: bool = False
    least: int = 0  # of an integer's value, a string's characters, an array's items
    most: int = 2**63 - 1
    enum: tuple[str, ...] = ()
    pattern: str = ""
    date_time: bool = False
    items: Rule | None = None
    delimiter: str = ""  # between the items of an array in the query; without one the parameter is repeated
    properties: Mapping[str, Rule] = field(default_factory=dict[str, "Rule"])
    required: tuple[str, ...] = ()
    one_of: Mapping[str, Rule] = field(default_factory=dict[str, "Rule"])  # chosen by the property `type`


def wrong(value: Any, rule: Rule, at: str = "") -> Iterator[tuple[str, str]]:
    """Tells where a value breaks its rule (a JSON pointer), and how."""
    low, high = rule.least, rule.most
    match rule.type, value:
        case _, None if rule.nullable:
            pass
        case "string", str():
            if any("\ud800" <= character <= "\udfff" for character in value):
                yield at, "must be Unicode text"
            elif rule.enum and value not in rule.enum:
                yield at, f"must be one of {', '.join(rule.enum)}"
            elif not low <= len(value) <= high:
                yield at, f"must have {low} to {high} characters"
            elif rule.pattern and not re.fullmatch(rule.pattern, value):
                yield at, f"must match {rule.pattern}"
            elif rule.date_time and not instant(value):
                yield at, "must be a time with an offset, like 2026-01-05T09:00:00Z"
        case "integer", int() if not isinstance(value, bool):
            if not low <= value <= high:
                yield at, f"must be from {low} to {high}"
        case "array", list():
            items = cast(list[Any], value)
            if not low <= len(items) <= high:
                yield at, f"must have {low} to {high} items"
            for index, item in enumerate(items):
                yield from wrong(item, rule.items or Rule(), f"{at}/{index}")
        case "object", dict():
            members = cast(Record, value)
            if rule.one_of and str(members.get("type")) not in rule.one_of:
                yield f"{at}/type", f"must be one of {', '.join(rule.one_of)}"
                return
            rule = rule.one_of[members["type"]] if rule.one_of else rule
            yield from ((f"{at}/{name}", "is missing") for name in rule.required if name not in members)
            for name, member in members.items():
                if name in rule.properties:
                    yield from wrong(member, rule.properties[name], f"{at}/{name}")
                else:
                    yield f"{at}/{name}", f"cannot be set; what can is {', '.join(rule.properties)}"
        case _:
            yield at, f"must be of type {rule.type}{' or null' if rule.nullable else ''}"


def instant(text: str) -> str:
    """Gives a time in the form of the shop; an empty string if it is no time or has no offset."""
    try:
        time = datetime.fromisoformat(text)
        return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if time.tzinfo else ""
    except (ValueError, OverflowError):
        return ""


def record(required: str, **properties: Rule) -> Rule:
    """Gives the rule of an object, with the names of its required properties in one string."""
    return Rule(type="object", properties=properties, required=tuple(required.split()))


def integer(least: int, most: int) -> Rule:
    """Gives the rule of an integer."""
    return Rule(type="integer", least=least, most=most)


def array(items: Rule, least: int = 0, most: int = 50, delimiter: str = "") -> Rule:
    """Gives the rule of an array."""
    return Rule(type="array", items=items, least=least, most=most, delimiter=delimiter)


ID = integer(1, 2**63 - 1)
NAME = Rule(least=1, most=100)
PROSE = Rule(nullable=True, most=2000)
REMARK = Rule(nullable=True, most=500)
EMAIL = Rule(pattern=r"[^@\s]+@[^@\s]+", most=200)
SLUG = Rule(pattern="[a-z][a-z0-9]*(-[a-z0-9]+)*", most=40)
LANGUAGE = Rule(pattern="[a-z]{2}")
YEAR = integer(1450, 2100)
PRICE = integer(0, 2**63 - 1)
RATING = integer(1, 5)
BOOK_STATUS = Rule(enum=("available", "sold_out", "withdrawn"))
BOOK_SORT = Rule(enum=("title", "-title", "priceCents", "-priceCents", "publishedYear", "-publishedYear"))
ORDER_STATUS = Rule(enum=("open", "shipped", "cancelled"))
COLUMN = Rule(enum=("id", "isbn", "title", "category", "language", "publishedYear", "priceCents", "stock", "status"))

NOTHING = record("")
PAGE = {"cursor": Rule(least=1, most=500), "limit": integer(1, 50)}
BOOK = {
    "isbn": Rule(pattern="97[89][0-9]{10}"),
    "title": Rule(least=1, most=200),
    "subtitle": Rule(nullable=True, most=200),
    "authors": array(NAME, 1, 20),
    "category": SLUG,
    "language": LANGUAGE,
    "binding": Rule(nullable=True, enum=("hardcover", "paperback")),
    "publishedYear": YEAR,
    "priceCents": integer(0, 1_000_000),
    "stock": integer(0, 10_000),
    "description": PROSE,
}
NEW_BOOK = record("isbn title authors category publishedYear priceCents", **BOOK)
BOOK_CHANGES = record("", **BOOK)
BOOK_QUERY = record(
    "",
    q=NAME,
    sort=BOOK_SORT,
    publishedFrom=YEAR,
    publishedTo=YEAR,
    **{"price[min]": PRICE, "price[max]": PRICE, "filter[status]": array(BOOK_STATUS, delimiter=",")},
    **{"filter[category]": array(SLUG, 0, 10), "filter[language]": array(LANGUAGE, 0, 10, delimiter="|")},
    **PAGE,
)
BOOK_FILTER = record(
    "",
    text=NAME,
    authors=array(NAME, 0, 20),
    status=array(BOOK_STATUS),
    categories=array(SLUG, 0, 10),
    languages=array(LANGUAGE, 0, 10),
    price=record("", min=PRICE, max=PRICE),
    published=record("", **{"from": YEAR, "to": YEAR}),
    minRating=RATING,
    sort=BOOK_SORT,
    **PAGE,
)
EXPORT_QUERY = record(
    "", **{"filter[status]": array(BOOK_STATUS, delimiter=","), "columns": array(COLUMN, 1, delimiter=",")}
)
METADATA = record("title kind", title=NAME, kind=Rule(enum=("excerpt", "photo", "press")))
REVIEW_QUERY = record("", minRating=RATING, **PAGE)
NEW_REVIEW = record("customerId rating", customerId=ID, rating=RATING, text=PROSE)
CATEGORY_PROPERTIES = {"slug": SLUG, "name": NAME, "description": REMARK}
CATEGORY = Rule(type="object", properties=CATEGORY_PROPERTIES, required=("slug", "name"))
CATEGORY_PROPERTIES["children"] = array(CATEGORY)  # a category holds categories
CUSTOMER = record(
    "name email",
    name=NAME,
    email=EMAIL,
    phone=Rule(nullable=True, pattern=r"\+[0-9 ]{5,20}"),
    pickupPin=Rule(pattern="[0-9]{4}"),
)
CUSTOMER_QUERY = record("", **{"filter[email]": EMAIL}, **PAGE)
CARD = record(
    "number expires",
    type=Rule(),
    number=Rule(pattern="[0-9]{12,19}"),
    expires=Rule(pattern="(0[1-9]|1[0-2])/[0-9]{2}"),
    securityCode=Rule(pattern="[0-9]{3,4}"),
)
INVOICE = record("", type=Rule(), vatId=Rule(nullable=True, most=20))
VOUCHER = record("code", type=Rule(), code=Rule(pattern="[A-Z0-9]{8}"))
PAYMENT = Rule(type="object", one_of={"card": CARD, "invoice": INVOICE, "voucher": VOUCHER})
LINE = record("bookId quantity", bookId=ID, quantity=integer(1, 99))
NEW_ORDER = record("customerId lines payment", customerId=ID, lines=array(LINE, 1), payment=PAYMENT, note=REMARK)
ORDER_QUERY = record(
    "",
    **{"filter[status]": array(ORDER_STATUS, delimiter=","), "placedSince": Rule(date_time=True), "customerId": ID},
    **PAGE,
)
REASON = Rule(enum=("changed_mind", "ordered_twice", "too_late", "other"))
CANCELLATION = record("", reason=REASON, comment=REMARK)


# Storage ------------------------------------------------------------------------------------------

TABLES = """
PRAGMA foreign_keys = ON;
CREATE TABLE categories (slug TEXT PRIMARY KEY, parent TEXT REFERENCES categories, name TEXT, description TEXT);
CREATE TABLE books (
    id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, title TEXT, subtitle TEXT, authors TEXT,
    category TEXT REFERENCES categories, language TEXT, binding TEXT, publishedYear INTEGER,
    priceCents INTEGER, stock INTEGER, description TEXT, createdAt TEXT, updatedAt TEXT, withdrawnAt TEXT);
CREATE TABLE covers (id INTEGER PRIMARY KEY REFERENCES books, png BLOB);
CREATE TABLE attachments (
    id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES books, title TEXT, kind TEXT,
    fileName TEXT, mediaType TEXT, size INTEGER, content BLOB);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name TEXT, email TEXT COLLATE NOCASE UNIQUE, phone TEXT, pickupPin TEXT,
    createdAt TEXT);
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES books, customerId INTEGER REFERENCES customers,
    rating INTEGER, text TEXT, createdAt TEXT, UNIQUE (bookId, customerId));
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customerId INTEGER REFERENCES customers, status TEXT, payment TEXT, note TEXT,
    placedAt TEXT, cancelledAt TEXT, cancellation TEXT, idempotencyKey TEXT UNIQUE, bodyDigest TEXT);
CREATE TABLE lines (
    orderId INTEGER REFERENCES orders, bookId INTEGER REFERENCES books, quantity INTEGER,
    unitPriceCents INTEGER, PRIMARY KEY (orderId, bookId));
CREATE VIEW catalogue AS SELECT books.*,
    CASE WHEN withdrawnAt IS NOT NULL THEN 'withdrawn' WHEN stock = 0 THEN 'sold_out' ELSE 'available' END
        AS status,
    EXISTS (SELECT 1 FROM covers WHERE covers.id = books.id) AS hasCover,
    (SELECT round(avg(rating), 2) FROM reviews WHERE bookId = books.id) AS averageRating,
    (SELECT json_group_array(json_object('id', id, 'title', title, 'kind', kind, 'fileName', fileName,
        'mediaType', mediaType, 'size', size)) FROM attachments WHERE bookId = books.id) AS attachments
    FROM books;
CREATE VIEW shelves AS SELECT categories.*, rowid AS place,
    (SELECT count(*) FROM books WHERE category = slug AND withdrawnAt IS NULL) AS bookCount FROM categories;
CREATE VIEW people AS
    SELECT id, name, email, phone, pickupPin IS NOT NULL AS hasPickupPin, createdAt FROM customers;
CREATE VIEW ledger AS SELECT id, customerId, status, payment, note, placedAt, cancelledAt, cancellation,
    (SELECT json_group_array(json_object('bookId', bookId, 'quantity', quantity, 'unitPriceCents', unitPriceCents,
        'title', title)) FROM lines JOIN books ON books.id = bookId WHERE orderId = orders.id) AS lines,
    (SELECT sum(quantity * unitPriceCents) FROM lines WHERE orderId = orders.id) AS totalCents
    FROM orders;
"""
FIND_BOOKS = """
WITH RECURSIVE below(slug) AS (SELECT value FROM json_each(:categories)
    UNION SELECT categories.slug FROM categories JOIN below ON categories.parent = below.slug)
SELECT * FROM catalogue
WHERE status IN (SELECT value FROM json_each(:status))
    AND (:text IS NULL OR instr(fold(title || ' ' || ifnull(subtitle, '') || ' ' ||
        (SELECT group_concat(value, ' ') FROM json_each(authors)) || ' ' || isbn), fold(ifnull(:text, ''))))
    AND (:authors IS NULL OR EXISTS (SELECT 1 FROM json_each(catalogue.authors)
        WHERE value IN (SELECT value FROM json_each(:authors))))
    AND (:categories IS NULL OR category IN below)
    AND (:languages IS NULL OR language IN (SELECT value FROM json_each(:languages)))
    AND priceCents BETWEEN ifnull(:min, priceCents) AND ifnull(:max, priceCents)
    AND publishedYear BETWEEN ifnull(:from, publishedYear) AND ifnull(:to, publishedYear)
    AND (:minRating IS NULL OR averageRating >= :minRating)
"""


JSON_COLUMNS = ("authors", "attachments", "payment", "cancellation", "lines")


class Shop:
    """The shop's database and its clock, which ticks a second a reading."""

    def __init__(self) -> None:
        # A server may run the application in another thread than the one that made it.
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.create_function("fold", 1, str.casefold, deterministic=True)  # SQLite's lower() knows ASCII only
        self.db.executescript(TABLES)
        self.time = datetime(2026, 1, 5, 9, 0, 0, tzinfo=UTC)

    def now(self) -> str:
        """Gives the time and lets the clock tick."""
        self.time += timedelta(seconds=1)
        return instant(self.time.isoformat())

    def rows(self, sql: str, **values: Any) -> list[Record]:
        """Gives the rows of a query as the document shows them."""
        return [shown(dict(row)) for row in self.db.execute(sql, values)]

    def row(self, sql: str, **values: Any) -> Record | None:
        """Gives the first row of a query."""
        return next(iter(self.rows(sql, **values)), None)

    # Names of tables and columns are this file's own, or properties that passed a rule; values are bound.

    def one(self, kind: str, row_id: int) -> Record:
        """Gives the book, customer or order with an id, or refuses the request."""
        view = {"book": "catalogue", "customer": "people", "order": "ledger"}[kind]
        row = self.row(f"SELECT * FROM {view} WHERE id = :id", id=row_id)  # noqa: S608
        if row is None:
            raise ProblemError(404, f"There is no {kind} {row_id}.")
        return row

    def insert(self, table: str, **values: Any) -> int:
        """Adds a row and gives its id."""
        names, slots = ", ".join(values), ", ".join(f":{name}" for name in values)
        sql = f"INSERT INTO {table} ({names}) VALUES ({slots})"  # noqa: S608
        return self.db.execute(sql, storable(values)).lastrowid or 0

    def update(self, table: str, row_id: int, **values: Any) -> None:
        """Changes the given columns of a row."""
        changes = ", ".join(f"{name} = :{name}" for name in values)
        sql = f"UPDATE {table} SET {changes} WHERE id = :id"  # noqa: S608
        self.db.execute(sql, storable(values | {"id": row_id}))


def storable(values: Record) -> Record:
    """Gives values as SQLite stores them: arrays and objects are JSON."""
    return {name: json.dumps(value) if isinstance(value, list | dict) else value for name, value in values.items()}


def shown(row: Record) -> Record:
    """Gives a row as the document shows it: SQLite has no booleans, arrays and objects."""
    flags = {name: bool(row[name]) for name in ("hasCover", "hasPickupPin") if name in row}
    return row | flags | {name: json.loads(row[name]) for name in JSON_COLUMNS if row.get(name)}


CATEGORIES = (
    ("fiction", None, "Fiction", None),
    ("novels", "fiction", "Novels", None),
    ("romance", "novels", "Romance", "Courtship and its obstacles."),
    ("gothic", "novels", "Gothic", "Castles, storms and what walks there."),
    ("adventure", "novels", "Adventure", None),
    ("science-fiction", "fiction", "Science fiction", None),
    ("poetry", None, "Poetry", None),
    ("non-fiction", None, "Non-fiction", None),
    ("philosophy", "non-fiction", "Philosophy", None),
    ("natural-history", "non-fiction", "Natural history", None),
)
BOOKS = (  # ISBN, title, subtitle, author, category, language, year, price, stock
    ("9780000000378", "Pride and Prejudice", None, "Jane Austen", "romance", "en", 1813, 999, 12),
    ("9780000000743", "Emma", None, "Jane Austen", "romance", "en", 1815, 899, 4),
    ("9780000001115", "Frankenstein", "The Modern Prometheus", "Mary Shelley", "gothic", "en", 1818, 950, 9),
    ("9780000001481", "Dracula", None, "Bram Stoker", "gothic", "en", 1897, 1100, 7),
    ("9780000001856", "The Time Machine", None, "H. G. Wells", "science-fiction", "en", 1895, 650, 15),
    ("9780000002228", "Vingt mille lieues sous les mers", None, "Jules Verne", "science-fiction", "fr", 1870, 1290, 3),
    ("9780000002594", "Moby-Dick", "The Whale", "Herman Melville", "adventure", "en", 1851, 1350, 5),
    ("9780000002969", "Die Leiden des jungen Werthers", None, "J. W. von Goethe", "novels", "de", 1774, 700, 6),
    ("9780000003331", "On the Origin of Species", None, "Charles Darwin", "natural-history", "en", 1859, 1500, 2),
    ("9780000003706", "Walden", "Life in the Woods", "Henry David Thoreau", "philosophy", "en", 1854, 850, 0),
    ("9780000004079", "Leaves of Grass", None, "Walt Whitman", "poetry", "en", 1855, 990, 8),
    ("9780000004444", "Grimms Märchen", None, "Jacob Grimm, Wilhelm Grimm", "fiction", "de", 1812, 1250, 10),
    ("9780000004819", "The Castle of Otranto", None, "Horace Walpole", "gothic", "en", 1764, 600, 1),
)
BOOK_DEFAULTS = {"subtitle": None, "language": "en", "binding": None, "stock": 0, "description": None}
CUSTOMERS = {
    "Ada Byron": "ada@example.org",
    "Charles Babbage": "charles@example.org",
    "Ida Rhodes": "ida@example.org",
}
REVIEWS = (
    (1, 1, 5, "A truth universally acknowledged."),
    (1, 2, 4, None),
    (4, 2, 3, "Draughty."),
    (5, 1, 5, "I want one."),
)
COVER = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mOoltMFAAHeAMf5BCPsAAAAAElFTkSuQmCC")


def stocked() -> Shop:
    """Gives the shop as it opens: thirteen books, the last one withdrawn, three customers and two orders."""
    shop = Shop()
    shop.db.executemany("INSERT INTO categories VALUES (?, ?, ?, ?)", CATEGORIES)
    names = ("isbn", "title", "subtitle", "authors", "category", "language", "publishedYear", "priceCents", "stock")
    for values in BOOKS:
        book: Record = dict(zip(names, values, strict=True))
        store_book(shop, BOOK_DEFAULTS | book | {"authors": book["authors"].split(", "), "binding": "paperback"})
    shop.update("books", len(BOOKS), withdrawnAt=shop.now())
    shop.insert("covers", id=1, png=COVER)
    for name, email in CUSTOMERS.items():
        shop.insert("customers", name=name, email=email, createdAt=shop.now())
    for book_id, customer_id, rating, text in REVIEWS:
        review: Record = {"bookId": book_id, "customerId": customer_id, "rating": rating, "text": text}
        shop.insert("reviews", **review, createdAt=shop.now())
    for order, status in (1001, "shipped"), (1002, "open"):
        payment = {"type": "invoice", "vatId": None}
        shop.insert("orders", id=order, customerId=1, status=status, payment=payment, placedAt=shop.now())
        shop.insert("lines", orderId=order, bookId=2, quantity=1, unitPriceCents=899)
    shop.db.commit()
    return shop


# Books --------------------------------------------------------------------------------------------
# A function that takes a shop and a call answers the operation of its name; `openapi.yaml` says what each does.


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a request asks for, checked against the rules of its operation."""

    id: int  # of the book, customer or order in the path
    query: Record
    headers: Headers
    body: Any


def page(rows: list[Record], sort: str, options: Record) -> Response:
    """Answers with the rows after a cursor; a cursor holds the sort and the place of the last row in it."""
    name, down = sort.removeprefix("-"), sort.startswith("-")

    def place(row: Record) -> list[Any]:
        return [row[name], row["id"]]

    limit: int = options.get("limit", 20)
    rest = sorted(rows, key=place, reverse=down)
    if cursor := options.get("cursor"):
        try:
            cursor_sort, *last = json.loads(base64.urlsafe_b64decode(cursor))
            if cursor_sort != sort:
                raise ValueError(cursor_sort)
            rest = [row for row in rest if (place(row) < last if down else place(row) > last)]
        except (ValueError, TypeError) as error:
            detail = "is not one that this list gave for this sort"
            raise ProblemError(400, f"The cursor {detail}.", [("query", "cursor", detail)]) from error
    following = None
    if len(rest) > limit:
        following = base64.urlsafe_b64encode(json.dumps([sort, *place(rest[limit - 1])]).encode()).decode()
    return JSONResponse({"items": rest[:limit], "total": len(rows), "nextCursor": following})


def created(content: Record, location: str | None = None) -> Response:
    """Answers with what was created, and its address if it has one."""
    return JSONResponse(content, 201, {"Location": PREFIX + location} if location else None)


def matching_books(shop: Shop, wanted: Record) -> list[Record]:
    """Gives the books that pass a filter, in the words of `searchBooks`."""
    names = ("text", "authors", "status", "categories", "languages", "minRating", "min", "max", "from", "to")
    given = {"status": ["available", "sold_out"]} | wanted | wanted.get("price", {}) | wanted.get("published", {})
    return shop.rows(FIND_BOOKS, **storable({name: given.get(name) for name in names}))


def store_book(shop: Shop, values: Record, book_id: int | None = None) -> int:
    """Adds a book, or changes the one with an id, and gives its id."""
    isbn, slug, now = values.get("isbn"), values.get("category"), shop.now()
    if slug and not has_category(shop, slug):
        raise unprocessable("/category", "is the slug of no category")
    same = shop.row("SELECT id FROM books WHERE isbn = :isbn AND id IS NOT :id", isbn=isbn, id=book_id)
    if same:
        raise ProblemError(409, f"Book {same['id']} has the ISBN {isbn} already.")
    if book_id is None:
        return shop.insert("books", **values, createdAt=now, updatedAt=now)
    shop.update("books", book_id, **values, updatedAt=now)
    return book_id


def list_books(shop: Shop, call: Call) -> Response:
    names = {"q": "text", "filter[category]": "categories", "filter[language]": "languages", "filter[status]": "status"}
    names |= {"price[min]": "min", "price[max]": "max", "publishedFrom": "from", "publishedTo": "to"}
    wanted = {names.get(name, name): value for name, value in call.query.items()}
    return page(matching_books(shop, wanted), wanted.get("sort", "title"), wanted)


def search_books(shop: Shop, call: Call) -> Response:
    return page(matching_books(shop, call.body), call.body.get("sort", "title"), call.body)


def find_books(shop: Shop, call: Call) -> Response:
    title = call.query["title"].lower()
    books = [book for book in matching_books(shop, {}) if title in book["title"].lower()]
    return JSONResponse(sorted(books, key=lambda book: book["title"])[:50])


def export_books(shop: Shop, call: Call) -> Response:
    columns = call.query.get("columns", ["id", "isbn", "title", "priceCents", "stock", "status"])
    wanted = {"status": call.query["filter[status]"]} if "filter[status]" in call.query else {}
    table = io.StringIO()
    writer = csv.DictWriter(table, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(sorted(matching_books(shop, wanted), key=lambda book: book["id"]))
    headers = {"Content-Disposition": 'attachment; filename="books.csv"'}
    return Response(table.getvalue(), 200, headers, "text/csv")


def create_book(shop: Shop, call: Call) -> Response:
    book_id = store_book(shop, BOOK_DEFAULTS | call.body)
    return created(shop.one("book", book_id), f"/books/{book_id}")


def get_book(shop: Shop, call: Call) -> Response:
    return JSONResponse(shop.one("book", call.id))


def update_book(shop: Shop, call: Call) -> Response:
    shop.one("book", call.id)
    if not call.body:
        raise unprocessable("", "must have at least one property")
    store_book(shop, call.body, call.id)
    return get_book(shop, call)


def delete_book(shop: Shop, call: Call) -> Response:
    if shop.one("book", call.id)["status"] != "withdrawn":
        now = shop.now()
        shop.update("books", call.id, updatedAt=now, withdrawnAt=now)
    return Response(status_code=204)


def restore_book(shop: Shop, call: Call) -> Response:
    if shop.one("book", call.id)["status"] != "withdrawn":
        raise ProblemError(409, f"Book {call.id} is not withdrawn.")
    shop.update("books", call.id, updatedAt=shop.now(), withdrawnAt=None)
    return get_book(shop, call)


def get_cover(shop: Shop, call: Call) -> Response:
    shop.one("book", call.id)
    cover = shop.row("SELECT png FROM covers WHERE id = :id", id=call.id)
    if cover is None:
        raise ProblemError(404, f"Book {call.id} has no cover.")
    return Response(cover["png"], media_type="image/png")


def put_cover(shop: Shop, call: Call) -> Response:
    shop.one("book", call.id)
    shop.db.execute("REPLACE INTO covers VALUES (?, ?)", (call.id, call.body))
    shop.update("books", call.id, updatedAt=shop.now())
    return Response(status_code=204)


def add_attachment(shop: Shop, call: Call) -> Response:
    shop.one("book", call.id)
    content = call.body.pop("content")
    values = call.body | {"size": len(content)}
    attachment_id = shop.insert("attachments", **values, bookId=call.id, content=content)
    shop.update("books", call.id, updatedAt=shop.now())
    return created({"id": attachment_id} | values)


# Reviews and categories ---------------------------------------------------------------------------


def list_reviews(shop: Shop, call: Call) -> Response:
    shop.one("book", call.id)
    sql = "SELECT * FROM reviews WHERE bookId = :book AND rating >= :least"
    return page(shop.rows(sql, book=call.id, least=call.query.get("minRating", 1)), "-id", call.query)


def add_review(shop: Shop, call: Call) -> Response:
    shop.one("book", call.id)
    review = {"text": None} | call.body | {"bookId": call.id}
    check_customer(shop, review["customerId"])
    sql = "SELECT id FROM reviews WHERE bookId = :bookId AND customerId = :customerId"
    if same := shop.row(sql, bookId=call.id, customerId=review["customerId"]):
        raise ProblemError(409, f"The customer has reviewed the book already, in review {same['id']}.")
    review["createdAt"] = shop.now()
    return created({"id": shop.insert("reviews", **review)} | review)


def has_category(shop: Shop, slug: str) -> bool:
    """Tells whether there is a category with a slug."""
    return shop.row("SELECT 1 FROM categories WHERE slug = :slug", slug=slug) is not None


def tree(shop: Shop, parent: str | None) -> list[Record]:
    """Gives the categories below one, or those at the top, each with all that is below it."""
    rows = shop.rows("SELECT * FROM shelves WHERE parent IS :parent ORDER BY place", parent=parent)
    shown = ("slug", "name", "description", "bookCount")
    return [{name: row[name] for name in shown} | {"children": tree(shop, row["slug"])} for row in rows]


def list_categories(shop: Shop, call: Call) -> Response:
    return JSONResponse(tree(shop, None))


def create_category(shop: Shop, call: Call) -> Response:
    parent = call.query.get("parent")
    if parent and not has_category(shop, parent):
        raise ProblemError(404, f"There is no category {parent} to add to.")

    def plant(category: Record, parent: str | None) -> None:
        slug = category["slug"]
        if has_category(shop, slug):
            raise ProblemError(409, f"The slug {slug} is taken.")
        shop.insert(
            "categories", slug=slug, parent=parent, name=category["name"], description=category.get("description")
        )
        for child in category.get("children", []):
            plant(child, slug)

    plant(call.body, parent)
    return created(next(category for category in tree(shop, parent) if category["slug"] == call.body["slug"]))


# Customers and orders -----------------------------------------------------------------------------


def list_customers(shop: Shop, call: Call) -> Response:
    sql = "SELECT * FROM people WHERE email = ifnull(:email, email)"
    return page(shop.rows(sql, email=call.query.get("filter[email]")), "id", call.query)


def create_customer(shop: Shop, call: Call) -> Response:
    email = call.body["email"]
    if same := shop.row("SELECT id FROM customers WHERE email = :email", email=email):
        raise ProblemError(409, f"Customer {same['id']} has the address {email} already.")
    customer_id = shop.insert("customers", **call.body, createdAt=shop.now())
    return created(shop.one("customer", customer_id), f"/customers/{customer_id}")


def get_customer(shop: Shop, call: Call) -> Response:
    return JSONResponse(shop.one("customer", call.id))


def check_customer(shop: Shop, customer_id: int) -> None:
    """Refuses a body that names a customer who does not exist."""
    if not shop.row("SELECT 1 FROM customers WHERE id = :id", id=customer_id):
        raise unprocessable("/customerId", "is the id of no customer")


def open_order(shop: Shop, order_id: int) -> Record:
    """Gives the order with an id if it can still be changed."""
    order = shop.one("order", order_id)
    if order["status"] != "open":
        raise ProblemError(409, f"Order {order_id} is {order['status']}; only an open order can be changed.")
    return order


def take(shop: Shop, order_id: int, line: Record, at: str = "") -> None:
    """Moves copies of a book from the stock to an order."""
    book_id, quantity = line["bookId"], line["quantity"]
    book = shop.row("SELECT title, status, stock, priceCents FROM catalogue WHERE id = :id", id=book_id)
    if book is None or book["status"] == "withdrawn":
        raise unprocessable(f"{at}/bookId", "is the id of no book that is on sale")
    if book["stock"] < quantity:
        raise ProblemError(409, f"Only {book['stock']} copies of {book['title']} (book {book_id}) are in stock.")
    shop.update("books", book_id, stock=book["stock"] - quantity)
    shop.db.execute(
        "INSERT INTO lines VALUES (?, ?, ?, ?) "
        "ON CONFLICT (orderId, bookId) DO UPDATE SET quantity = quantity + excluded.quantity",
        (order_id, book_id, quantity, book["priceCents"]),
    )


def list_orders(shop: Shop, call: Call) -> Response:
    sql = (
        "SELECT * FROM ledger WHERE customerId = ifnull(:customer, customerId) AND placedAt >= :since "
        "AND status IN (SELECT value FROM json_each(:status))"
    )
    status = json.dumps(call.query.get("filter[status]", ORDER_STATUS.enum))
    since = instant(call.query.get("placedSince", ""))
    rows = shop.rows(sql, customer=call.query.get("customerId"), since=since, status=status)
    return page(rows, "-id", call.query)


def create_order(shop: Shop, call: Call) -> Response:
    key = call.headers.get("Idempotency-Key")
    # A digest tells bodies apart without keeping the numbers of cards.
    digest = hashlib.sha256(json.dumps(call.body, sort_keys=True).encode()).hexdigest()
    if key is not None and not 1 <= len(key) <= 64:
        error = ("header", "Idempotency-Key", "must have 1 to 64 characters")
        raise ProblemError(400, "The Idempotency-Key is wrong.", [error])
    if earlier := shop.row("SELECT id, bodyDigest FROM orders WHERE idempotencyKey = :key", key=key):
        if earlier["bodyDigest"] != digest:
            raise ProblemError(409, f"Order {earlier['id']} has this Idempotency-Key, for another body.")
        return JSONResponse(shop.one("order", earlier["id"]))
    check_customer(shop, call.body["customerId"])
    payment = {name: value for name, value in call.body["payment"].items() if name != "securityCode"}
    if "number" in payment:
        payment["number"] = "*" * (len(payment["number"]) - 4) + payment["number"][-4:]
    order_id = shop.insert(
        "orders",
        customerId=call.body["customerId"],
        status="open",
        payment=payment,
        note=call.body.get("note"),
        placedAt=shop.now(),
        idempotencyKey=key,
        bodyDigest=digest,
    )
    for index, line in enumerate(call.body["lines"]):
        take(shop, order_id, line, f"/lines/{index}")
    return created(shop.one("order", order_id), f"/orders/{order_id}")


def get_order(shop: Shop, call: Call) -> Response:
    return JSONResponse(shop.one("order", call.id))


def add_order_line(shop: Shop, call: Call) -> Response:
    open_order(shop, call.id)
    take(shop, call.id, call.body)
    return get_order(shop, call)


def cancel_order(shop: Shop, call: Call) -> Response:
    for line in open_order(shop, call.id)["lines"]:
        sql = "UPDATE books SET stock = stock + ? WHERE id = ?"
        shop.db.execute(sql, (line["quantity"], line["bookId"]))
    cancellation = {"reason": "other", "comment": None} | call.body
    shop.update("orders", call.id, status="cancelled", cancelledAt=shop.now(), cancellation=cancellation)
    return get_order(shop, call)


# Requests -----------------------------------------------------------------------------------------


def authorize(access: Access, request: Request) -> None:
    """Refuses a request whose credentials are not those of the operation."""
    if access == "public":
        return
    if request.headers.get("X-API-Key") != API_KEY:
        detail = "Send a known API key in the header X-API-Key."
        raise ProblemError(401, detail, headers={"WWW-Authenticate": 'ApiKey header="X-API-Key"'})
    if access == "staff":
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or token not in (STAFF, TRAINEE):
            detail = "This is for staff: send a known staff token as `Authorization: Bearer …`."
            raise ProblemError(401, detail, headers={"WWW-Authenticate": 'Bearer realm="staff"'})
        if token == TRAINEE and request.method not in ("GET", "HEAD"):
            raise ProblemError(403, "The token of a trainee reads what is for staff and changes nothing.")


def read_path(values: Mapping[str, str]) -> int:
    """Reads the id in the path; 0 if the path has none."""
    for name, text in values.items():
        if not re.fullmatch("[1-9][0-9]{0,17}", text):
            detail = "must be a positive integer"
            raise ProblemError(400, f"{name} {detail}.", [("path", name, detail)])
        return int(text)
    return 0


def read_query(query: str, rule: Rule) -> Record:
    """Reads the query by the types of its rules, and refuses what breaks them."""
    texts: dict[str, list[str]] = {}
    for name, text in parse_qsl(query, keep_blank_values=True):
        texts.setdefault(name, []).append(text)
    values: Record = {}
    errors: list[tuple[str, str, str]] = []
    for name, (first, *others) in texts.items():
        expected = rule.properties.get(name, Rule())
        if expected.type == "array" and not expected.delimiter:
            values[name] = [first, *others]
            continue
        if others:
            errors.append(("query", name, "is given more than once"))
        if expected.type == "array":
            values[name] = first.split(expected.delimiter)
        else:
            whole = expected.type == "integer" and re.fullmatch("-?[0-9]{1,18}", first)
            values[name] = int(first) if whole else first
    errors += [("query", at[1:], detail) for at, detail in wrong(values, rule)]
    if errors:
        raise ProblemError(400, told("The query is wrong", errors), errors)
    return values


def told(start: str, errors: list[tuple[str, str, str]]) -> str:
    """Gives a sentence that tells what is wrong with which values."""
    return f"{start}: {'; '.join(f'{name} {detail}' for _, name, detail in errors)}."


async def read_bytes(request: Request, media_type: str) -> bytes:
    """Reads a body that must be of one media type, and at most 1 MiB."""
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != media_type:
        raise ProblemError(415, f"Send a body of the media type {media_type}.")
    return limited(await request.body())


def limited(content: bytes) -> bytes:
    """Refuses what is larger than the shop keeps."""
    if len(content) > MEBIBYTE:
        raise ProblemError(413, "Send at most 1 MiB.")
    return content


def read_json(content: bytes | str, rule: Rule, at: str = "") -> Any:
    """Reads JSON and refuses what breaks its rule."""
    try:
        value = json.loads(content)
        errors = [("body", pointer, detail) for pointer, detail in wrong(value, rule, at)]
    except (ValueError, RecursionError) as error:
        raise ProblemError(400, f"The body cannot be read as JSON: {error}.", [("body", at, "is no JSON")]) from error
    if errors:
        raise ProblemError(422, told("The body is wrong", errors), errors)
    return value


def json_body(rule: Rule, *, required: bool = True) -> Reader:
    """Gives the reader of a JSON body; without a body that is not required it gives an empty object."""

    async def read(request: Request) -> Any:
        if not required and not await request.body():
            return {}
        return read_json(await read_bytes(request, "application/json"), rule)

    return read


async def png_body(request: Request) -> bytes:
    """Reads a PNG picture."""
    content = await read_bytes(request, "image/png")
    if not content.startswith(b"\x89PNG\r\n\x1a\n"):
        raise ProblemError(422, "The body is no PNG picture: it does not start with the PNG signature.")
    return content


async def attachment_body(request: Request) -> Record:
    """Reads the two parts of an attachment into the columns of its row."""
    if not request.headers.get("Content-Type", "").lower().startswith("multipart/form-data"):
        raise ProblemError(415, "Send a body of the media type multipart/form-data.")
    async with request.form() as form:
        file, metadata = form.get("file"), form.get("metadata", "")
        if not isinstance(file, UploadFile):
            raise unprocessable("/file", "must be a part with a file name")
        content = limited(await file.read())
        text = await metadata.read() if isinstance(metadata, UploadFile) else metadata
    if not content:
        raise unprocessable("/file", "must not be empty")
    values = read_json(text, METADATA, "/metadata")
    media_type = file.content_type or "application/octet-stream"
    return values | {"fileName": file.filename or "file", "mediaType": media_type, "content": content}


async def no_body(request: Request) -> None:
    """Ignores the body of an operation that takes none."""


# The application ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Operation:
    """A method and a path, the function that answers, who may call it, and what it takes."""

    method: str
    path: str
    answer: Callable[[Shop, Call], Response]
    access: Access = "key"
    _: KW_ONLY
    query: Rule = NOTHING
    read: Reader = no_body


OPERATIONS = (
    Operation("GET", "/books", list_books, query=BOOK_QUERY),
    Operation("POST", "/books", create_book, "staff", read=json_body(NEW_BOOK)),
    Operation("POST", "/books/search", search_books, read=json_body(BOOK_FILTER)),
    Operation("GET", "/books/export", export_books, "staff", query=EXPORT_QUERY),
    Operation("GET", "/books/{bookId}", get_book),
    Operation("PATCH", "/books/{bookId}", update_book, "staff", read=json_body(BOOK_CHANGES)),
    Operation("DELETE", "/books/{bookId}", delete_book, "staff"),
    Operation("POST", "/books/{bookId}/restore", restore_book, "staff"),
    Operation("GET", "/books/{bookId}/cover", get_cover),
    Operation("PUT", "/books/{bookId}/cover", put_cover, "staff", read=png_body),
    Operation("POST", "/books/{bookId}/attachments", add_attachment, "staff", read=attachment_body),
    Operation("GET", "/books/{bookId}/reviews", list_reviews, query=REVIEW_QUERY),
    Operation("POST", "/books/{bookId}/reviews", add_review, read=json_body(NEW_REVIEW)),
    Operation("GET", "/search", find_books, query=record("title", title=NAME)),
    Operation("GET", "/categories", list_categories, "public"),
    Operation("POST", "/categories", create_category, "staff", query=record("", parent=SLUG), read=json_body(CATEGORY)),
    Operation("GET", "/customers", list_customers, "staff", query=CUSTOMER_QUERY),
    Operation("POST", "/customers", create_customer, read=json_body(CUSTOMER)),
    Operation("GET", "/customers/{customerId}", get_customer),
    Operation("GET", "/orders", list_orders, query=ORDER_QUERY),
    Operation("POST", "/orders", create_order, read=json_body(NEW_ORDER)),
    Operation("GET", "/orders/{orderId}", get_order),
    Operation("POST", "/orders/{orderId}/lines", add_order_line, read=json_body(LINE)),
    Operation("POST", "/orders/{orderId}/cancel", cancel_order, read=json_body(CANCELLATION, required=False)),
)


def route(shop: Shop, path: str) -> Route:
    """Gives the route of a path, with all its methods."""
    operations = {operation.method: operation for operation in OPERATIONS if operation.path == path}

    async def answer(request: Request) -> Response:
        operation = operations["GET" if request.method == "HEAD" else request.method]
        authorize(operation.access, request)
        call = Call(
            id=read_path(request.path_params),
            query=read_query(request.url.query, operation.query),
            headers=request.headers,
            body=await operation.read(request),
        )
        with shop.db:  # a problem undoes what the operation wrote so far
            return operation.answer(shop, call)

    return Route(PREFIX + path, answer, methods=list(operations))


async def problem(request: Request, error: Exception) -> Response:
    """Answers with a problem for what the shop or Starlette refuses."""
    if isinstance(error, HTTPException):
        detail = f"{request.method} {request.url.path}: {error.detail}."
        return ProblemError(error.status_code, detail, headers=error.headers).response()
    return cast(ProblemError, error).response()


class RequestLog:
    """Prints a line per request to stderr: method, target, status."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def logged(message: Message) -> None:
            if message["type"] == "http.response.start":
                query = f"?{scope['query_string'].decode()}" if scope["query_string"] else ""
                target = scope.get("raw_path", scope["path"].encode()).decode() + query
                print(scope["method"], target, message["status"], file=sys.stderr, flush=True)
            await send(message)

        await self.app(scope, receive, logged)


def create_app(*, log: bool = False) -> Starlette:
    """Gives a freshly stocked bookshop as an ASGI application."""
    shop = stocked()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        yield
        shop.db.close()

    return Starlette(
        routes=[route(shop, path) for path in dict.fromkeys(operation.path for operation in OPERATIONS)],
        middleware=[Middleware(RequestLog)] if log else [],
        exception_handlers={ProblemError: problem, HTTPException: problem},
        lifespan=lifespan,
    )


def main() -> None:
    """Serves the bookshop until a signal ends it."""
    parser = argparse.ArgumentParser(description="The bookshop of openapi.yaml, with its stock in memory.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8080, help="port to listen on; 0 takes a free one (%(default)s)")
    parser.add_argument("--log", action="store_true", help="print a line per request to stderr")
    options = parser.parse_args()
    config = uvicorn.Config(create_app(log=options.log), log_config=None, access_log=False, timeout_graceful_shutdown=1)
    try:
        listener = socket.create_server((options.host, options.port))
    except OSError as error:
        sys.exit(f"cannot listen on {options.host}:{options.port}: {error.strerror}")
    # The socket listens already: a client that reads this line and connects at once waits in its queue.
    print(f"listening on http://{options.host}:{listener.getsockname()[1]}{PREFIX}", flush=True)
    with listener, contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
