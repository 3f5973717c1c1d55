// Runs whose end or middle is missing: cut and damaged journals, and runs that were stopped.

const known = (n) => typeof n === "number" && Number.isFinite(n);
const of = (n, word, count) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

/**
 * What is lost of a damaged journal, in a sentence.
 * @param {{places?: number, bytes_dropped?: number, records_read?: number}} damage
 *     facts.journal_damage
 * @param {(n: number) => string} count  the text of a number
 */
export function damageSentence(damage, count) {
  const {places, bytes_dropped: lost, records_read: read} = damage;
  const parts = [];
  if (known(lost)) parts.push(`${of(lost, "byte", count)} ${lost === 1 ? "is" : "are"} lost`);
  if (known(read)) parts.push(`${of(read, "request", count)} ${read === 1 ? "was" : "were"} read`);
  return `The journal is damaged${known(places) ? ` in ${of(places, "place", count)}` : ""}` +
    `${parts.length > 0 ? `: ${parts.join(", ")}` : ""}.`;
}

/**
 * What is missing of a run, such as "damaged journal: 199 of 400 requests known"; null: nothing.
 * @param {import("../data/model.js").Run} run
 * @param {(n: number) => string} count  the text of a number
 */
export function incompleteness(run, count) {
  const {journal_damage: damage, accounting = {}} = run.facts ?? {};
  const {planned, not_recorded: missing, sent} = accounting;
  if (damage || missing > 0) {
    const what = damage ? "damaged journal" : "cut journal";
    if (known(planned)) {
      const there = count(planned - (known(missing) ? missing : 0));
      return `${what}: ${there} of ${of(planned, "request", count)} known`;
    }
    return known(damage?.records_read)
      ? `${what}: ${of(damage.records_read, "request", count)} known` : what;
  }
  if (!run.interrupted) return null;
  return known(sent) && known(planned)
    ? `stopped before its end: ${count(sent)} of ${of(planned, "request", count)} sent`
    : "stopped before its end";
}
