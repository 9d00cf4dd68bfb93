"""What clients and model providers accept: each limit with where it comes from.

A provider usually refuses the whole request when one tool breaks a rule, so the smallest limit of all counts. The
constants are what the mapping keeps to; ``LIMITS`` is whose they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# Characters of a tool's name; of it and the server's together; and how short no server's name makes it, as what tells
# tools apart must survive.
TOOL_NAME: Final = 46
SERVER_AND_TOOL_NAME: Final = 59
TOOL_NAME_AT_LEAST: Final = 32
# What a property's name, and so an argument's, may be.
PROPERTY_KEY: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
ARGUMENT_NAME: Final = 64
# Characters of a tool's description, of an argument's, and of a server's instructions.
DESCRIPTION: Final = 1024
ARGUMENT_DESCRIPTION: Final = 700
INSTRUCTIONS: Final = 2_000
# Names of tools that a server adds itself when it lists a search instead of every tool, and one whose constant would
# stand in the way of an import.
RESERVED_TOOL_NAMES: Final = frozenset({"search_tools", "describe_tool", "call_tool", "type_checking"})
# Tokens that one tool may cost in a list without its output schema, unless the owner wants another budget, and the
# output schema's own share; characters that it may have under any budget.
TOOL_TOKENS: Final = 2_000
OUTPUT_TOKENS: Final = 1_000
TOOL_CHARACTERS: Final = 16_000
# Where a list begins to drown a model, and where the strictest client refuses it.
TOOLS_ADVISED: Final = 40
TOOLS_AT_MOST: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit: whose it is, what it says, how much where that is a number, and who says so.

    ``kept`` says that every tool that the mapping makes keeps to it; the others depend on the document.
    """

    id: str
    client: str
    what: str
    value: int | None = None
    source: str
    kept: bool = True


