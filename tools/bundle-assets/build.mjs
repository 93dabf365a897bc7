// Bundles charts.js into results/assets/echarts.min.js, with the notices of what it contains, and
// copies the full licence texts beside it. Run through ../bundle-assets.sh.
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "..", "..", "results", "assets");
const modules = join(here, "node_modules");
const version = (name) => JSON.parse(readFileSync(join(modules, name, "package.json"))).version;
const text = (...parts) => readFileSync(join(modules, ...parts), "utf8").trim();

// Apache-2.0 section 4 and BSD-3-Clause want these to travel with every copy, so they stand in the
// bundle itself: a report is one file that people pass on.
const banner = `/*!
weft chart bundle: Apache ECharts ${version("echarts")} (Apache-2.0), zrender ${version("zrender")} (BSD-3-Clause), tslib (0BSD).
Unmodified sources, tree-shaken and minified.

${text("echarts", "NOTICE")}

Licensed under the Apache License, Version 2.0; you may obtain a copy at https://www.apache.org/licenses/LICENSE-2.0

zrender:
${text("zrender", "LICENSE")}
*/`;

await build({
  entryPoints: [join(here, "charts.js")],
  outfile: join(assets, "echarts.min.js"),
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "echarts",
  target: ["es2018"],
  charset: "ascii",
  legalComments: "none",
  banner: { js: banner },
  define: { "process.env.NODE_ENV": '"production"' },
});
copyFileSync(join(modules, "echarts", "LICENSE"), join(assets, "echarts.LICENSE.txt"));
copyFileSync(join(modules, "echarts", "NOTICE"), join(assets, "echarts.NOTICE.txt"));
copyFileSync(join(modules, "zrender", "LICENSE"), join(assets, "zrender.LICENSE.txt"));

const limit = 700 * 1000;
const size = statSync(join(assets, "echarts.min.js")).size;
console.log(`echarts.min.js: ${size} bytes (limit ${limit})`);
if (size > limit) {
  process.exit(1);
}
