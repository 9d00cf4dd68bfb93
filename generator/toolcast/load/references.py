"""References into other files: followed, and written so that they mean the same in every file."""

from __future__ import annotations

from dataclasses import replace

import orjson

from toolcast.diagnostics import Diagnostic, Failure, Location, Report
from toolcast.load.identifiers import Identifiers, Names, identifiers
from toolcast.load.neighbours import Neighbours
from toolcast.load.places import WRITTEN, At, Kind, place, pointer, spelled, tags, walk
from toolcast.load.reach import absolute
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import fragment, lookup, reference, separate, step

MAX_FINDINGS = 50
_LONGEST_CHAIN = 32  # references that refer to references
_MAX_COPIED = 16 * 1024 * 1024  # bytes of texts and examples that stand in files of their own
_TEXTS = frozenset(("title", "summary", "description"))
_COMPONENTS = (("components", "schemas"), ("definitions",))


def gather(root: JsonObject, text: str, neighbours: Neighbours, file: str, report: Report) -> None:
    """Read every file that a document refers to, and rewrite all references in place.

    A reference is ``#/…``, into the entry document, or ``FILE#/…``, into a file of ``neighbours``; where no reference
    can stand, as for a description, what it leads to takes its place. One that leads to no file is a warning, TC120
    to TC123, and names the file that it would lead to.
    """
    gathering = _Gathering(root, text, neighbours)
    gathering.run()
    missing = list(gathering.missing.values())
    for diagnostic, places in missing[:MAX_FINDINGS]:
        others = "" if len(places) == 1 else f" (and {len(places) - 1} more to the same)"
        location = Location(file=spelled(places[0])[0] or file, pointer=pointer(places[0]))
        report.add(replace(diagnostic, message=f"The reference to {diagnostic.message}{others}", location=location))
    if len(missing) > MAX_FINDINGS:
        message = f"{len(missing) - MAX_FINDINGS} more references lead to files that cannot be used"
        advice = "Correct the ones above first."
        report.add(replace(missing[-1][0], message=message, location=Location(file=file), help=advice))


