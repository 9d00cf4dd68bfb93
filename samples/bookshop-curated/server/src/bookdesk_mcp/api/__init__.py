"""The desk of the bookshop: its tools by group, its servers and its security schemes, as values."""

from __future__ import annotations

from .._runtime.operation import Api
from .security import SCHEMES
from .servers import SERVERS

API = Api(
    name="bookdesk",
    title="The desk of the bookshop",
    version="1.2.0",
    package=__name__,
    environment="BOOKDESK",
    instructions="You help the staff of a bookshop at the desk.\nLook a book up before you order it, and ask before you cancel an order.",
    groups={
        "books": (
            "browse_books",
            "create_book",
            "search_books",
            "delete_book",
            "get_book",
            "update_book",
            "add_attachment",
            "restore_book",
        ),
        "categories": ("list_categories", "create_category"),
        "orders": ("list_orders", "create_order", "get_order", "cancel_order", "add_order_line"),
        "people": ("list_customers", "get_customer"),
        "reviews": ("list_reviews", "add_review"),
    },
    servers=SERVERS,
    security=SCHEMES,
)
