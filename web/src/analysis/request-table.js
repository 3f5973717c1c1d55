// A request as a row of a table, of CSV and of JSON.
import {statusName} from "./status.js";

/** The columns in the order of CSV. Times are ms from the start of the run, durations ms. */
export const requestColumns = [
  {name: "sequence", label: "#", shown: true, help: "Place in the schedule"},
  {
    name: "due_ms",
    label: "due",
    unit: "ms",
    help: "When the schedule wanted the request, from the start of the run",
  },
  {name: "start_ms", label: "start", unit: "ms", shown: true, help: "From the start of the run"},
  {name: "sent_ms", label: "sent", unit: "ms"},
  {name: "first_byte_ms", label: "first byte", unit: "ms"},
  {name: "first_token_ms", label: "first token", unit: "ms"},
  {name: "first_text_ms", label: "first text", unit: "ms"},
  {name: "last_token_ms", label: "last token", unit: "ms"},
  {name: "end_ms", label: "end", unit: "ms"},
  {name: "ttft_ms", label: "TTFT", unit: "ms", shown: true, help: "Time to first token"},
  {
    name: "tpot_ms",
    label: "TPOT",
    unit: "ms",
    shown: true,
    help: "Time per output token without the first",
  },
  {name: "e2el_ms", label: "E2EL", unit: "ms", shown: true, help: "End-to-end latency"},
  {
    name: "longest_gap_ms",
    label: "longest gap",
    unit: "ms",
    shown: true,
    help: "Longest time between two tokens",
  },
  {name: "input_tokens", label: "input", shown: true, help: "Input tokens"},
  {name: "output_tokens", label: "output", shown: true, help: "Output tokens"},
  {
    name: "cached_tokens",
    label: "cached",
    shown: true,
    help: "Input tokens from the server's prefix cache",
  },
  {name: "reasoning_tokens", label: "reasoning"},
  {name: "events", label: "events"},
  {name: "status", label: "status", shown: true, text: true},
  {name: "http_status", label: "HTTP", shown: true},
  {name: "session", label: "session", shown: true, text: true},
  {name: "turn", label: "turn"},
  {name: "server", label: "server", text: true},
  {name: "class", label: "class", shown: true, text: true},
  {name: "finish_reason", label: "finish", shown: true, text: true},
  {name: "error", label: "error", shown: true, text: true},
];

const time = (value) => (Number.isNaN(value) ? null : value);
const whole = (value) => (value < 0 ? null : value);

/** @returns an object with a member for each column; null: unknown */
export function requestRow(run, i) {
  const {rows, strings} = run;
  const text = (list, index) => (index < 0 ? null : (list[index] ?? null));
  return {
    sequence: rows.sequence[i],
    due_ms: time(rows.due[i]),
    start_ms: time(rows.start[i]),
    sent_ms: time(rows.sent[i]),
    first_byte_ms: time(rows.firstByte[i]),
    first_token_ms: time(rows.first[i]),
    first_text_ms: time(rows.firstText[i]),
    last_token_ms: time(rows.last[i]),
    end_ms: time(rows.end[i]),
    ttft_ms: time(rows.ttft[i]),
    tpot_ms: time(rows.tpot[i]),
    e2el_ms: rows.ok(i) ? time(rows.e2el[i]) : null,
    longest_gap_ms: rows.events[i] > 1 ? time(rows.longestGap[i]) : null,
    input_tokens: whole(rows.input[i]),
    output_tokens: whole(rows.output[i]),
    cached_tokens: whole(rows.cached[i]),
    reasoning_tokens: whole(rows.reasoning[i]),
    events: rows.events[i],
    status: statusName(rows.status[i]),
    http_status: rows.http[i] || null,
    session: text(strings.session, rows.session[i]),
    turn: rows.turn[i],
    server: text(strings.server, rows.server[i]),
    class: text(strings.class, rows.klass[i]),
    finish_reason: text(strings.finish_reason, rows.finish[i]),
    error: text(strings.error, rows.error[i]),
  };
}
