/* inferbench/draft/batch_engine.h - a draft: an engine that gets all samples of a benchmark in one
 * call, for benchmarks without a server.
 *
 * The promise of docs/plugin-abi.md does not cover this header.  It may change with every release
 * of inferbench, until it becomes a part of abi.h as inferbench.batch-engine/1.  The id below has
 * the number of the draft, so a host never calls a table of another draft.  The
 * commands throughput, latency, startup and mm-processor use it.
 *
 * WHY NOT inferbench.engine/1?  Its submit takes one sample, and the host takes the time when an
 * event arrives.  This is right for traffic that follows a schedule, and an engine may offer both
 * interfaces.  It cannot express a benchmark without a server, where
 *   - one call of the library gets the whole list of samples (generate, chat, beam search), and
 *     cutting the list into calls of one sample would change what is measured;
 *   - the timed section lies between the engine's own objects and its last output, inside of the
 *     engine's process; host and pipe are not a part of it;
 *   - all samples are queued while the scheduler is paused, and a profiler starts and stops within
 *     the timed section;
 *   - construction is a measured call of its own, with the longest sequence, stages of the start
 *     and an environment (fresh cache folders) as its facts;
 *   - one sampling holds for all samples, and an adapter (LoRA) for each.
 * Events of single tokens need no functions of their own: with IFB_BATCH_STAMPS the results have
 * their times.  100,000 samples cross the boundary in one call.
 *
 * Plain C99.  The rules R1 to R10, the units and the tags of abi.h apply.  Every struct may grow
 * (R3), except for the list. The plugin is a backend (IFB_BACKEND) that offers this interface.
 */
#ifndef INFERBENCH_DRAFT_BATCH_ENGINE_H
#define INFERBENCH_DRAFT_BATCH_ENGINE_H

#include <inferbench/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IFB_BATCH_ENGINE "inferbench.batch-engine/1-draft2"

/* The abilities of the engine besides generating from prompts.  The host asks for nothing else. */
enum ifb_batch_engine_flag {
  IFB_BATCH_ENGINE_CHAT = 1,
  IFB_BATCH_ENGINE_BEAM_SEARCH = 2,
  IFB_BATCH_ENGINE_ASYNC = 4,
  IFB_BATCH_ENGINE_PREQUEUE = 8,
  IFB_BATCH_ENGINE_ADAPTERS = 16
};

/* A number that the engine measured itself: the duration of a stage, or a counter.  The names are
 * those of the engine, such as "encoder_forward_secs". */
typedef struct ifb_measure {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_str name;
  ifb_str unit; /* "s" for a duration, "1" for a count */
  double value;
  uint64_t began_ns, ended_ns; /* of a stage with a place in time; 0: not known */
} ifb_measure;

typedef struct ifb_measure_list {
  const ifb_measure* first;
  uint32_t count, stride;
} ifb_measure_list;

/* The engine after load.  Everything that the members point to lives in the instance. */
typedef struct ifb_loaded_engine {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t max_model_len; /* largest sum of prompt and output, or -1 */
  int64_t max_adapters;  /* number of adapters that can be in use at the same time, or -1 */
  /* Duration of the construction of the engine, without the import of libraries. */
  uint64_t load_ns;
  /* Parts of the start: "compilation", "encoder_compilation", and phases with a place in time. */
  ifb_measure_list measures;
  ifb_str profiler;     /* for example "torch"; empty: there is no profiler */
  ifb_str profile_path; /* where the profiler writes its traces */
  ifb_str description;  /* name and version of the engine and of its runtime, or empty */
  /* Largest error of a time that the engine reports, in nanoseconds: the engine has a clock of its
   * own, which is tied to the host's clock.  0: the engine reads the host's clock, or does not know
   * the error. */
  uint64_t clock_bound_ns;
} ifb_loaded_engine;

enum ifb_batch_mode {
  IFB_BATCH_GENERATE = 1, /* from prompts */
  IFB_BATCH_CHAT,         /* from messages, with the chat template of the model */
  IFB_BATCH_BEAM_SEARCH
};

enum ifb_batch_flag {
  /* Submit every sample as a request of its own, all at the same time, and drain their streams. */
  IFB_BATCH_ASYNC = 1,
  /* Pause the scheduler before the clock starts, enqueue all samples, then resume.  The scheduler
   * is resumed even if a sample cannot be enqueued. */
  IFB_BATCH_PREQUEUE = 2,
  /* Start the profiler after the clock has started, and stop it before the clock stops. */
  IFB_BATCH_PROFILE = 4,
  IFB_BATCH_NO_TEXT = 8, /* do not convert the output to text */
  IFB_BATCH_STAMPS = 16  /* the host reads token_ns of the results; otherwise it may be left out */
};

enum ifb_sampling_flag { IFB_SAMPLING_IGNORE_EOS = 1 };

/* The same for all samples of a batch. */
typedef struct ifb_sampling {
  uint32_t struct_size;
  uint32_t flags; /* ifb_sampling_flag */
  uint32_t n;     /* outputs of each sample */
  uint32_t beam_width;
  double temperature, top_p;
  int64_t max_tokens; /* length of each output; -1: output_tokens of the sample */
} ifb_sampling;

