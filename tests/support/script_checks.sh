#!/usr/bin/env bash
# Types and lint of the script of pages, and lint of the site's search. The tools of npm come into a folder, which may be given: bash script_checks.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/docie-script-checks}
mkdir -p "$tools"
[ -d "$tools/node_modules/eslint" ] ||
    npm install --no-save --silent --prefix "$tools" typescript@7 eslint@9 @eslint/js@9 globals@16
cp tests/browser/eslint.config.mjs "$tools"  # it imports what is installed beside it
"$tools/node_modules/.bin/tsc" --project tests/browser/tsconfig.json
"$tools/node_modules/.bin/eslint" --config "$tools/eslint.config.mjs" src/docie/show/page/script docs/site/search.js
