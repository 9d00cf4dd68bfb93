"""The rules of the hints, by the names that reports and packages use for them, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RULES: Final[Mapping[str, str]] = {
    # Does it only read?
    "declared": "an extension says that it does more than read",
    "command-parameter": "a GET whose parameter may hold any command",
    "write-in-disguise": "a GET that is called by a changing verb",
    "opens-session": "an endpoint of OAuth that makes or takes codes and tokens, by GET",
    "starts-something": "a GET that answers 201 or 202 only",
    "safe-method": "GET, HEAD, OPTIONS, TRACE and QUERY only read (RFC 9110 section 9.2.1)",
    "other-method": "PUT, PATCH, DELETE and unknown methods change things",
    "changing-verb": "a POST with a changing verb in any place",
    "makes-something": "a POST that answers 201 or 202",
    "option": "a POST whose body may ask for a change beside",
    "also": "a POST whose text tells of a change beside",
    "language": "a POST that takes a language in which anything may be said",
    "mints": "a POST that gets what an API makes when it is asked for it",
    "reading-verb": "a POST with a reading verb, and none of the above",
    "second-witness": "a POST whose verb does not settle it, and something else that does",
    "not-said-to-read": "a POST of which nothing says that it only reads",
    # May it destroy?
    "replacing-method": "PUT replaces, PATCH overwrites, DELETE removes",
    "unsafe-get": "a GET that changes things, and unknown methods, may do anything",
    "any-command": "what takes a command may do anything",
    "destroying-verb": "a POST with a destroying verb in any place, or one that makes what undoes another thing",
    "altering-verb": "a POST with a verb that changes what was there",
    "renews": "a POST that makes something new which puts an old one out of use",
    "creating-verb": "a POST with a creating verb only adds",
    "collection": "a POST to a collection only adds",
    "not-said-to-add": "nothing says that it only adds",
    # May it be repeated?
    "each-time": "each call does it again",
    "idempotent-method": "PUT and DELETE are idempotent (RFC 9110 section 9.2.2)",
    "settling-verb": "a second call leaves the thing in the state of the first",
    "not-said-to-settle": "nothing says that a second call changes nothing more",
    # Of what it follows
    "read-only": "what only reads destroys nothing and may be repeated",
    "outside": "it calls an API outside this server",
    "given": "the configuration or an extension of the document says so",
}
