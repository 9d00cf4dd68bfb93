"""What clients and model providers accept: each limit with where it comes from.

A provider usually refuses the whole request when one tool breaks a rule, so the smallest limit of all counts.
"""

from __future__ import annotations

import re
from typing import Final

# VS Code: 64 characters less its own prefix of up to 18 (microsoft/vscode, mcpTypes.ts, McpToolName).
TOOL_NAME: Final = 46
# Cursor drops a tool when the server's and the tool's name together have more than 60 characters; one is the separator.
SERVER_AND_TOOL_NAME: Final = 59
# Never shorter than this, however long the server's name: what tells tools apart must survive.
TOOL_NAME_AT_LEAST: Final = 32
# Claude API: property keys are ^[a-zA-Z0-9_.-]{1,64}$ (anthropics/claude-code#5319).
PROPERTY_KEY: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
ARGUMENT_NAME: Final = 64
# OpenAI and Azure refuse function descriptions over 1,024 characters (getsentry/sentry-mcp#106).
DESCRIPTION: Final = 1024
# GPT Actions: 700 characters for the text of a parameter (developers.openai.com, actions/production).
ARGUMENT_DESCRIPTION: Final = 700
# Names of tools that a server adds itself when it lists a search instead of every tool, and one whose constant would
# stand in the way of an import.
RESERVED_TOOL_NAMES: Final = frozenset({"search_tools", "describe_tool", "call_tool", "type_checking"})
# Tokens that one tool may cost in a list, without its output schema, and the output schema's own share.
TOOL_TOKENS: Final = 2_000
TOOL_CHARACTERS: Final = 16_000
OUTPUT_TOKENS: Final = 1_000
# Where a list begins to drown a model, and where VS Code refuses it (microsoft/vscode-copilot-chat, HARD_TOOL_LIMIT).
TOOLS_ADVISED: Final = 40
TOOLS_AT_MOST: Final = 128
