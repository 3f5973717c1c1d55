// The texts of a request: the lines of the tooltip and the table of all its stamps.

import {KIND} from "../analysis/segments.js";
import {cut} from "../analysis/error-counts.js";
import {phasesOf} from "../analysis/reading.js";
import {statusName} from "../analysis/status.js";

/** "00:01:02.345", as in the timeline of `vllm bench serve`. */
export function clock(ms) {
  if (!(ms === ms)) return "–";
  const all = Math.round(Math.abs(ms));
  const part = (value, digits) => String(value).padStart(digits, "0");
  return `${ms < 0 && all > 0 ? "-" : ""}${part(Math.floor(all / 3600000), 2)}:${part(Math.floor(all / 60000) % 60, 2)}:` +
    `${part(Math.floor(all / 1000) % 60, 2)}.${part(all % 1000, 3)}`;
}

/** The names of the kinds of segments, in the order of KIND. */
export function kindLabels(limits) {
  return ["pause in the conversation", "client queue (due to start)", "connect and send", "TTFT", "whole answer",
    `ITL < ${limits[0]}ms`, `${limits[0]}ms \u2264 ITL < ${limits[1]}ms`, `ITL \u2265 ${limits[1]}ms`, "failed"];
}

const tokens = (value) => (value < 0 ? "unknown" : String(value));

/**
 * The lines of the tooltip over a segment.
 * @param {{kind: number, from: number, to: number}} segment
 */
export function tipLines(rows, i, segment, labels) {
  const decode = segment.kind >= KIND.low && segment.kind <= KIND.high && rows.gapsOf(i) === null;
  const lines = [`Type: ${decode ? "answer (its gaps are not in the file; parts by their count)" : labels[segment.kind]}`,
    `Start: ${clock(segment.from)}`, `End: ${clock(segment.to)}`,
    `Duration: ${((segment.to - segment.from) / 1000).toFixed(3)}s`,
    `Prompt Tokens: ${tokens(rows.input[i])}`, `Output Tokens: ${tokens(rows.output[i])}`,
    `Request Start Time: ${clock(rows.start[i])}`, `Request End Time: ${clock(rows.end[i])}`];
  if (!rows.ok(i)) lines.push(`Failed: ${statusName(rows.status[i])}${rows.http[i] ? `, HTTP ${rows.http[i]}` : ""}`);
  return lines;
}

/**
 * Pairs of a name and a text: all that is known of a request.
 * @param {object} strings  the texts of the columns
 * @param {import("../ui/index.js").Format} format
 * @returns {[string, string][]}
 */
export function facts(rows, strings, limits, i, format) {
  const text = (list, at) => (at >= 0 ? String(strings[list]?.[at] ?? "") : "");
  const out = [["Number", String(rows.sequence[i])]];
  const add = (name, value) => { if (value !== "") out.push([name, value]); };
  add("Session", text("session", rows.session[i]));
  if (rows.session[i] >= 0) add("Turn", String(rows.turn[i] + 1));
  add("Class", text("class", rows.klass[i]));
  add("Server", text("server", rows.server[i]));
  add("Outcome", statusName(rows.status[i]));
  add("HTTP status", rows.http[i] > 0 ? String(rows.http[i]) : "no answer");
  add("Error", cut(text("error", rows.error[i]), 2000));
  add("Finish reason", text("finish_reason", rows.finish[i]));
  const stamp = (name, at) => {
    if (at !== at) return add(name, "–");
    const after = at - rows.start[i];
    add(name, `${clock(at)}  (start ${after < 0 ? "\u2212" : "+"} ${format.ms(Math.abs(after))})`);
  };
  stamp("Due", rows.due[i]);
  stamp("Start", rows.start[i]);
  stamp("Sent", rows.sent[i]);
  stamp("First byte", rows.firstByte[i]);
  stamp("First token", rows.first[i]);
  stamp("First text", rows.firstText[i]);
  stamp("Last token", rows.last[i]);
  stamp("End", rows.end[i]);
  const of = phasesOf(rows, i);
  add("Client queue", format.ms(of.queue));
  add("Connect and send", format.ms(of.connect));
  add("TTFT", format.ms(rows.ttft[i]));
  add("TPOT", format.ms(rows.tpot[i]));
  add("E2EL", rows.ok(i) ? format.ms(rows.e2el[i]) : "–");
  const gaps = rows.gapCounts.map((counts) => counts[i]);
  if (gaps.some((count) => count > 0)) {
    add("Longest gap", format.ms(rows.longestGap[i]));
    add(`Gaps < ${limits[0]} ms / < ${limits[1]} ms / longer`, gaps.map(format.count).join(" / "));
  }
  add("Input tokens", tokens(rows.input[i]));
  add("Output tokens", tokens(rows.output[i]));
  if (rows.cached[i] >= 0) add("Cached tokens", String(rows.cached[i]));
  if (rows.reasoning[i] >= 0) add("Reasoning tokens", String(rows.reasoning[i]));
  add("Stream events", format.count(rows.events[i]));
  return out;
}
