#!/bin/sh
# The site in build/docs and a page of `toolcast inspect --html`, looked at by axe-core; pictures lie in build/pictures.
# Usage: axe.sh TOOLCAST. It ends with 1 when a violation is found.
set -eu
for chromium in chromium chromium-browser google-chrome; do
    found=$(command -v "$chromium") && break
done
if [ -z "${found:-}" ] || ! command -v npm >/dev/null; then
    echo "axe: SKIPPED, as Chromium or node is missing"
    exit 0
fi
build=$(pwd)/build
mkdir -p "$build/browser" "$build/pictures"
cp tests/pages/browser/package.json tests/pages/browser/axe.mjs "$build/browser"
(cd "$build/browser" && npm install --silent --no-audit --no-fund)
"$1" inspect samples/bookshop/openapi.yaml --html "$build/tools.html" >/dev/null
pages=$(find "$build/docs/docs" "$build/docs/CONTRIBUTING.html" "$build/docs/SECURITY.html" "$build/docs/search.html" \
    -name '*.html' | sort | sed 's#^#file://#')
# shellcheck disable=SC2086
node "$build/browser/axe.mjs" "$found" "$build/pictures" $pages "file://$build/tools.html"
