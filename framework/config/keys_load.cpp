#include "config/key_table.hpp"
#include "schedule/pattern_text.hpp"

namespace inferbench::config {

namespace {

void ramp_keys(key_table& t) {
  t.add(
      {.table = "load",
       .name = "ramp-up-strategy",
       .flag = "ramp-up-strategy",
       .type = IFB_CHOICE,
       .help = "Raise the request rate during the run; needs start and end, and no --request-rate",
       .choices = {"linear", "exponential"}});
  t.add({.table = "load",
         .name = "ramp-up-start-rps",
         .flag = "ramp-up-start-rps",
         .type = IFB_INT,
         .help = "Requests per second at the first request of a ramp-up"});
  t.add({.table = "load",
         .name = "ramp-up-end-rps",
         .flag = "ramp-up-end-rps",
         .type = IFB_INT,
         .help = "Requests per second at the last request of a ramp-up"});
}

// Several runs of one command, each with another load.
void sweep_keys(key_table& t) {
  t.add({.table = "load",
         .name = "sweep-max-concurrency",
         .flag = "sweep-max-concurrency",
         .type = IFB_STRINGS,
         .help = "Run the benchmark once for each of these limits, in place of --max-concurrency, "
                 "and print a summary",
         .value_name = "N,N",
         .minimum = 1,
         .maximum = unbounded,
         .shape = options::form::numbers,
         .remedy = "write whole numbers of at least 1 with commas between, such as 1,8,64"});
  t.add({.table = "load",
         .name = "sweep-request-rate",
         .flag = "sweep-request-rate",
         .type = IFB_STRINGS,
         .help = "Run the benchmark once for each of these rates, in place of --request-rate, and "
                 "print a summary",
         .value_name = "RATE,RATE",
         .maximum = unbounded,
         .above = true,
         .shape = options::form::numbers,
         .remedy = "write rates above 0 with commas between, such as 1,10,inf"});
  t.add({.table = "load",
         .name = "sweep-num-prompts-factor",
         .flag = "sweep-num-prompts-factor",
         .type = IFB_INT,
         .help = "With --sweep-max-concurrency: the number of requests of a run is its limit times "
                 "this factor",
         .minimum = 1,
         .maximum = 1000000000});
}

// Clients with conversations, as in vLLM's benchmark_serving_multi_turn.
void client_keys(key_table& t) {
  t.add({.table = "load",
         .name = "conversation-clients",
         .flag = "conversation-clients",
         .type = IFB_INT,
         .help = "For datasets of conversations: clients that each have one request in flight and "
                 "an equal share of --max-active-conversations; the request rate has no effect",
         .minimum = 1,
         .maximum = 1000000});
  t.add({.table = "load",
         .name = "conversation-requests",
         .flag = "conversation-requests",
         .type = IFB_INT,
         .help = "Requests that each of --conversation-clients sends, at most",
         .minimum = 1,
         .maximum = unbounded});
  t.add({.table = "load",
         .name = "conversation-order",
         .flag = "conversation-order",
         .type = IFB_CHOICE,
         .help = "Conversation that a client continues: the one that waits longest, or any",
         .fallback = "\"round-robin\"",
         .choices = {"round-robin", "random"}});
  t.add({.table = "load",
         .name = "conversation-rate",
         .flag = "conversation-rate",
         .type = IFB_FLOAT,
         .help = "After a request a client pauses for 1/RATE seconds on average; 0: no pauses",
         .value_name = "RATE",
         .fallback = "0.0",
         .maximum = 1e9});
  t.add({.table = "load",
         .name = "conversation-retries",
         .flag = "conversation-retries",
         .type = IFB_INT,
         .help = "Further attempts of a client after a failed request, 1, 2, 4, ... seconds later",
         .fallback = "0",
         .maximum = 1000000});
  t.add(switched("load", "conversation-warm-up", "conversation-warm-up",
                 "Clients send the first turn of each conversation before the measurement, which "
                 "begins with the second turns"));
  t.add(switched("load", "conversation-early-stop", "conversation-early-stop",
                 "End the run when the first client has no more work"));
  t.add({.table = "load",
         .name = "turn-body",
         .flag = "turn-body",
         .type = IFB_JSON,
         .help = "Members laid over the body of each request of a conversation; the values "
                 "\"$answer_tokens\", \"$least_answer_tokens\" and \"$conversation_id\" stand "
                 "for those of the turn",
         .value_name = "OBJECT"});
}

// Conversations of vLLM's Rust client.
void multi_turn_keys(key_table& t) {
  options::option mode = switched(
      "load", "multi-turn", "multi-turn",
      "Send conversations turn by turn, all beginning at once, for datasets with conversations");
  mode.commands = in_dataset_show;
  t.add(std::move(mode));
  t.add({.table = "load",
         .name = "multi-turn-concurrency",
         .flag = "multi-turn-concurrency",
         .type = IFB_INT,
         .help = "With --multi-turn: most requests in flight; if not given, --max-concurrency",
         .minimum = 1,
         .maximum = unbounded});
  t.add({.table = "load",
         .name = "multi-turn-delay-ms",
         .flag = "multi-turn-delay-ms",
         .type = IFB_INT,
         .help = "With --multi-turn: pause between an answer and the next turn of its conversation",
         .value_name = "MS",
         .fallback = "0",
         .maximum = 1e12});
  t.add({.table = "load",
         .name = "session-header",
         .flag = "session-header",
         .help = "Header in which each request of a conversation has the id of its conversation; "
                 "if not given, X-Session-ID with --multi-turn, else none",
         .value_name = "NAME"});
}

}  // namespace

void load_keys(key_table& t) {
  t.group("load");
  t.add({.table = "load",
         .name = "duration",
         .flag = "duration",
         .type = IFB_DURATION,
         .help = "Send requests for this time; --num-prompts, if given, is then an upper limit",
         .value_name = "TIME",
         .maximum = unbounded,
         .above = true});
  t.add({.table = "load",
         .name = "request-rate",
         .flag = "request-rate",
         .type = IFB_FLOAT,
         .help = "Requests per second; inf: all at once",
         .fallback = "inf",
         .maximum = unbounded,
         .above = true,
         .remedy = "use inf to send all at once"});
  t.add({.table = "load",
         .name = "burstiness",
         .flag = "burstiness",
         .type = IFB_FLOAT,
         .help = "Shape of the gamma distribution of gaps; 1: Poisson, less: burstier",
         .fallback = "1.0",
         .maximum = unbounded,
         .above = true});
  t.add({.table = "load",
         .name = "max-concurrency",
         .flag = "max-concurrency",
         .type = IFB_INT,
         .help = "Most requests in flight; if not given, no limit",
         .minimum = 1,
         .maximum = unbounded,
         .remedy = "leave it out for no limit"});
  t.add({.table = "load",
         .name = "max-active-conversations",
         .flag = "max-active-conversations",
         .type = IFB_INT,
         .help = "Most conversations in progress, for datasets of conversations; if not given, "
                 "--max-concurrency, else as few as the request rate needs",
         .minimum = 1,
         .maximum = unbounded});
  multi_turn_keys(t);
  client_keys(t);
  ramp_keys(t);
  t.add({.table = "load",
         .name = "traffic",
         .flag = "traffic",
         .type = IFB_STRING,
         .help = "A rate that changes with time, in place of --request-rate: " +
                 schedule::pattern_examples(),
         .value_name = "PATTERN"});
  sweep_keys(t);
  t.add(
      {.table = "load",
       .name = "self-timed",
       .flag = "self-timed",
       .type = IFB_BOOL,
       .help =
           "Send each request at its time in the dataset; if not given, on for datasets with times",
       .takes = options::arity::none,
       .sets = "true"});
  t.add({.table = "load",
         .name = "self-timed",
         .flag = "no-self-timed",
         .type = IFB_BOOL,
         .help = "Send at --request-rate or --traffic, even if the dataset has times",
         .takes = options::arity::none,
         .sets = "false"});
  t.add({.table = "load",
         .name = "probe-request-rate",
         .flag = "probe-request-rate",
         .type = IFB_FLOAT,
         .help = "Rate of short probe requests beside the load, sent one after the other; 0: none",
         .fallback = "0.0",
         .minimum = -unbounded,
         .maximum = unbounded});
  t.add({.table = "run",
         .name = "num-warmups",
         .flag = "num-warmups",
         .type = IFB_INT,
         .help = "Requests sent before the measurement",
         .fallback = "0"});
  t.add(switched("run", "reset-prefix-cache", "reset-prefix-cache",
                 "Empty the prefix cache of each server before each run, with POST "
                 "/reset_prefix_cache"));
  t.add({.table = "run",
         .name = "ready-check-timeout",
         .flag = "ready-check-timeout-sec",
         .type = IFB_DURATION,
         .help = "Wait this long for the server to answer; 0: do not wait",
         .fallback = "\"0s\"",
         .minimum = -unbounded,
         .maximum = unbounded});
  t.add({.table = "client",
         .name = "workers",
         .flag = "workers",
         .type = IFB_INT,
         .help = "Client threads",
         .fallback = "1",
         .minimum = 1,
         .maximum = 1024});
  t.add({.table = "client",
         .name = "connections-ahead",
         .flag = "connections-ahead",
         .type = IFB_INT,
         .help = "Connections opened before the measurement; if not given, as many as the "
                 "requests of the first 0.2 s need",
         .minimum = 0,
         .maximum = 1000000});
  t.add({.table = "client",
         .name = "timestamps",
         .flag = "timestamps",
         .type = IFB_CHOICE,
         .help = "Source of arrival times: the kernel when data arrives, or the client when it "
                 "reads the data; auto: the kernel",
         .fallback = "\"auto\"",
         .choices = {"auto", "client", "kernel"}});
}

}  // namespace inferbench::config