LIMITS: Final = (
    # Names
    Limit(
        id="name-mcp",
        client="MCP",
        what="a tool's name has 1 to 128 of A-Z, a-z, 0-9, _, - and .",
        value=128,
        source="MCP 2026-07-28, server/tools",
    ),
    Limit(
        id="name-openai",
        client="OpenAI, Azure, Bedrock",
        what="a tool's name has at most 64 characters",
        value=64,
        source="openai/openai-openapi, FunctionObject.name; awslabs/mcp#3181, #2395",
    ),
    Limit(
        id="name-claude-search",
        client="Claude API, tool search",
        what="a tool's name has at most 64 characters",
        value=64,
        source="anthropics/claude-code#79418 (tool_reference.tool_name)",
    ),
    Limit(
        id="name-gemini",
        client="Gemini, Kimi",
        what="a tool's name begins with a letter or _ and has at most 64 characters",
        value=64,
        source="google-gemini/gemini-cli, mcp-tool.ts; cljdoc, autonomous/tool-names",
    ),
    Limit(
        id="name-gemini-cli",
        client="Gemini CLI",
        what="mcp_SERVER_TOOL is cut in its middle beyond 63 characters",
        value=SERVER_AND_TOOL_NAME - 1,
        source="google-gemini/gemini-cli, docs/tools/mcp-server.md",
        kept=False,
    ),
    Limit(
        id="name-vscode",
        client="VS Code, Copilot",
        what="a tool's name has at most 46 characters: 64 less a prefix of up to 18",
        value=TOOL_NAME,
        source="microsoft/vscode, mcpTypes.ts, McpToolName",
    ),
    Limit(
        id="name-cursor",
        client="Cursor",
        what="a tool is dropped when its name and the server's have more than 60 characters together",
        value=SERVER_AND_TOOL_NAME,
        source="ComposioHQ/composio#2788, awslabs/mcp#1283",
    ),
    Limit(
        id="key-claude",
        client="Claude API",
        what="a property's name has 1 to 64 of A-Z, a-z, 0-9, _, . and -",
        value=ARGUMENT_NAME,
        source="anthropics/claude-code#5319, #92648",
    ),
    # How many, how large
    Limit(
        id="tools-vscode",
        client="VS Code, Copilot",
        what="refuses more than 128 tools, and groups them beyond 64",
        value=TOOLS_AT_MOST,
        source="microsoft/vscode-copilot-chat, HARD_TOOL_LIMIT",
        kept=False,
    ),
    Limit(
        id="tools-openai",
        client="OpenAI",
        what="refuses more than 128 functions",
        value=TOOLS_AT_MOST,
        source="openai/openai-openapi, CreateChatCompletionRequest.tools",
        kept=False,
    ),
    Limit(
        id="tools-windsurf",
        client="Windsurf",
        what="takes 100 tools in all",
        value=100,
        source="docs.windsurf.com, windsurf/cascade/mcp",
        kept=False,
    ),
    Limit(
        id="tools-cursor",
        client="Cursor and models in general",
        what="choose badly among more than about 40 tools",
        value=TOOLS_ADVISED,
        source="mcptrove (reported)",
        kept=False,
    ),
    Limit(
        id="tool-size",
        client="Toolcast",
        what="a tool has at most 16,000 characters without its output schema, whatever its budget",
        value=TOOL_CHARACTERS,
        source="no client publishes a limit; about 4,000 tokens, a fiftieth of a context of 200,000",
        kept=False,
    ),
    Limit(
        id="list-event",
        client="MCP SDK for Python",
        what="refuses a server-sent event above 1 MiB: longer lists are paged",
        value=1_048_576,
        source="modelcontextprotocol/python-sdk 2.3, streamable HTTP client",
    ),
    # Texts
    Limit(
        id="description-openai",
        client="OpenAI, Azure, Copilot",
        what="a tool's description has at most 1,024 characters",
        value=DESCRIPTION,
        source="getsentry/sentry-mcp#106; microsoft/vscode-copilot-chat, toolSchemaNormalizer.ts",
    ),
    Limit(
        id="description-claude-code",
        client="Claude Code",
        what="descriptions and instructions are cut at 2 KB",
        value=INSTRUCTIONS,
        source="anthropics/claude-code, CHANGELOG 2.1.84",
    ),
    Limit(
        id="argument-description-actions",
        client="GPT Actions",
        what="an argument's description has at most 700 characters",
        value=ARGUMENT_DESCRIPTION,
        source="developers.openai.com, actions/production",
        kept=False,  # a rule of another product than tools; notes and the names of fields are told beyond it
    ),
    # Schemas
    Limit(
        id="schema-dialect",
        client="MCP, Claude API",
        what="an input schema is valid JSON Schema 2020-12 with the root type object",
        source="MCP 2026-07-28, basic/index; anthropics/claude-code#586",
    ),
    Limit(
        id="root-combinators",
        client="Claude API, VS Code, OpenAI",
        what="no oneOf, anyOf, allOf, not, if or enum at the root of an input schema",
        source="github/copilot-cli#1879; metatool-ai/metamcp#249; microsoft/vscode-copilot-chat, normalizer",
    ),
    Limit(
        id="root-properties",
        client="OpenAI",
        what="an object at the root has properties",
        source="openai/openai-agents-python#454",
    ),
    Limit(
        id="array-items",
        client="VS Code, OpenAI, Gemini",
        what="every array has items, one schema",
        source="microsoft/vscode-copilot-chat, toolSchemaNormalizer.ts; garrytan/gbrain#1048",
    ),
    Limit(
        id="required-properties",
        client="VS Code, OpenAI",
        what="required names only properties that are there",
        source="microsoft/vscode-copilot-chat, toolSchemaNormalizer.ts",
    ),
    Limit(
        id="boolean-schemas",
        client="Copilot, Gemini",
        what="no schema is true or false",
        source="github/copilot-cli#4623",
    ),
    Limit(
        id="enum-values",
        client="Gemini, VS Code",
        what="the values of an enum differ, are none of them empty, and have the declared type",
        source="google-gemini/gemini-cli#4400; PrefectHQ/fastmcp#195; mongodb-js/mongodb-mcp-server#715",
    ),
    Limit(
        id="default-beside-union",
        client="Gemini",
        what="no default in a branch of anyOf or beside it",
        source="google-gemini/gemini-cli, docs/tools/mcp-server.md",
    ),
    Limit(
        id="patterns",
        client="OpenAI, Vertex, clients in JavaScript and in Python",
        what="a pattern compiles as ECMAScript and in Python",
        source="langfuse/langfuse#14770; langchain-ai/langchainjs#11351",
    ),
    Limit(
        id="reference-cycles",
        client="Gemini",
        what="no cycle of references",
        source="google-gemini/gemini-cli#14945",
    ),
    Limit(
        id="references",
        client="Claude managed agents, Gemini (legacy parameters)",
        what="no $ref at all",
        source="metatool-ai/metamcp#249; google-gemini/gemini-cli#14945",
        kept=False,
    ),
    Limit(
        id="foreign-keywords",
        client="OpenAI, Gemini",
        what="no keyword of OpenAPI (nullable, discriminator, xml, example) and no vendor's (x-…)",
        source="hermes-agent, gemini_schema.py; MCP 2026-07-28, basic/index",
    ),
    Limit(
        id="output-root",
        client="MCP before 2026-07-28",
        what="an output schema has the root type object; one without takes the whole list with it",
        source="MCP 2025-11-25, server/tools; modelcontextprotocol/python-sdk 2.3",
    ),
)
