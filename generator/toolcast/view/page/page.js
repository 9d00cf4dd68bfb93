"use strict";
// Texts of the document reach the page as text nodes only: nothing here parses markup.
{
  const survey = JSON.parse(document.getElementById("survey").textContent);
  const byId = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("details[id^='tool-']")].map((element, index) => {
    const name = element.id.slice("tool-".length);
    return { element, name, index, home: element.parentElement, tool: survey.tools[name], words: null };
  });
  const row = new Map(rows.map((entry) => [entry.name, entry]));

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  }

  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

  // Schemas

  const DEEPEST = 8;
  const MANY = 12; // values of an enum that are shown at once
  const BOUNDS = [
    ["minimum", "at least"], ["maximum", "at most"], ["exclusiveMinimum", "more than"], ["exclusiveMaximum", "less than"],
    ["multipleOf", "a multiple of"],
  ];

  function resolved(schema, root) {
    let name = null;
    for (let step = 0; schema && typeof schema.$ref === "string" && step < 20; step++) {
      name = schema.$ref.split("/").pop();
      const { $ref, ...beside } = schema;
      schema = { ...(root.$defs ?? {})[name], ...beside };
    }
    return [schema ?? {}, name];
  }

  function kindOf(schema, root, depth = 0) {
    const [own] = resolved(schema, root);
    if (depth > 3) return "…";
    const branches = own.anyOf ?? own.oneOf;
    if (branches && !own.type) return [...new Set(branches.map((branch) => kindOf(branch, root, depth + 1)))].join(" or ");
    const types = [own.type ?? (own.properties ? "object" : own.enum ? "value" : "any value")].flat();
    return types.map((type) => (type === "array" ? `list of ${kindOf(own.items ?? {}, root, depth + 1)}` : type)).join(" or ");
  }

  function rules(schema) {
    const found = [];
    if (schema.format) found.push(schema.format);
    for (const [key, words] of BOUNDS) if (key in schema) found.push(`${words} ${schema[key]}`);
    const spans = [["minLength", "maxLength", "characters"], ["minItems", "maxItems", "items"], ["minProperties", "maxProperties", "fields"]];
    for (const [least, most, noun] of spans) {
      if (least in schema && most in schema) found.push(`${schema[least]} to ${schema[most]} ${noun}`);
      else if (least in schema) found.push(`at least ${schema[least]} ${noun}`);
      else if (most in schema) found.push(`at most ${schema[most]} ${noun}`);
    }
    if (schema.uniqueItems) found.push("each once");
    if (schema.pattern) found.push(`matches ${schema.pattern}`);
    if ("default" in schema) found.push(`default ${shown(schema.default)}`);
    return found.join(" · ");
  }

  function values(list) {
    const codes = list.map((value) => make("code", {}, value === "" ? "(empty)" : shown(value)));
    const spaced = (part) => part.flatMap((code, index) => (index ? [" ", code] : [code]));
    if (codes.length <= MANY) return make("p", { class: "values" }, "One of ", ...spaced(codes));
    return make("details", { class: "values" }, make("summary", {}, `One of ${codes.length} values`), make("p", {}, ...spaced(codes)));
  }

  // What tells one branch of a union from another: a field with a single value.
  function tagOf(schema, root) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const [own] = resolved(member, root);
      if (own.enum?.length === 1) return `${name} is ${shown(own.enum[0])}`;
    }
    return null;
  }

  // The fields of a schema that are shown below it: those of an object, of a list's items, of each branch of a union.
  function below(schema, root, depth) {
    const [own] = resolved(schema, root);
    if (depth > DEEPEST) return [];
    const found = [];
    if (own.properties) found.push(tree(own, root, depth));
    else if (own.items) found.push(...below(own.items, root, depth + 1));
    const branches = (own.anyOf ?? own.oneOf ?? []).filter((branch) => below(branch, root, depth + 1).length);
    branches.forEach((branch, index) => {
      const [choice, name] = resolved(branch, root);
      const title = branches.length > 1 ? `Choice ${index + 1}: ${choice.title ?? tagOf(choice, root) ?? name ?? kindOf(choice, root)}` : "Fields";
      found.push(make("details", { class: "choice" }, make("summary", {}, title), ...below(branch, root, depth + 1)));
    });
    const free = own.additionalProperties;
    if (free && typeof free === "object" && Object.keys(free).length) {
      found.push(make("ul", { class: "tree" }, field("(any name)", free, root, depth + 1, false, null)));
    }
    return found;
  }

  function enumOf(schema, root) {
    const [own] = resolved(schema, root);
    return own.enum ?? (own.items ? enumOf(own.items, root) : (own.anyOf ?? []).flatMap((branch) => enumOf(branch, root) ?? []));
  }

  function field(name, schema, root, depth, required, place) {
    const [own] = resolved(schema, root);
    const listed = enumOf(schema, root) ?? [];
    const facts = [kindOf(schema, root), rules(own)].filter(Boolean).join(" · ");
    const nested = depth <= DEEPEST ? below(schema, root, depth + 1) : [];
    return make("li", {},
      make("div", { class: "field" },
        make("div", { class: "label" },
          make("code", { class: "key" }, name),
          required ? make("span", { class: "required" }, "required") : null,
          place ? make("span", { class: "place" }, place) : null,
        ),
        make("div", { class: "meaning" },
          make("p", { class: "type" }, facts),
          own.description ? make("p", { class: "text" }, own.description) : null,
          listed.length ? values(listed) : null,
        ),
      ),
      ...nested,
    );
  }

  function tree(schema, root, depth, sent = null) {
    const required = new Set(schema.required ?? []);
    const list = make("ul", { class: "tree" });
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const [place, other] = sent?.[name] ?? [null, ""];
      list.append(field(name, member, root, depth, required.has(name), place && (other ? `${place}: ${other}` : place)));
    }
    return list;
  }

  // Details of a tool

  const HINTS = [["readOnly", "Only reads"], ["destructive", "May destroy"], ["idempotent", "May be repeated"], ["openWorld", "Reaches other systems"]];

  function hints(tool) {
    return make("dl", { class: "hints" }, ...HINTS.map(([key, words]) => {
      const { value, reason } = tool.hints[key];
      return make("div", {}, make("dt", {}, words), make("dd", {}, make("b", {}, value ? "yes" : "no"), ` – ${reason}`));
    }));
  }

  function request(tool) {
    const server = (tool.servers.length ? tool.servers : survey.servers)[0] ?? "";
    const security = tool.security.map((schemes) => (schemes.length ? schemes.join(" and ") : "nothing")).join(", or ");
    const facts = [
      ["Sent to", server],
      ["Body", tool.body],
      ["Credentials", security || "none are asked for"],
      ["Accepts", tool.accept.join(", ")],
    ].filter(([, value]) => value);
    const parts = [
      make("p", { class: "line" }, make("b", {}, tool.method), ` ${tool.path}`),
      make("dl", { class: "facts" }, ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))),
    ];
    if (tool.request) {
      const { method, target, headers, body } = tool.request;
      const lines = [`${method} ${target}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
      if (body) lines.push("", pretty(body, headers["content-type"]));
      parts.push(make("div", { class: "example" },
        make("div", {}, make("h5", {}, "Example arguments"), code(JSON.stringify(tool.example, null, 2), "Example arguments")),
        make("div", {}, make("h5", {}, "Request"), code(lines.join("\n"), "Request")),
      ));
    } else {
      parts.push(make("p", { class: "muted" }, "There is no example: no value is known that the arguments would accept."));
    }
    return parts;
  }

  function pretty(body, type) {
    if (!/json/.test(type ?? "")) return body;
    try {
      return JSON.stringify(JSON.parse(body), null, 2);
    } catch {
      return body;
    }
  }

  const code = (text, label) => make("pre", { tabindex: "0", role: "region", "aria-label": label }, make("code", {}, text));

  function onDemand(title, content) {
    const details = make("details", { class: "raw" }, make("summary", {}, title));
    details.addEventListener("toggle", () => details.append(...content()), { once: true });
    return details;
  }

  function answer(schema) {
    if (!schema) return [make("p", { class: "muted" }, "Nothing is said of the answer’s structure.")];
    const fields = below(schema, schema, 0);
    return fields.length ? fields : [make("p", { class: "type" }, kindOf(schema, schema))];
  }

  function findings(tool) {
    return make("ul", { class: "about" }, ...tool.findings.map((finding) => make("li", {},
      make("span", { class: `severity ${finding.severity}` }, finding.severity), " ", make("code", {}, finding.code), ` ${finding.message}. `,
      make("span", { class: "muted" }, finding.help),
    )));
  }

  function details({ tool }) {
    const { listed } = tool;
    const heading = (text) => make("h4", {}, text);
    const has = Object.keys(listed.inputSchema.properties ?? {}).length > 0;
    return make("div", { class: "body" },
      make("p", { class: "description" }, listed.description),
      ...(tool.findings.length ? [heading("Findings"), findings(tool)] : []),
      heading("Hints"), hints(tool),
      heading("Arguments"), has ? tree(listed.inputSchema, listed.inputSchema, 0, tool.sent) : make("p", { class: "muted" }, "It takes none."),
      heading("HTTP request"), ...request(tool),
      heading("Answer"), onDemand("Structure", () => answer(listed.outputSchema)),
      heading("As agents see it"), onDemand(`JSON, about ${count(tool.tokens, "token")}`, () => [code(JSON.stringify(listed, null, 2), "JSON")]),
      tool.where ? make("p", { class: "where" }, "Written in ", make("code", {}, tool.where)) : null,
    );
  }

  function fill(entry) {
    if (!entry.element.querySelector(":scope > .body")) entry.element.append(details(entry));
  }

  for (const entry of rows) entry.element.addEventListener("toggle", () => entry.element.open && fill(entry));

  // Filters

  const form = byId("filters");
  const groups = [...new Set(rows.map((entry) => entry.home))];
  const flat = make("section", { class: "group", hidden: true, "aria-label": "All tools by size" });
  byId("tools").append(flat);

  function haystack(entry) {
    const { tool, name, element } = entry;
    const keys = Object.keys(tool.listed.inputSchema.properties ?? {}).join(" ");
    return `${name} ${tool.listed.title ?? ""} ${tool.listed.description} ${tool.method} ${tool.path} ${keys} ${element.parentElement.id}`.toLowerCase();
  }

  function matches(entry, wanted) {
    const { tool } = entry;
    if (wanted.group && tool.group !== wanted.group) return false;
    if (wanted.method && tool.method !== wanted.method) return false;
    if (wanted.may === "repeatable" ? !tool.hints.idempotent.value : wanted.may && tool.may !== wanted.may) return false;
    if (wanted.warned && !tool.warned) return false;
    if (!wanted.terms.length) return true;
    entry.words ??= haystack(entry);
    return wanted.terms.every((term) => entry.words.includes(term));
  }

  function filter() {
    const wanted = {
      terms: byId("search").value.toLowerCase().split(/\s+/).filter(Boolean),
      group: byId("group").value,
      method: byId("method").value,
      may: byId("may").value,
      warned: byId("warned").checked,
    };
    let number = 0;
    for (const entry of rows) {
      const fits = matches(entry, wanted);
      number += fits;
      if (entry.element.hidden === fits) entry.element.hidden = !fits;
    }
    for (const group of groups) group.hidden = flat.hidden ? ![...group.children].some((child) => child.matches("details:not([hidden])")) : true;
    form.querySelector("button").hidden = number === rows.length;
    byId("shown").textContent = number === rows.length ? count(number, "tool") : `${number.toLocaleString("en")} of ${count(rows.length, "tool")}`;
  }

  function sort() {
    const bySize = byId("sort").value === "size";
    if (bySize === flat.hidden) {
      if (bySize) flat.append(...[...rows].sort((one, other) => other.tool.tokens - one.tool.tokens || one.index - other.index).map((entry) => entry.element));
      else for (const group of groups) group.append(...rows.filter((entry) => entry.home === group).map((entry) => entry.element));
      flat.hidden = !bySize;
    }
    filter();
  }

  let waiting = 0;
  form.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(sort);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(sort));

  // Links to a tool open it, whatever is filtered.

  function reveal(name) {
    const entry = row.get(name);
    if (!entry) return;
    if (entry.element.hidden) {
      form.reset();
      sort();
    }
    fill(entry);
    entry.element.open = true;
    entry.element.querySelector("summary").focus({ preventScroll: true });
    // Rows that were not drawn yet get their true height on the way: the second time it stands where it belongs.
    for (const later of [0, 1]) setTimeout(() => entry.element.scrollIntoView({ block: "start" }), later * 60);
  }

  const asked = () => reveal(decodeURIComponent(location.hash).slice("#tool-".length));
  addEventListener("hashchange", asked);
  for (const figure of document.querySelectorAll("figure")) {
    figure.addEventListener("click", ({ target }) => {
      const name = target.dataset?.tool;
      if (!name) return;
      if (location.hash === `#tool-${name}`) asked();
      else location.hash = `#tool-${name}`;
    });
  }
  if (location.hash.startsWith("#tool-")) asked();
  form.hidden = false;
  filter();
}
