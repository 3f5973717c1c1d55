#include "sweep/sweep_flag_table.hpp"

#include <array>

namespace inferbench::sweep {

namespace {

constexpr unsigned of_server = bit_of(kind::serve) | bit_of(kind::workload) | bit_of(kind::sla);
constexpr unsigned in_startup = bit_of(kind::startup);
constexpr unsigned in_every = of_server | in_startup;

constexpr std::array sweep_flag_table{
    sweep_flag{"startup-cmd", 0, takes::text, "COMMAND", in_startup,
               "Command that measures starts and takes the options of \"vllm bench startup\"; "
               "split like a shell does, but no shell is run (default: inferbench startup)"},
    sweep_flag{"serve-cmd", 0, takes::text, "COMMAND", of_server,
               "Command that starts the server, such as \"vllm serve MODEL\"; split like a shell "
               "does, but no shell is run (required)"},
    sweep_flag{
        "bench-cmd", 0, takes::text, "COMMAND", of_server,
        "Command that measures the server, such as \"inferbench serve --model MODEL\" (required)"},
    sweep_flag{"after-bench-cmd", 0, takes::text, "COMMAND", of_server,
               "Command to run after each benchmark in place of the reset of the server's caches"},
    sweep_flag{"show-stdout", 0, takes::nothing, nullptr, of_server,
               "Show the standard output of servers and benchmarks"},
    sweep_flag{"show-stdout", 0, takes::nothing, nullptr, in_startup,
               "Show the standard output of the start-up benchmark"},
    sweep_flag{"server-ready-timeout", 0, takes::text, "SECONDS", of_server,
               "Time that a server has until it is ready (default 300)"},
    sweep_flag{"serve-params", 0, takes::text, "FILE", of_server,
               "JSON file with combinations of parameters for the server: [{\"max_num_seqs\": 16}, "
               "...] or {\"small\": {\"max_num_seqs\": 16}, ...} (default: one combination without "
               "parameters)"},
    sweep_flag{"serve-params", 0, takes::text, "FILE", in_startup,
               "JSON file with combinations of parameters for a server, such as that of sweep "
               "serve; the parameters that the start-up benchmark has are applied (default: one "
               "combination without parameters)"},
    sweep_flag{"startup-params", 0, takes::text, "FILE", in_startup,
               "JSON file with combinations of parameters for the start-up benchmark"},
    sweep_flag{
        "strict-params", 0, takes::nothing, nullptr, in_startup,
        "Refuse a parameter that the start-up benchmark does not have, instead of leaving it out"},
    sweep_flag{"link-vars", 0, takes::text, "S=B,...", of_server,
               "Run only combinations in which the server's parameter S equals the benchmark's "
               "parameter B"},
    sweep_flag{"bench-params", 0, takes::text, "FILE", of_server,
               "JSON file with combinations of parameters for the benchmark"},
    sweep_flag{"output-dir", 'o', takes::text, "FOLDER", in_every,
               "Folder of experiments (default results)"},
    sweep_flag{"experiment-name", 'e', takes::text, "NAME", in_every,
               "Folder of this experiment in the folder of experiments (default: the local time of "
               "the start as YYYYMMDD_HHMMSS)"},
    sweep_flag{"num-runs", 0, takes::text, "N", of_server, "Runs of each combination (default 3)"},
    sweep_flag{"num-runs", 0, takes::text, "N", in_startup, "Runs of each combination (default 1)"},
    sweep_flag{"dry-run", 0, takes::nothing, nullptr, in_every,
               "Print the commands, and run none of them"},
    sweep_flag{"resume", 0, takes::optional_text, "[NAME]", in_every,
               "Continue an experiment: finished runs are not repeated. --resume NAME is --resume "
               "--experiment-name NAME"},
    sweep_flag{"workload-var", 0, takes::text, "NAME", bit_of(kind::workload),
               "Variable that changes from level to level: request_rate or max_concurrency "
               "(default request_rate)"},
    sweep_flag{"workload-iters", 0, takes::text, "N", bit_of(kind::workload),
               "Number of levels, with the serial and the batch level (default 10)"},
    sweep_flag{"sla-params", 0, takes::text, "FILE", bit_of(kind::sla),
               "JSON file with sets of criteria: [{\"p99_ttft_ms\": \"<=300\", "
               "\"request_throughput\": \">=5\"}, ...] (required)"},
    sweep_flag{"sla-variable", 0, takes::text, "NAME", bit_of(kind::sla),
               "Variable whose largest value is looked for: request_rate or max_concurrency "
               "(default request_rate)"},
    sweep_flag{"sla-search", 0, takes::text, "NAME", bit_of(kind::sla),
               "spline: interpolate the criteria over the levels; binary: double the level, then "
               "halve the range; certified: the search of inferbench find, with a known error rate "
               "(default spline)"},
    sweep_flag{"sla-between", 0, takes::two_texts, "LO HI", bit_of(kind::sla),
               "certified: the smallest and the largest load of the search (required)"},
    sweep_flag{"sla-max-requests", 0, takes::text, "N", bit_of(kind::sla),
               "certified: a run of the search sends at most N requests (default: that of "
               "inferbench find)"},
    sweep_flag{"sla-max-time", 0, takes::text, "TIME", bit_of(kind::sla),
               "certified: the requests of a run are judged for at most this time, such as 5m "
               "(default: that of inferbench find)"},
    sweep_flag{"sla-max-probes", 0, takes::text, "N", bit_of(kind::sla),
               "certified: the search makes at most N runs (default: that of inferbench find)"},
    sweep_flag{"warmup-num-prompts", 0, takes::text, "N", of_server,
               "Run each combination once with N prompts before it is measured; 0: no such run "
               "(default 0)"},
    sweep_flag{"continue-on-error", 0, takes::nothing, nullptr, in_every,
               "Go on after a benchmark that fails, and describe the failure in a file"},
    sweep_flag{"reporter", 0, takes::text, "NAME[=FILE]",
               bit_of(kind::serve) | bit_of(kind::workload) | in_startup,
               "Give all runs to this reporter at the end; may be given several times"},
    sweep_flag{
        "reporter", 0, takes::text, "NAME[=FILE]", bit_of(kind::sla),
        "Give all runs to this reporter at the end, or with the certified search the runs of "
        "each search; may be given several times"},
    sweep_flag{"help", 'h', takes::nothing, nullptr, in_every, "Show this text"},
    sweep_flag{"config", 0, takes::text, "FILE", in_every, nullptr},
};

}  // namespace

std::span<const sweep_flag> all_sweep_flags() { return sweep_flag_table; }

}  // namespace inferbench::sweep
