// Synthetic runs for tests and screenshots: an open-loop load on a server with a queue, chunked
// prefill, batching that slows decoding down, stalls, errors and conversations. Deterministic.

/** A generator of pseudo-random numbers in [0, 1): mulberry32. */
export function randomness(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Linear interpolation between the neighbouring values, as numpy does by default. */
export function percentile(sorted, p) {
  if (sorted.length === 0) return null;
  const at = ((sorted.length - 1) * p) / 100;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

const hostile = [
  "</script><script>window.hacked=1</script>",
  '<img src=x onerror="window.hacked=1">',
  "{{data}} ${window.hacked=1} `'\"\\",
  '=HYPERLINK("http://evil.example","x")',
  "\u202eright to left\u0000\u2028\u2029 \ud83d\udca5",
];

const errorTexts = [
  [
    503,
    -5,
    'HTTP 503 Service Unavailable: {"error":{"message":"the queue is full","type":"overloaded"}}',
  ],
  [0, -6, "no byte came within 10 s (--first-byte-timeout)"],
  [200, -4, "the connection ended inside the body"],
  [400, -5, 'HTTP 400 Bad Request: {"error":{"message":"maximum context length is 8192 tokens"}}'],
];

/**
 * @param {object} o
 * @param {number} o.requests
 * @param {number} [o.seed]
 * @param {number} [o.rate]  Requests per second.
 * @param {number} [o.output]  Mean number of output tokens.
 * @param {number} [o.errors]  Share of failures, 1: all failed.
 * @param {boolean} [o.tokens]  false: no token times, as with pooling.
 * @param {number} [o.sessions]  Number of conversations, 0: none.
 * @param {boolean} [o.hostile]  Texts of a malicious server.
 * @param {boolean} [o.clientLimited]  The client delays sending in the middle third.
 * @param {number} [o.slowdown]  Factor of all server times.
 * @returns rows in the order of the schedule, with times in microseconds and gaps.
 */
export function makeRows(o) {
  const random = randomness(o.seed ?? 1);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const lognormal = (median, sigma) => median * Math.exp(sigma * normal());
  const rate = o.rate ?? 25;
  const slow = o.slowdown ?? 1;
  const strings = {
    session: [],
    error: [],
    finish_reason: ["stop", "length"],
    class: ["lora-a", "lora-b", "base"],
    server: ["http://10.0.0.1:8000", "http://10.0.0.2:8000"],
  };
  for (let i = 0; i < (o.sessions ?? 0); ++i)
    strings.session.push(o.hostile && i < hostile.length ? hostile[i] : `session-${i}`);
  if (o.hostile) strings.class[0] = hostile[0];
  const errors = o.hostile ? hostile.map((text, i) => [i % 2 ? 500 : 0, -4, text]) : errorTexts;
  const turns = new Map();
  const ends = []; // a sorted sample of the ends of running requests
  const rows = [];
  let clock = 0;
  const expected = o.requests / rate;
  for (let i = 0; i < o.requests; ++i) {
    clock += (-Math.log(1 - random()) / rate) * 1e6;
    const due = clock;
    while (ends.length && ends[0] < due) ends.shift();
    const load = ends.length;
    const limited = o.clientLimited && clock > (expected * 1e6) / 3 && clock < (expected * 2e6) / 3;
    const start = Math.round(due + lognormal(30, 0.6) + (limited ? lognormal(9000, 0.5) : 0));
    const input = Math.max(1, Math.round(lognormal(600, 0.9)));
    const cached = random() < 0.4 ? Math.floor((input * random() * 0.9) / 16) * 16 : 0;
    const output = Math.max(1, Math.round(lognormal(o.output ?? 128, 0.5)));
    const session = o.sessions ? Math.floor(random() * o.sessions) : -1;
    const turn = session < 0 ? 0 : (turns.get(session) ?? 0);
    if (session >= 0) turns.set(session, turn + 1);
    const row = {
      sequence: i,
      start,
      due: start - Math.round(due),
      input,
      turn,
      events: 0,
      status: 0,
      http: 200,
      session: session + 1,
      server: 1 + (i % 2),
      class: 1 + Math.floor(random() * 3),
      error: 0,
      finish_reason: 0,
      longest_gap: 0,
      gaps_low: 0,
      gaps_mid: 0,
      gaps_high: 0,
      gaps: [],
      sent: Math.round(lognormal(25, 0.4) + (limited ? lognormal(2000, 0.4) : 0)),
    };
    rows.push(row);
    if (random() < (o.errors ?? 0.01)) {
      const kind = Math.floor(random() * errors.length);
      const [http, status, text] = errors[kind];
      let at = strings.error.indexOf(text);
      if (at < 0) at = strings.error.push(text) - 1;
      Object.assign(row, {
        http,
        status: -status,
        error: at + 1,
        output: null,
        cached: null,
        end: Math.round(status === -6 ? 1e7 : lognormal(4000, 0.6)),
      });
      if (http) row.first_byte = Math.round(row.end * 0.9);
      if (status === -4) ((row.first = row.end - 100), (row.last = row.end - 50), (row.events = 2));
      continue;
    }
    // Queue and prefill grow with the load and the prompt; every 97th request stalls once.
    const prefill = slow * ((input - cached) * 45 + 12000) * (1 + load / 120);
    const first = Math.round(row.sent + lognormal(prefill, 0.15) + (random() < 0.004 ? 9e5 : 0));
    row.first_byte = first - 40;
    row.cached = cached;
    row.output = output;
    if (random() < 0.1) row.reasoning = Math.floor(output * random() * 0.6);
    row.finish_reason = random() < 0.7 ? 1 : 2;
    if (o.tokens === false) {
      Object.assign(row, {end: first, output: null});
    } else {
      row.first = first;
      row.first_text = first + (random() < 0.1 ? 900 : 0);
      row.events = output;
      let last = first;
      const step = slow * 9000 * (1 + load / 90);
      for (let k = 1; k < output; ++k) {
        let gap = Math.round(lognormal(step, 0.06));
        if (random() < 0.003) gap += Math.round(lognormal(30000, 0.5));
        if (i % 97 === 3 && k === 7) gap += 350000;
        row.gaps.push(gap);
        last += gap;
        if (gap > row.longest_gap) row.longest_gap = gap;
        if (gap < 25000) ++row.gaps_low;
        else if (gap < 50000) ++row.gaps_mid;
        else ++row.gaps_high;
      }
      row.last = last;
      row.end = last + 60;
    }
    const end = start + row.end;
    let low = 0,
      high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] < end) low = middle + 1;
      else high = middle;
    }
    ends.splice(low, 0, end);
    if (ends.length > 4000) ends.pop();
  }
  return {rows, strings};
}
