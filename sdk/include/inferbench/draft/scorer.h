/* inferbench/draft/scorer.h - a draft: a plugin that says how right the answer to a request is.
 *
 * The promise of docs/plugin-abi.md does not cover this header.  It may change with every release
 * of inferbench, until it becomes a part of abi.h as inferbench.scorer/1.  The id below has the
 * number of the draft, so a host never calls a table of another draft.  A host that does not know
 * the kind ignores the plugin.
 *
 * A scorer sees a request after its end and before the metrics, on a thread of its own, so it costs
 * no time of a measurement.  The host adds the score to the attributes of the record
 * (IFB_SCORE_ATTRIBUTE and IFB_SCORE_REASON_ATTRIBUTE), from where journal and reporters have it,
 * and the summary of all scores to the facts of the run (docs/scorers.md).
 *
 * Plain C99.  The rules R1 to R10 and the tags of abi.h apply.
 */
#ifndef INFERBENCH_DRAFT_SCORER_H
#define INFERBENCH_DRAFT_SCORER_H

#include <inferbench/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IFB_SCORER 5 /* ifb_kind; its general options: none */

#define IFB_SCORER_OPS "inferbench.scorer/1-draft1"

/* A dataset tells a scorer what is right by the metadata of its samples, which the record has as
 * attributes.  The names that the scorers of this program read: */
#define IFB_EXPECTED "expected"                  /* the right answer, a text */
#define IFB_STRUCTURE "structured.type"          /* json, regex, choice or grammar */
#define IFB_STRUCTURE_SCHEMA "structured.schema" /* a JSON schema, a pattern, a JSON array of */
                                                 /* texts, or a grammar */
#define IFB_STRUCTURED "structured.constrained"  /* "true": the request asks the server for */
                                                 /* this structure; "false": it does not */
#define IFB_TOOLS "tools"                        /* a JSON array of OpenAI tool definitions */
/* The attribute that a backend reports for an answer with tool calls: a JSON array of objects with
 * "name" and "arguments", which is the text that the server sent. */
#define IFB_TOOL_CALLS "tool_calls"

/* The attributes that the host adds. */
#define IFB_SCORE_ATTRIBUTE "score"               /* the value: "1", "0", "0.5" */
#define IFB_SCORE_REASON_ATTRIBUTE "score.reason" /* not there if the reason is empty */

typedef struct ifb_score {
  uint32_t struct_size;
  uint32_t reserved;
  double value; /* from 0, wrong, to 1, right */
  /* Why the value is not 1: a few words, the same for the same fault, such as "no JSON"; the host
   * counts the reasons.  Or empty. */
  ifb_str reason;
} ifb_score;

typedef struct ifb_scorer {
  uint32_t struct_size;
  uint32_t reserved;
  /* [control] Scores one request that succeeded; the records come in the order of completion.
   * IFB_SKIP: the answer has no score, because nothing says what is right.  Any other error ends
   * the scorer: the host calls it no more, later answers have no score, and the exit status of the
   * run shows it.  Views in *out point into the arena or into the instance, where they stay until
   * the next call.  The call must end: a scorer bounds its own work. */
  ifb_status(IFB_CALL* score)(ifb_instance*, const ifb_record*, ifb_arena*, ifb_score* out,
                              ifb_error*);
} ifb_scorer;

#ifdef __cplusplus
}
#endif
#endif