/* An adapter (LoRA). */
typedef struct ifb_adapter {
  uint32_t struct_size;
  uint32_t number; /* from 1; the same number means the same adapter */
  ifb_str name, path;
} ifb_adapter;

typedef struct ifb_batch_item {
  uint32_t struct_size;
  uint32_t reserved;
  const ifb_sample* sample;
  const ifb_adapter* adapter; /* NULL: the model itself */
} ifb_batch_item;

typedef struct ifb_batch {
  uint32_t struct_size;
  uint32_t mode;  /* ifb_batch_mode; IFB_E_UNSUPPORTED for an unknown mode */
  uint32_t flags; /* ifb_batch_flag */
  uint32_t reserved;
  const ifb_batch_item* items;
  uint32_t item_count, item_stride;
  const ifb_sampling* sampling;
  /* With IFB_BATCH_ASYNC: the id of a request is this text and the number of the item.  Empty: the
   * engine chooses the ids. */
  ifb_str request_id_prefix;
} ifb_batch;

enum ifb_batch_output_flag { IFB_BATCH_FINISHED = 1 /* the output is complete */ };

typedef struct ifb_batch_output {
  uint32_t struct_size;
  uint32_t flags;        /* ifb_batch_output_flag */
  int64_t tokens;        /* number of generated tokens, or -1 */
  ifb_str text;          /* empty with IFB_BATCH_NO_TEXT */
  ifb_str finish_reason; /* or empty */
} ifb_batch_output;

/* The answer to one sample. */
typedef struct ifb_batch_result {
  uint32_t struct_size;
  ifb_status status; /* IFB_OK, or the reason why the sample has no output */
  ifb_str error;
  int64_t prompt_tokens; /* length of the prompt in the engine's count, or -1 */
  const ifb_batch_output* outputs;
  uint32_t output_count, output_stride;
  /* Times of the host's clock; 0: not known. */
  uint64_t arrived_ns, first_token_ns, last_token_ns;
  /* Stages of this sample; if the engine has several workers, the largest value of each. */
  ifb_measure_list measures;
  /* One time for each event of the engine that brought tokens to an output of this sample, in
   * order; NULL: not known, or not asked for. */
  const uint64_t* token_ns;
  size_t token_count;
} ifb_batch_result;

typedef struct ifb_batch_report {
  uint32_t struct_size;
  uint32_t reserved;
  /* The timed section, on the host's clock.  It begins after the engine has made its own objects
   * for samples and sampling, and ends with the last output. */
  uint64_t began_ns, elapsed_ns;
  const ifb_batch_result* results; /* results[i] belongs to items[i] */
  uint32_t result_count, result_stride;
  ifb_measure_list measures; /* stages of the whole batch */
} ifb_batch_report;

/* Settings of the command that are not options of the plugin. */
typedef struct ifb_engine_setup {
  uint32_t struct_size;
  uint32_t reserved;
  /* A JSON object of engine options by their names with '_', laid over the options of the plugin;
   * or empty. */
  ifb_str options_json;
  /* Variables of the environment of the engine's own process, such as a folder of a cache. */
  const ifb_field* environment;
  size_t environment_count;
} ifb_engine_setup;

/* The order of calls: [configure] -> load -> ([start_profile] -> run -> [stop_profile])* ->
 * destroy.  Warm-ups are calls of run, too.  The engine shows its progress with the host's progress
 * service.  If the plugin also offers inferbench.engine/1, requests of that interface may come
 * after load, instead of runs. */
typedef struct ifb_batch_engine {
  uint32_t struct_size;
  uint32_t flags; /* ifb_batch_engine_flag */
  /* [control] Constructs the engine.  create only checks the options, and imports libraries. */
  ifb_status(IFB_CALL* load)(ifb_instance*, ifb_loaded_engine* out, ifb_error*);
  /* [control] Carries out the batch, and returns when every sample has a result.  The results live
   * in the instance or in the arena, which, like the batch, is borrowed until the host has read
   * them: until the next call of run or destroy.  IFB_OK even if samples have failed. */
  ifb_status(IFB_CALL* run)(ifb_instance*, const ifb_batch*, ifb_arena*, ifb_batch_report* out,
                            ifb_error*);
  /* [any] The run in progress, if any, must return soon, with IFB_E_CANCELLED. */
  void(IFB_CALL* cancel)(ifb_instance*);
  /* [control] Optional: both or neither.  For a profile of a whole run, beside its timed part.  No
   * benchmark calls them today, only `inferbench plugin check`: the flag --profile sets
   * IFB_BATCH_PROFILE. */
  ifb_status(IFB_CALL* start_profile)(ifb_instance*, ifb_error*);
  ifb_status(IFB_CALL* stop_profile)(ifb_instance*, ifb_error*);
  /* [control] Optional.  Called once, before load. */
  ifb_status(IFB_CALL* configure)(ifb_instance*, const ifb_engine_setup*, ifb_error*);
} ifb_batch_engine;

#ifdef __cplusplus
}
#endif
#endif
