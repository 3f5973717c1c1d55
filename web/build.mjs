// Builds web/pages: each page is one HTML file with its script and style inside, the place marks
// {{title}} and {{data}}, and a Content-Security-Policy that allows this script and this style and
// no request. The output depends on the sources and on package-lock.json alone.
// Usage: node web/build.mjs [--check]   --check: writes nothing; fails if a page would change
import {createHash} from "node:crypto";
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

import {build} from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const marks = ["{{title}}", "{{data}}"];
const pages = [
  {name: "report", title: "report"},
  {name: "timeline", title: "timeline"},
  {name: "plot", title: "plots"},
];

async function bundle(entry, options) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    target: ["chrome90", "firefox113", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text.trim();
}

const digest = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const licence = readFileSync(join(folder, "node_modules/uplot/LICENSE"), "utf8").trim();
const version = JSON.parse(
  readFileSync(join(folder, "node_modules/uplot/package.json"), "utf8"),
).version;

const style = await bundle("src/style.css", {});

async function pageOf({name}) {
  const script = await bundle(`src/${name}.js`, {format: "iife"});
  for (const mark of marks)
    if (script.includes(mark) || style.includes(mark))
      throw new Error(`the code of ${name} contains the place mark ${mark}`);
  if (/<\/script|<!--/i.test(script)) throw new Error(`the script of ${name} contains an end mark`);
  if (/url\((?!["']?data:)|@import/.test(style))
    throw new Error("the style refers to another file");
  if (`${script}${style}`.includes(')page"'))
    throw new Error("the code contains the end mark of a raw string of C++");
  const policy = [
    "default-src 'none'",
    `script-src ${digest(script)}`,
    `style-src ${digest(style)}`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{{title}}</title>
<!-- This page contains uPlot ${version}, https://github.com/leeoniya/uPlot

${licence.replaceAll("--", "- -")}
-->
<style>${style}</style>
</head>
<body>
<div id="app"><main class="message"><p>Reading the report …</p></main></div>
<noscript>This page draws its charts with the script inside it; the browser does not run scripts.</noscript>
{{data}}
<script>${script}</script>
</body>
</html>
`;
}

const check = process.argv.includes("--check");
let changed = false;
mkdirSync(join(folder, "pages"), {recursive: true});
for (const page of pages) {
  const text = await pageOf(page);
  const file = join(folder, "pages", `${page.name}.html`);
  if (check) {
    let old = "";
    try {
      old = readFileSync(file, "utf8");
    } catch {
      /* there is no page yet */
    }
    if (old !== text) {
      changed = true;
      console.error(
        `web/pages/${page.name}.html is not what web/src gives: run node web/build.mjs and commit it`,
      );
    }
  } else {
    writeFileSync(file, text);
    console.log(`web/pages/${page.name}.html: ${Buffer.byteLength(text)} bytes`);
  }
}
process.exitCode = changed ? 1 : 0;
