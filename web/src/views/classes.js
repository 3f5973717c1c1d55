// Groups of requests side by side: LoRA or tenant, turn, session, outcome, server.

import {DIMENSIONS, fairness, fewestOf, groupFigures, usefulDimensions} from "../analysis/groups.js";
import {reasonWithoutRows} from "../analysis/no-rows.js";
import {sampleText} from "../analysis/sample.js";

const mostSessions = 200;

/** A group with fewer successful requests is not compared: its median is known too badly. */
const fewToCompare = 20;

/**
 * What the groups say: the fastest against the slowest, and how even they are. A group is named only
 * if the interval of its median overlaps that of no other group.
 */
export function readingOf(groups, format) {
  const served = groups.filter((group) => group.counts[2] > 0);
  if (served.length < 2) return "";
  const {index, n} = fairness(served.map((group) => group.speed));
  const even = index === index
    ? ` Jain's fairness index of their speed is ${index.toFixed(3)} (n = ${format.count(n)} groups; 1 is even, ${format.number(1 / n)} the least).` : "";
  const compared = served.filter((group) => group.counts[2] >= fewToCompare);
  if (compared.length < 2) {
    return `Fewer than two groups have ${fewToCompare} successful requests, too few to say which group is the slowest.${even}`;
  }
  const without = served.length - compared.length;
  const left = without > 0 ? ` ${format.count(without)} ${without === 1 ? "group" : "groups"} with fewer than ` +
    `${fewToCompare} successful requests ${without === 1 ? "is" : "are"} not compared.` : "";
  const byMedian = [...compared].sort((a, b) => a.e2el[0] - b.e2el[0]);
  const fast = byMedian[0];
  const slow = byMedian.at(-1);
  if (slow.e2el[0] === fast.e2el[0]) {
    return `All ${without > 0 ? "compared " : ""}groups have the same median E2EL, ${format.ms(fast.e2el[0])}.${left}${even}`;
  }
  const range = `The median E2EL of the groups goes from ${format.ms(fast.e2el[0])} (n = ${format.count(fast.counts[2])}) to ` +
    `${format.ms(slow.e2el[0])} (n = ${format.count(slow.counts[2])}); the 95 % intervals of these two medians`;
  if (slow.medianE2el[0] <= fast.medianE2el[1]) return `${range} overlap, so chance may explain the difference.${left}${even}`;
  const told = [];
  if (compared.every((group) => group === slow || group.medianE2el[1] < slow.medianE2el[0]))
    told.push(`“${slow.name}” is the slowest group with a median E2EL of ${format.ms(slow.e2el[0])} (n = ${format.count(slow.counts[2])})`);
  if (compared.every((group) => group === fast || group.medianE2el[0] > fast.medianE2el[1]))
    told.push(`“${fast.name}” is the fastest group with a median E2EL of ${format.ms(fast.e2el[0])} (n = ${format.count(fast.counts[2])})`);
  if (told.length === 0) return `${range} do not overlap, but those of neighbouring groups do, so no group is named.${left}${even}`;
  return `${told.join(", ")}.${left}${even}`;
}

function columnsOf(label, anyTtft, format) {
  const figure = (key, name, at, percent) => ({key: `${key}${percent}`, label: `${name} P${percent}`, unit: "ms",
    value: (group) => group[key][at], format: format.number, help: `Of the successful requests; – with fewer than ${fewestOf(percent)} of them`});
  const all = (key, name) => [50, 90, 99].map((percent, at) => figure(key, name, at, percent));
  return [
    {key: "name", label, text: true, wide: true},
    {key: "n", label: "n", format: format.count, help: "Requests"},
    {key: "failed", label: "failed", format: format.count},
    {key: "errors", label: "share of errors", format: format.percent},
    ...(anyTtft ? [...all("ttft", "TTFT"), ...all("tpot", "TPOT")] : []),
    ...all("e2el", "E2EL"),
    {key: "speed", label: anyTtft ? "speed" : "rate", unit: anyTtft ? "token/s" : "1/s", format: format.number,
      help: "Output tokens (without tokens: requests) divided by the sum of E2EL: what a request of the group gets"},
  ];
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "classes",
  title: "Groups of requests",
  question: "Were all groups of requests served alike?",
  available: (report, run) => (run.count > 0 ? true : reasonWithoutRows(run)),
  draw(element, report, ui) {
    const {rows, strings} = ui.run();
    const {format} = ui;
    const useful = usefulDimensions(rows);
    if (useful.length === 0) {
      ui.note(element, "The requests do not differ in class, turn, session, outcome or server, so there are no groups to compare.");
      return;
    }
    const sample = sampleText(ui.run(), format.count);
    if (sample !== "") ui.note(element, sample, "warn");
    const reading = ui.note(element, "");
    const place = ui.el("div");
    const show = (name) => {
      const dimension = DIMENSIONS[name];
      const groups = groupFigures(rows, strings, dimension, name === "session" ? mostSessions : Infinity);
      reading.textContent = readingOf(groups, format) ||
        (groups.length > 1 ? "Only one of the groups has successful requests." : "");
      place.replaceChildren();
      const anyTtft = groups.some((group) => group.counts[0] > 0);
      ui.table(place, {
        caption: `Requests by ${dimension.label}`, columns: columnsOf(dimension.label, anyTtft, format), rows: groups,
        rowClass: (group) => (group.errors > 0.01 ? "warn" : ""), pageSize: 20,
      });
      if (name === "session") ui.note(place, `At most the ${mostSessions} largest sessions are listed. A percentile of too few requests is not shown.`);
    };
    ui.choice(element, "group by", useful.map((value) => ({value, label: DIMENSIONS[value].label})), useful[0], show);
    element.append(place);
    show(useful[0]);
  },
};
