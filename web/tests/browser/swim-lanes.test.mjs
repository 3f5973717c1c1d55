// The swim lanes in a browser: zoom, search, order, selection, keyboard, downloads, the timeline page.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {findChromium, launch} from "../browser.mjs";
import {click, drawSection, openReport, textOf} from "../sections.mjs";

const skip = findChromium() ? false : "Chromium is not installed";
let browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const lanesOf = async (options, how) => {
  const opened = await openReport(browser, options, how);
  await drawSection(opened.page, "swim-lanes");
  return opened;
};
const search = async (page, text) => {
  await page.$eval(".lanes-query", (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input"));
  }, text);
  await frame(page);
};
const facts = (page) => page.$$eval(".lanes-facts div", (all) =>
  Object.fromEntries(all.map((each) => [each.querySelector("dt").textContent, each.querySelector("dd").textContent])));
/** The number of pixels of the canvas with a colour. */
const pixels = (page, colour) => page.$eval(".lanes-canvas", (canvas, wanted) => {
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === wanted[0] && data[at + 1] === wanted[1] && data[at + 2] === wanted[2]) ++count;
  return count;
}, colour);
const prefill = [0x63, 0x6e, 0xfa], low = [0x10, 0x96, 0x18];

test("requests are drawn in upstream's colours, and the sentence names the slowest", {skip}, async () => {
  const {page, problems} = await lanesOf({requests: 60});
  assert.ok(await pixels(page, prefill) > 100);
  assert.ok(await pixels(page, low) > 100);
  assert.match(await textOf(page, "#swim-lanes .note"), /^The slowest request, number \d+, .*The median request took /);
  await click(page, "swim-lanes", "Show it");
  await frame(page);
  const said = /number (\d+)/.exec(await textOf(page, "#swim-lanes .note"))[1];
  assert.equal((await facts(page)).Number, said);
  assert.deepEqual(problems, []);
  await page.close();
});

test("a kind is switched off in the legend", {skip}, async () => {
  const {page} = await lanesOf({requests: 60});
  await page.$$eval(".lanes-legend label", (all) => all.find((label) => label.textContent.includes("TTFT")).querySelector("input").click());
  await frame(page);
  assert.ok(await pixels(page, prefill) < 20);
  assert.ok(await pixels(page, low) > 100);
  await page.close();
});

test("search shows the matching requests, and next selects them", {skip}, async () => {
  const {page} = await lanesOf({requests: 400, errors: 0.1});
  await search(page, "failed");
  const count = Number(/^(\d+) of 400/.exec(await textOf(page, ".lanes-found"))[1]);
  assert.ok(count > 10 && count < 100);
  await click(page, "swim-lanes", "next");
  assert.notEqual((await facts(page)).Outcome, "ok");
  await search(page, "no such text");
  assert.match(await textOf(page, ".lanes-found"), /^0 of 400/);
  assert.ok(await pixels(page, low) < 20, "the legend is not on the canvas");
  await search(page, "");
  assert.equal(await textOf(page, ".lanes-found"), "");
  await page.close();
});

test("wheel, buttons and keys zoom, and the charts of the page follow", {skip}, async () => {
  const {page} = await lanesOf({requests: 200});
  const range = () => page.evaluate(() => window.inferbench.timeRange.get());
  assert.equal(await range(), null);
  await click(page, "swim-lanes", "zoom in");
  const [a, b] = await range();
  await page.$eval(".lanes-canvas", (canvas) => canvas.dispatchEvent(new WheelEvent("wheel",
    {deltaY: -100, ctrlKey: true, clientX: 600, bubbles: true, cancelable: true})));
  const [c, d] = await range();
  assert.ok(Math.abs((d - c) / (b - a) - 0.8) < 1e-6);
  await page.focus(".lanes-scroll");
  await page.keyboard.press("ArrowRight");
  assert.ok((await range())[0] > c);
  await page.keyboard.press("0");
  assert.equal(await range(), null);
  await page.close();
});

test("a plain wheel scrolls the page or the lanes and does not zoom", {skip}, async () => {
  const {page} = await lanesOf({requests: 50});
  const prevented = await page.$eval(".lanes-canvas", (canvas) => {
    const event = new WheelEvent("wheel", {deltaY: 100, bubbles: true, cancelable: true});
    canvas.dispatchEvent(event);
    return event.defaultPrevented;
  });
  assert.equal(prevented, false);
  await page.close();
});

test("dragging moves the time, and a click selects the request under it", {skip}, async () => {
  const {page} = await lanesOf({requests: 30});
  const box = await (await page.$(".lanes-canvas")).boundingBox();
  await page.mouse.move(box.x + 500, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 100, {steps: 4});
  await page.mouse.up();
  const [from] = await page.evaluate(() => window.inferbench.timeRange.get());
  assert.ok(from > 0);
  assert.equal((await page.$$(".lanes-facts")).length, 0, "a drag is no click");
  await page.focus(".lanes-scroll");
  await page.keyboard.press("0");
  await frame(page);
  for (let x = 130; x < 700 && (await page.$$(".lanes-facts")).length === 0; x += 20) await page.mouse.click(box.x + x, box.y + 8);
  assert.equal((await page.$$(".lanes-facts")).length, 1);
  await page.keyboard.press("Escape");
  await page.close();
});

