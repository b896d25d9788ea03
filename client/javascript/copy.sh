# What the page and the package have in common is the page's.
set -e
mkdir -p dist
cp -R ../../service/page/client.mjs ../../service/page/fold.mjs ../../service/page/fold dist/
for name in client fold; do
	cp ../../service/page/$name.d.ts dist/$name.d.mts
done
