#include "config/key_table.hpp"
#include "config/upstream.hpp"

namespace inferbench::config {

void result_keys(key_table& t) {
  t.group("result");
  t.add(switched("run", "save-result", "save-result", "Write the result to a JSON file"));
  t.add(switched("run", "save-detailed", "save-detailed",
                 "Keep the figures of each request in the result"));
  t.add(switched("run", "append-result", "append-result",
                 "Append to the result file; implies --save-result"));
  t.add({.table = "run",
         .name = "result-dir",
         .flag = "result-dir",
         .type = IFB_PATH,
         .help = "Folder of the result; made if missing",
         .value_name = "PATH"});
  t.add({.table = "run",
         .name = "result-filename",
         .flag = "result-filename",
         .type = IFB_PATH,
         .help = "Name of the result file instead of the generated one",
         .value_name = "PATH"});
  t.add({.table = "run",
         .name = "metadata",
         .flag = "metadata",
         .type = IFB_STRINGS,
         .help = "Texts to add to the result",
         .shape = options::form::pairs,
         .takes = options::arity::any});
  t.add({.table = "run",
         .name = "label",
         .flag = "label",
         .help = "Beginning of the result's file name; if not given, the backend",
         .value_name = "TEXT"});
  t.add({.table = "run",
         .name = "journal",
         .flag = "journal",
         .type = IFB_PATH,
         .help = "File to record every request in; none: no journal; if not given, one beside a "
                 "saved result",
         .value_name = "PATH"});
  t.add(switched("run", "plot-timeline", "plot-timeline",
                 "Draw when each request was sent and answered, as an HTML file"));
  t.add({.table = "run",
         .name = "timeline-itl-thresholds",
         .flag = "timeline-itl-thresholds",
         .type = IFB_STRINGS,
         .help = "Two gaps between events, in ms, at which the colour of the timeline changes",
         .value_name = "MS,MS",
         .fallback = "\"25,50\"",
         .maximum = unbounded,
         .shape = options::form::numbers,
         .remedy = "write two numbers with a comma between, such as 25,50"});
  t.add(switched("run", "plot-dataset-stats", "plot-dataset-stats",
                 "Draw the lengths of prompts and answers"));
}

void run_keys(key_table& t) {
  t.group("run");
  t.add({.table = "run",
         .name = "seed",
         .flag = "seed",
         .type = IFB_INT,
         .help = "Seed of all random choices except request ids",
         .fallback = "0",
         .maximum = 4294967295.0,
         .commands = in_dataset_show});
  t.add({.table = "run",
         .name = "num-runs",
         .flag = "num-runs",
         .type = IFB_INT,
         .help = "Number of times to run the whole benchmark, each with its own result",
         .fallback = "1",
         .minimum = 1,
         .maximum = unbounded});
  t.add(switched("run", "dry-run", "dry-run",
                 "Prepare everything, print the first request, and send no request"));
  t.add(switched("run", "profile", "profile", "Start the server's profiler for the run"));
  t.add({.table = "run",
         .name = "profile-batch-threshold",
         .flag = "profile-batch-threshold",
         .type = IFB_INT,
         .help = "With --profile: start the profiler when the server runs this many requests at "
                 "once, according to its /metrics",
         .minimum = 1,
         .maximum = unbounded});
  t.add({.table = "run",
         .name = "profile-duration",
         .flag = "profile-duration",
         .type = IFB_DURATION,
         .help = "With --profile-batch-threshold: stop the profiler after this time",
         .value_name = "TIME",
         .fallback = "\"5s\"",
         .maximum = unbounded,
         .above = true});
  t.add(switched("run", "require-valid", "require-valid",
                 "Exit with status 3 if the verdict on the client is not VALID"));
  t.add(switched("run", "calibrate", "calibrate",
                 "Run the load against the built-in simulator first, and add the client's error to "
                 "the result"));
  options::option quiet = switched("run", "progress", "disable-tqdm",
                                   "Progress bar on standard error; the flag hides it");
  quiet.fallback = "true";
  quiet.sets = "false";
  t.add(std::move(quiet));
  t.add({.table = "run",
         .name = "live",
         .flag = "live",
         .type = IFB_CHOICE,
         .help = "What standard error shows during the run: a line, or a screen of figures; if not "
                 "given, a line on a terminal",
         .choices = {"none", "line", upstream::screen_reporter}});

  t.group("plugins");
  t.add({.table = "plugin",
         .name = "dir",
         .flag = "plugin-dir",
         .type = IFB_STRINGS,
         .help = "Folders that are searched for plugins first",
         .value_name = "PATH",
         .takes = options::arity::some,
         .accumulates = true,
         .commands = everywhere});
  options::option unsafe = switched("plugin", "allow-unsafe", "allow-unsafe-plugin",
                                    "Load plugins from files that other users can change");
  unsafe.commands = everywhere;
  t.add(std::move(unsafe));
}

}  // namespace inferbench::config
