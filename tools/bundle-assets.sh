#!/bin/sh
# Rebuilds the charting library that reports carry: results/assets/echarts.min.js and its licences.
# For developers, when the library's version or the set of charts changes; needs node and npm.
# The versions are pinned in bundle-assets/package-lock.json; the same versions give the same bytes.
set -eu
cd "$(dirname "$0")/bundle-assets"
npm ci --no-audit --no-fund
npm run --silent build
rm -rf node_modules
