# What the page and the package have in common is the page's.
set -e
mkdir -p dist
cp ../../service/page/client.mjs dist/
cp ../../service/page/client.d.ts dist/client.d.mts
