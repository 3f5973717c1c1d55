// Takes screenshots of a page.
// Usage: node web/tests/shot.mjs FILE.html OUT.png [--width N] [--height N] [--theme light|dark]
//   [--section ID] [--whole] [--media print]
// --section: this section alone, high as it is. --whole: the whole page, all sections drawn.
import {resolve} from "node:path";
import {parseArgs} from "node:util";

import {drawAll, launch, open, ready} from "./browser.mjs";

const {
  values,
  positionals: [file, out],
} = parseArgs({
  allowPositionals: true,
  options: {
    width: {type: "string", default: "1280"},
    height: {type: "string", default: "900"},
    theme: {type: "string", default: "light"},
    section: {type: "string"},
    whole: {type: "boolean"},
    media: {type: "string"},
  },
});
const browser = await launch();
try {
  const {page, problems} = await open(browser, resolve(file), {
    width: Number(values.width),
    height: Number(values.height),
    theme: values.theme,
    media: values.media,
  });
  await ready(page);
  if (values.section || values.whole) await drawAll(page);
  if (values.section) {
    // The header stays in view while the page scrolls, and would cover a part of the section.
    await page.evaluate(() => {
      const header = document.querySelector("header");
      if (header) header.style.display = "none";
    });
    const element = await page.$(`[id="${values.section}"]`);
    await element.screenshot({path: out});
  } else {
    await page.screenshot({path: out, fullPage: Boolean(values.whole)});
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length ? 1 : 0;
} finally {
  await browser.close();
}
