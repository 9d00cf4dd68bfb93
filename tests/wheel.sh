#!/bin/sh
# The wheel in a clean environment: it generates a sample's server, installs it, and the server starts and lists.
# Usage: wheel.sh PYTHON BUILDER, where BUILDER is a Python that has `build`.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
"$2" -m build --wheel --outdir "$work/dist" . >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$1" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$work"/dist/*.whl
cp samples/bookshop/openapi.yaml "$work/openapi.yaml"
cd "$work"
venv/bin/toolcast generate openapi.yaml --output server --name bookshop
venv/bin/toolcast templates copy README.md.jinja --block heading >/dev/null
printf '\nKept by the wheel.\n{%% endblock %%}\n' >"$work/tail"
sed -i '/endblock/d' templates/README.md.jinja
cat "$work/tail" >>templates/README.md.jinja
venv/bin/toolcast templates check
venv/bin/toolcast generate openapi.yaml --output other --name bookshop --templates templates >/dev/null
grep -q '^Kept by the wheel.$' other/README.md
diff -r server other | grep -v '^Only in' | grep -E '^diff' | grep -vE 'README.md|toolcast.toml|toolcast.lock' && exit 1
echo "the installed wheel has its templates, and a block of the README is overridden"
venv/bin/python -m pip install --quiet --disable-pip-version-check ./server
venv/bin/bookshop-mcp --list
venv/bin/python - <<'CLIENT'
import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def main() -> None:
    async with Client(StdioServerParameters(command="venv/bin/bookshop-mcp")) as client:
        tools = (await client.list_tools()).tools
    assert len(tools) > 20, tools
    print(f"the installed server lists {len(tools)} tools over stdio")


anyio.run(main)
CLIENT
venv/bin/toolcast demo >"$work/demo.txt" || { cat "$work/demo.txt"; exit 1; }
echo "the installed wheel runs the demo"
