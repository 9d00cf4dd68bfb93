"""Swagger 2.0 → the shape of OpenAPI 3, in place."""

from __future__ import annotations

from collections.abc import Mapping

from toolcast.diagnostics import Diagnostic, Location, Report
from toolcast.load import swagger_root, swagger_values
from toolcast.load.places import WRITTEN, At, Kind, spelled, walk
from toolcast.load.source import Source
from toolcast.model.json import Json, JsonObject
from toolcast.model.pointer import join, lookup, reference

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
_LONGEST_CHAIN = 32
# Where the parts of a document have come to stand; parameters may also be request bodies.
_MOVED = {
    "definitions": "schemas",
    "parameters": "parameters",
    "responses": "responses",
    "securityDefinitions": "securitySchemes",
}


def convert(root: JsonObject, files: Mapping[str, Json], source: Source, report: Report) -> dict[tuple[str, str], str]:
    """Rewrite a document of Swagger 2.0, and such files of one, to the shape of OpenAPI 3.0.

    Gives the author's pointers by file ("" for the entry) and new pointer, for all that has moved. TC130 warns of an
    operation with a body and a form, of which only the body is sent.
    """
    conversion = _Conversion(root, files, source, report)
    return conversion.run() if conversion.old else {}


class _Conversion:
    def __init__(self, root: JsonObject, files: Mapping[str, Json], source: Source, report: Report) -> None:
        self.root = root
        self.files = files
        self.source = source
        self.report = report
        self.old = {file for file in ("", *files) if self.is_old(file)}
        # Schemas and parameters stay the objects that they are: by them is known what has moved, and to where.
        self.written: dict[int, At] = {}
        self.inherited: dict[int, list[Json]] = {}  # bodies and forms that path items give to operations
        self.done: set[int] = set()  # responses

    def is_old(self, file: str) -> bool:
        value = self.files[file] if file else self.root
        if isinstance(value, dict) and ("swagger" in value or "openapi" in value):
            return "swagger" in value
        return "swagger" in self.root

    def run(self) -> dict[tuple[str, str], str]:
        nodes = list(walk(self.root, self.files, WRITTEN))
        self.written = {id(node): at for _, node, at in nodes}
        references = dict.fromkeys(ref for _, node, _ in nodes if isinstance(ref := node.get("$ref"), str))
        targets = {ref: lookup(self.root, self.files, ref) for ref in references}
        ours: dict[Kind, list[tuple[JsonObject, str]]] = {}
        for kind, node, at in nodes:
            file = spelled(at)[0]
            if file in self.old:
                ours.setdefault(kind, []).append((node, file))
        for node, _ in ours.get("pathItem", ()):
            self.path_item(node)
        for node, file in ours.get("operation", ()):
            self.operation(node, file)
        for node, file in ours.get("response", ()):
            self.response(node, self.media_types(file, "produces"))
        for node, file in ours.get("parameter", ()):
            self.parameter(node, file)
        for node, _ in ours.get("header", ()):
            swagger_values.header(node)
        for node, _ in ours.get("schema", ()):
            swagger_values.schema(node)
        for node, _ in ours.get("securityScheme", ()):
            swagger_root.security(node)
        if "" in self.old:
            self.document()
        return self.lead(nodes, targets)

    def document(self) -> None:
        """Give the root its new shape."""
        root = self.root
        servers = swagger_root.servers(root, root.get("schemes"), self.source.url)
        components: JsonObject = {}
        for word, name in _MOVED.items():
            part = root.pop(word, None)
            if isinstance(part, dict):
                components[name] = part
        parameters = components.get("parameters")
        if isinstance(parameters, dict):
            bodies: JsonObject = {
                name: node for name, node in parameters.items() if isinstance(node, dict) and "content" in node
            }
            plain: JsonObject = {
                name: node for name, node in parameters.items() if name not in bodies and not _is_form(node)
            }
            components["parameters"], components["requestBodies"] = plain, bodies
        rest: JsonObject = {key: value for key, value in root.items() if key not in _GONE}
        root.clear()
        root |= {"openapi": "3.0.4", **rest}
        if servers:
            root["servers"] = servers
        if components:
            root["components"] = {name: part for name, part in components.items() if part}

    def path_item(self, node: JsonObject) -> None:
        """Hand bodies and forms that a path item has for all its operations to them."""
        listed = node.get("parameters")
        if not isinstance(listed, list):
            return
        shared = [entry for entry in listed if _is_body(self.resolved(entry))]
        if shared:
            node["parameters"] = [entry for entry in listed if entry not in shared]
            for method in _METHODS:
                if isinstance(node.get(method), dict):
                    self.inherited[id(node[method])] = shared

    def operation(self, node: JsonObject, file: str) -> None:
        consumes, produces = (self.media_types(file, word, node) for word in ("consumes", "produces"))
        schemes = node.pop("schemes", None)
        settings = self.settings(file)
        if isinstance(schemes, list) and schemes and schemes != settings.get("schemes"):
            node["servers"] = swagger_root.servers(settings, schemes, self.source.url)
        listed = node.get("parameters")
        own = listed if isinstance(listed, list) else []
        entries = [*own, *self.inherited.get(id(node), ())]
        parts = [(entry, part) for entry in entries if (part := self.resolved(entry)) is not None and _is_body(part)]
        if parts:
            plain = [entry for entry in own if not _is_body(self.resolved(entry))]
            if plain:
                node["parameters"] = plain
            else:
                node.pop("parameters", None)
            if len({str(part.get("in")) for _, part in parts}) > 1:
                self.warn_of_two_bodies(node)
            node["requestBody"] = self.request_body(parts, consumes, self.media_types(file, "consumes"))
        answers = node.get("responses")
        for status, entry in (answers if isinstance(answers, dict) else {}).items():
            if not isinstance(entry, dict) or status.startswith("x-"):
                continue
            if "$ref" not in entry:
                self.response(entry, produces)
            elif produces != self.media_types(file, "produces") and isinstance(answers, dict):
                target = self.resolved(entry)
                if target is not None and ("schema" in target or "examples" in target):
                    copy = dict(target)
                    swagger_values.response(copy, produces)
                    answers[status] = copy
                    self.written[id(copy)] = self.written.get(id(entry), "")

    def warn_of_two_bodies(self, operation: JsonObject) -> None:
        file, names = spelled(self.written[id(operation)])
        self.report.add(
            Diagnostic(
                code="TC130",
                severity="warning",
                message="The operation has a body and form fields, of which only one can be sent: the body",
                location=Location(file=file or self.source.file, pointer=join(names)),
                help="Move the fields into the body, or remove it.",
            )
        )

    def request_body(self, parts: list[tuple[Json, JsonObject]], consumes: list[str], usual: list[str]) -> JsonObject:
        """The body for the parameters of one operation; the first one counts, and a body more than a form."""
        for entry, part in parts:
            if part.get("in") == "body":
                if isinstance(entry, dict) and "$ref" in entry and consumes == usual:
                    return {"$ref": entry["$ref"]}
                made = swagger_values.body(part, consumes)
                self.written[id(made)] = self.written.get(id(entry), "")
                return made
        fields: dict[str, JsonObject] = {}
        for _, part in parts:
            fields.setdefault(str(part.get("name")), part)
        made = swagger_values.form(fields.values(), consumes)
        self.written[id(made)] = self.written.get(id(parts[0][0]), "")
        return made

    def response(self, node: JsonObject, produces: list[str]) -> None:
        if id(node) not in self.done and "$ref" not in node:
            self.done.add(id(node))
            swagger_values.response(node, produces)

    def parameter(self, node: JsonObject, file: str) -> None:
        """Rewrite a parameter; a shared body becomes a request body where it stands."""
        if "$ref" in node or node.get("in") == "formData":
            return
        if node.get("in") != "body":
            swagger_values.parameter(node)
            return
        made = swagger_values.body(node, self.media_types(file, "consumes"))
        node.clear()
        node |= made

    def settings(self, file: str) -> JsonObject:
        """The document whose general statements hold in a file."""
        value = self.files[file] if file else self.root
        return value if isinstance(value, dict) and "swagger" in value else self.root

    def media_types(self, file: str, word: str, operation: JsonObject | None = None) -> list[str]:
        """What an operation, or else the document, consumes or produces; the operation loses the word."""
        stated = operation.pop(word, None) if operation is not None else None
        if not isinstance(stated, list):
            stated = self.settings(file).get(word)
        found = stated if isinstance(stated, list) else []
        return list(dict.fromkeys(media_type for media_type in found if isinstance(media_type, str) and media_type))

    def resolved(self, value: Json) -> JsonObject | None:
        """The object that is meant, behind any references."""
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
                return value if isinstance(value, dict) else None
            found = lookup(self.root, self.files, str(value["$ref"]))
            value = found[0] if found is not None else None
        return None

    def lead(
        self, nodes: list[tuple[Kind, JsonObject, At]], targets: Mapping[str, tuple[Json] | None]
    ) -> dict[tuple[str, str], str]:
        """Let references lead to what they led to before; gives what has moved."""
        places: dict[int, At] = {}
        for _, node, at in walk(self.root, self.files):
            places.setdefault(id(node), at)
        bodies = [node["requestBody"] for kind, node, _ in nodes if kind == "operation" and "requestBody" in node]
        for node in [*(node for _, node, _ in nodes), *(body for body in bodies if isinstance(body, dict))]:
            ref = node.get("$ref")
            target = targets.get(ref) if isinstance(ref, str) else None
            if isinstance(ref, str) and target is not None:
                node["$ref"] = self.renamed(ref, target[0], places)
        moved = _Moved()
        for key, at in places.items():
            if key in self.written:
                moved.note(at, self.written[key])
        return moved.found

    def renamed(self, ref: str, target: Json, places: Mapping[int, At]) -> str:
        """The reference to what stood at another place before."""
        options = [ref]
        if ref.startswith("#/"):
            first, _, rest = ref[2:].partition("/")
            names = [_MOVED[first], "requestBodies"] if first in _MOVED else []
            options += [f"#/components/{name}/{rest}" for name in names if "" in self.old]
        for option in options:
            found = lookup(self.root, self.files, option)
            if found is not None and (found[0] is target if isinstance(target, dict | list) else option != ref):
                return option
        place = places.get(id(target)) if isinstance(target, dict) else None
        return ref if place is None else reference(*spelled(place))


_GONE = frozenset(("swagger", "host", "basePath", "schemes", "consumes", "produces"))


def _is_body(part: JsonObject | None) -> bool:
    return part is not None and part.get("in") in ("body", "formData")


def _is_form(node: Json) -> bool:
    return isinstance(node, dict) and node.get("in") == "formData"


class _Moved:
    """What stands elsewhere than its author wrote it; what is below such a place has moved with it."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], str] = {}
        self._before: dict[int, str] = {}  # by the identity of a place

    def note(self, at: At, written: At) -> None:
        """Compare the places of an object; those around it have been noted before."""
        (file, names), (old_file, old_names) = spelled(at), spelled(written)
        old = join(old_names)
        if file == old_file and old != self.before(at):
            self.found[file, join(names)] = self._before[id(at)] = old

    def before(self, at: At) -> str:
        """Where the author wrote what stands at a place, as far as is known yet."""
        if isinstance(at, str):
            return ""
        known = self._before.get(id(at))
        if known is None:
            known = self._before[id(at)] = self.before(at[0]) + join([at[1]])
        return known