test("the arrow keys choose requests, with their stamps for a screen reader", {skip}, async () => {
  const {page} = await lanesOf({requests: 30, errors: 0});
  await page.focus(".lanes-scroll");
  await page.keyboard.press("ArrowDown");
  const first = await facts(page);
  for (const name of ["Due", "Start", "Sent", "First byte", "First token", "Last token", "End", "TTFT", "TPOT", "E2EL", "Longest gap"])
    assert.ok(first[name], name);
  await page.keyboard.press("ArrowDown");
  assert.notEqual((await facts(page)).Number, first.Number);
  await page.keyboard.press("ArrowUp");
  assert.equal((await facts(page)).Number, first.Number);
  await page.close();
});

test("the order by TTFT has the largest first, and that by gap another", {skip}, async () => {
  const {page} = await lanesOf({requests: 150, errors: 0});
  const first = async (order) => {
    await page.$eval("#swim-lanes select", (select, value) => {
      select.value = value;
      select.dispatchEvent(new Event("change"));
    }, order);
    await page.focus(".lanes-scroll");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    return facts(page);
  };
  const number = (text) => Number.parseFloat(text.replace(",", "")) * (/ s$/.test(text) ? 1000 : 1);
  const byTtft = await first("ttft");
  await click(page, "swim-lanes", "TTFT");
  assert.equal((await facts(page)).Number, byTtft.Number);
  assert.ok(number((await first("gap"))["Longest gap"]) >= number(byTtft["Longest gap"]));
  await page.close();
});

test("conversations share a lane, and their pauses are in the legend", {skip}, async () => {
  const {page} = await lanesOf({requests: 100, sessions: 8});
  assert.match(await textOf(page, ".lanes-legend"), /pause in the conversation/);
  await search(page, "session:session-3");
  const count = Number(/^(\d+) of/.exec(await textOf(page, ".lanes-found"))[1]);
  assert.ok(count > 1 && count < 40);
  await page.close();
});

test("hostile texts stay texts", {skip}, async () => {
  const {page, problems} = await lanesOf({requests: 80, sessions: 10, errors: 0.2, hostile: true});
  await search(page, "failed");
  for (let k = 0; k < 5; ++k) await click(page, "swim-lanes", "next");
  await search(page, "<img");
  await click(page, "swim-lanes", "next");
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.$$eval("#swim-lanes img, #swim-lanes script, #swim-lanes svg", (all) => all.length), 0);
  assert.deepEqual(problems, []);
  await page.close();
});

test("0 and 1 requests, failures alone, and answers that come whole are drawn", {skip}, async () => {
  for (const options of [{requests: 0}, {requests: 1}, {requests: 40, errors: 1}, {requests: 40, tokens: false}]) {
    const {page, problems} = await lanesOf(options);
    assert.equal(await page.$$eval("#swim-lanes .note.bad", (all) => all.length), 0);
    assert.deepEqual(problems, [], JSON.stringify(options));
    await page.close();
  }
});

test("PNG, SVG and CSV are downloaded", {skip}, async () => {
  const {page} = await lanesOf({requests: 40});
  await page.evaluate(() => {
    window.saved = [];
    URL.createObjectURL = (blob) => {
      window.saved.push(blob);
      return "#";
    };
  });
  for (const name of ["PNG", "SVG", "CSV"]) {
    await click(page, "swim-lanes", name);
    await page.waitForFunction((type) => window.saved.some((blob) => blob.type.includes(type)), {}, name.toLowerCase());
  }
  const csv = await page.evaluate(() => window.saved.find((blob) => blob.type.includes("csv")).text());
  assert.equal(csv.trim().split(/\r?\n/).length, 41);
  await page.close();
});

test("the timeline page has the lanes alone, with a row for each request", {skip}, async () => {
  const {page, problems} = await openReport(browser, {requests: 120}, {template: "timeline"});
  await frame(page);
  assert.ok(await pixels(page, prefill) > 100);
  for (const name of ["zoom in", "zoom out", "taller rows", "flatter rows", "show all"])
    assert.ok(await page.$$eval("button", (all, text) => all.some((button) => button.textContent === text), name), name);
  const labels = await textOf(page, ".lanes-legend");
  for (const label of ["TTFT", "ITL < 25ms", "25ms ≤ ITL < 50ms", "ITL ≥ 50ms"]) assert.ok(labels.includes(label), label);
  assert.deepEqual(problems, []);
  await page.close();
});