class _Gathering:
    def __init__(self, root: JsonObject, text: str, neighbours: Neighbours) -> None:
        self.root = root
        self.text = text
        self.neighbours = neighbours
        self.files = neighbours.files
        self.missing: dict[str, tuple[Diagnostic, list[At]]] = {}  # by URI
        self.identified: dict[str, Identifiers] = {}
        self.resources: dict[str, tuple[str, Names]] = {}  # by URI
        # What was rewritten, by object and key; with the object, so that no id is given to another one meanwhile.
        self.settled: dict[tuple[int, str], JsonObject] = {}
        self.depth = 0
        self.copied = 0

    def run(self) -> None:
        self.identify("")
        for kind, node, at in walk(self.root, self.files, WRITTEN):
            if kind in ("components", "plain") and isinstance(node.get("$ref"), str):
                self.replace(kind, node, at)
            for key, value in node.items():
                if isinstance(value, dict) and "$ref" in value and isinstance(value["$ref"], str):
                    self.spread(kind, node, key, value, at)
            if isinstance(node.get("$ref"), str):
                self.settle(node, at)
            if kind == "schema" and "discriminator" in node:
                for owner, tag in tags(node):
                    self.settle_tag(owner, tag, at)

    def identify(self, file: str, uri: str = "") -> Identifiers:
        """What the parts of a file call themselves, found once; ``uri`` is where it should have been found."""
        known = self.identified.get(file)
        if known is None:
            value = self.files[file] if file else self.root
            text = self.neighbours.texts[file] if file else self.text
            known = self.identified[file] = identifiers(value, text, uri or self.neighbours.bases[file])
            for names, uri in known.resources.items():
                self.resources.setdefault(uri, (file, names))
        return known

    def settle(self, node: JsonObject, at: At) -> None:
        """Rewrite the reference of an object, once."""
        if (id(node), "$ref") not in self.settled:
            self.settled[id(node), "$ref"] = node
            self.depth += 1
            node["$ref"] = self.rewritten(str(node["$ref"]), at, (at, "$ref"))
            self.depth -= 1

    def rewritten(self, text: str, at: At, where: At) -> str:
        """A reference at a place, as it is written everywhere; one that leads to no file is noted for ``where``."""
        address, _, rest = text.partition("#")
        try:
            owner, resource = self.owner(address, at)
        except Failure as failure:
            uri = self.target(address, at)
            name = self.neighbours.named(uri)
            diagnostic = replace(failure.diagnostic, message=f"{name} {failure.diagnostic.message}")
            self.missing.setdefault(uri, (diagnostic, []))[1].append(where)
            return f"{name}#{rest}"
        names = fragment("#" + rest)
        if names is None:
            anchored = self.identify(owner).anchor(resource, rest)
            return f"{owner}#{rest}" if anchored is None else reference(owner, anchored)
        whole = [*resource, *names]
        found = self.real(owner, whole)
        if found is None and resource:  # many write pointers from the root of the file all the same
            found, whole = self.real(owner, names), names
        if not address and not owner and found in (None, ("", names)):
            return text
        return reference(*(found or (owner, whole)))

    def owner(self, address: str, at: At) -> tuple[str, Names]:
        """The file and the resource in it that the part of a reference before ``#`` means; raises Failure."""
        if not address:
            file, names = spelled(at)
            return file, self.identify(file).around(names)
        uri, beside = self.target(address, at), self.beside(address, at)
        for candidate in (uri, beside):
            if candidate in self.resources:
                return self.resources[candidate]
        try:
            owner, found = self.neighbours.get(uri), ""
        except Failure:
            if beside == uri:
                raise
            # What calls itself by a URL is often kept, with all that is beside it, somewhere else.
            owner, found = self.neighbours.get(beside), uri
        self.identify(owner, found)
        return owner, ()

    def target(self, address: str, at: At) -> str:
        """The URI that a relative one means at a place (RFC 3986 section 5)."""
        file, names = spelled(at)
        known = self.identify(file)
        return absolute(known.resources[known.around(names)], address)

    def beside(self, address: str, at: At) -> str:
        """The URI that a relative one has from where its file was found."""
        return absolute(self.neighbours.bases[spelled(at)[0]], address)

    def real(self, file: str, names: list[str]) -> tuple[str, list[str]] | None:
        """Where a path really leads, through the references that stand on its way; None where there is nothing."""
        for _ in range(_LONGEST_CHAIN):
            node: Json = self.files[file] if file else self.root
            for index, name in enumerate(names):
                found = step(node, name)
                if found is None:
                    onwards = self.onwards(node, reference(file, names[:index]))
                    if onwards is None:
                        return None
                    file, names = onwards[0], [*onwards[1], *names[index:]]
                    break
                node = found[0]
            else:
                return file, names
        return None

    def onwards(self, node: Json, here: str) -> tuple[str, list[str]] | None:
        """Where the reference of an object on the way leads."""
        if not isinstance(node, dict) or not isinstance(node.get("$ref"), str) or self.depth > _LONGEST_CHAIN:
            return None
        self.settle(node, place(here))
        found = separate(str(node["$ref"]))
        return None if found is None or (found[0] and found[0] not in self.files) else found

    def settle_tag(self, owner: JsonObject, tag: str, at: At) -> None:
        """Rewrite a reference of a discriminator; a bare name is that of a component (OpenAPI 3.2 section 4.25)."""
        text = owner[tag]
        if not isinstance(text, str) or (id(owner), tag) in self.settled:
            return
        self.settled[id(owner), tag] = owner
        if "#" not in text and "/" not in text:
            for file in dict.fromkeys(("", spelled(at)[0])):
                for holder in _COMPONENTS:
                    if self.real(file, [*holder, text]) is not None:
                        owner[tag] = reference(file, [*holder, text]) if file else text
                        return
            if "." not in text:
                return
        owner[tag] = self.rewritten(text, at, at)

    def replace(self, kind: Kind, node: JsonObject, at: At) -> None:
        """Put what is referred to in place of what later stages do not follow: components, info, a tag, a server."""
        if kind == "components":
            self.spread_map(node, at)
            return
        self.settle(node, at)
        found = self.copy(str(node["$ref"]))
        if found is not None and isinstance(found[0], dict):
            del node["$ref"]
            node.update({**found[0], **node})

    def spread(self, kind: Kind, node: JsonObject, key: str, inner: JsonObject, at: At) -> None:
        """Where a reference stands for a whole map or list, let its members refer one by one; insert other values."""
        shape = WRITTEN[kind][key][0] if key in WRITTEN[kind] else None
        if shape is None:
            self.insert(kind, node, key, inner, at)
        elif shape == "each":
            self.settle(inner, (at, key))
            target = str(inner["$ref"])
            found = lookup(self.root, self.files, target)
            if found is not None and isinstance(found[0], list):
                node[key] = [self.member(target, index, value) for index, value in enumerate(found[0])]
        elif shape != "one":
            self.spread_map(inner, (at, key))

    def spread_map(self, node: JsonObject, at: At) -> None:
        onwards: Json = node
        for _ in range(_LONGEST_CHAIN):
            self.settle(onwards, at)
            target = str(onwards["$ref"])
            found = lookup(self.root, self.files, target)
            onwards, at = found[0] if found is not None else None, place(target)
            if not isinstance(onwards, dict) or onwards is node:
                return
            if not isinstance(onwards.get("$ref"), str):
                del node["$ref"]
                members = {name: self.member(target, name, value) for name, value in onwards.items()}
                node.update({**members, **node})
                return

    def member(self, target: str, name: str | int, value: Json) -> Json:
        """A reference to a member of what a reference leads to; a value that is no object stays itself."""
        if not isinstance(value, dict):
            return value
        node: JsonObject = {"$ref": target + reference("", [name])[1:]}
        self.settled[id(node), "$ref"] = node
        return node

    def insert(self, kind: Kind, node: JsonObject, key: str, inner: JsonObject, at: At) -> None:
        """Put what is in other files where the document has texts and values, not objects that may stand elsewhere."""
        if kind == "callback" or len(inner) > 1 or key.startswith("x-"):
            return
        text = str(inner["$ref"])
        if key in _TEXTS or self.readable(text, at):
            found = self.copy(self.rewritten(text, at, ((at, key), "$ref")))
            if found is not None and (key not in _TEXTS or isinstance(found[0], str)):
                node[key] = found[0]

    def readable(self, text: str, at: At) -> bool:
        """Does this lead into another file? A value may only look like a reference."""
        address = text.partition("#")[0]
        try:
            self.owner(address, at)
        except Failure:
            return False
        return address != ""

    def copy(self, target: str) -> tuple[Json] | None:
        found = lookup(self.root, self.files, target)
        if found is None:
            return None
        data = orjson.dumps(found[0])
        self.copied += len(data)
        return (orjson.loads(data),) if self.copied <= _MAX_COPIED else None
