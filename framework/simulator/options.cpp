#include "simulator/options.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/program_options.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

namespace po = boost::program_options;

std::uint64_t whole(const std::string& text, const std::string& flag, std::int64_t minimum,
                    std::int64_t maximum) {
  const auto value = base::parse_int(text);
  if (!value || *value < minimum || *value > maximum)
    throw base::error("\"" + text + "\" is not a whole number from " + std::to_string(minimum) +
                          " to " + std::to_string(maximum),
                      {}, {flag});
  return static_cast<std::uint64_t>(*value);
}

constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();

std::string not_empty(const std::string& text, const std::string& flag) {
  if (text.empty()) throw base::error("needs a value that is not empty", {}, {flag});
  return text;
}

double share_of(const std::string& text, const std::string& flag) {
  const auto share = base::parse_float(text);
  if (!share || !(*share >= 0 && *share <= 1))
    throw base::error("\"" + text + "\" is not a number from 0 to 1", {}, {flag});
  return *share;
}

// One row for each flag: its name, the name of its value (nullptr: the flag has no value), its line
// in --help, and its effect.
struct row {
  const char* name;
  const char* value;
  const char* help;
  void (*apply)(options&, const std::string& text, const std::string& flag);
};

constexpr std::array<row, 21> all_options{{
    {"host", "ADDRESS", "Address to listen on (default 127.0.0.1)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.host = not_empty(text, flag);
     }},
    {"port", "N", "Port to listen on, 0 for any free one (default 8000)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.port = static_cast<std::uint16_t>(whole(text, flag, 0, 65535));
     }},
    {"model", "NAME", "Model that /v1/models lists (default simulated)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.model = not_empty(text, flag);
     }},
    {"max-model-len", "N", "Most tokens of prompt and answer together (default 131072)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.max_model_len = whole(text, flag, 1, 1 << 30);
     }},
    {"ttft", "DELAY",
     "From admission to the first token: 50ms, uniform(40ms,60ms) or lognormal(50ms,0.3), mean and "
     "sigma; with + 0.05ms*active, 0.05 ms more for each request that runs; a number without a "
     "unit is seconds (default 50ms)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.ttft = parse_delays(text, flag);
     }},
    {"itl", "DELAY",
     "From one event of a stream to the next, in the same form; 0: as fast as possible (default "
     "10ms)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.itl = parse_delays(text, flag);
     }},
    {"slowdown", "K", "Stretch each gap by 1 + K * (running requests - 1) (default 0)",
     [](options& o, const std::string& text, const std::string& flag) {
       const auto k = base::parse_float(text);
       if (!k || !(*k >= 0 && *k <= 1000))
         throw base::error("\"" + text + "\" is not a number from 0 to 1000", {}, {flag});
       o.slowdown = *k;
     }},
    {"max-num-seqs", "N", "Requests that run at once, others wait; 0: no cap (default 0)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.max_num_seqs = whole(text, flag, 0, any);
     }},
    {"tokens-per-event", "N", "Tokens that one event carries (default 1)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.tokens_per_event = whole(text, flag, 1, 1000);
     }},
    {"draft-tokens", "N",
     "Let /metrics count each event as a draft of N tokens, of which those beyond the event's "
     "first were accepted; 0: no such counters (default 0)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.draft_tokens = whole(text, flag, 0, 1000);
     }},
    {"output-tokens", "COUNT",
     "Length of an answer without ignore_eos, at most max_tokens: 200, "
     "uniform(1,256) or lognormal(200,0.5) (default lognormal(200,0.5))",
     [](options& o, const std::string& text, const std::string& flag) {
       o.output_tokens = parse_counts(text, flag);
     }},
    {"embedding-size", "N",
     "Numbers in a vector of /v1/embeddings and /pooling if the request has no dimensions (default "
     "1024)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.embedding_size = whole(text, flag, 1, 65536);
     }},
    {"coalesce", nullptr, "Put all events of a stream that are due into one write",
     [](options& o, const std::string&, const std::string&) { o.coalesce = true; }},
    {"seed", "N", "Seed of delays, lengths and texts (default 0)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.seed = whole(text, flag, 0, any);
     }},
    {"prefix-cache-blocks", "N",
     "Size of the simulated prefix cache in blocks of 16 tokens; 0: "
     "none (default 65536)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.prefix_cache_blocks = whole(text, flag, 0, 1 << 28);
     }},
    {"max-body-bytes", "N", "Longest request body that is accepted (default 67108864)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.max_body_bytes = whole(text, flag, 1, std::int64_t{1} << 40);
     }},
    {"replay", "FILE",
     "Answer every POST that needs the model with the next recorded answer of a transcript, and "
     "send a piece of it at the time of each event",
     [](options& o, const std::string& text, const std::string& flag) {
       o.replay = not_empty(text, flag);
     }},
    {"ground-truth", "FILE", "Write when each event was sent, as a JSON line for each request",
     [](options& o, const std::string& text, const std::string& flag) {
       o.ground_truth = not_empty(text, flag);
     }},
    {"check-media", "SHARE",
     "Share of the requests, from 0 to 1, whose images, videos and sounds are decoded and compared "
     "with their declared media types, on another thread (default 1)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.check_media = share_of(text, flag);
     }},
    {"media-facts", "FILE",
     "Write what was found in each image, video and sound that is checked, as a JSON line",
     [](options& o, const std::string& text, const std::string& flag) {
       o.media_facts = not_empty(text, flag);
     }},
    {"wrong-structure", "SHARE",
     "Share of the answers to requests with structured outputs, from 0 to 1, that do not have the "
     "structure: in turn cut short, and refused by the schema (default 0)",
     [](options& o, const std::string& text, const std::string& flag) {
       o.wrong_structure = share_of(text, flag);
     }},
}};

std::vector<po::option> words_of(std::span<const std::string> arguments) {
  po::options_description known;
  for (const row& each : all_options) {
    if (each.value != nullptr)
      known.add_options()(each.name, po::value<std::string>());
    else
      known.add_options()(each.name, po::bool_switch());
  }
  namespace style = po::command_line_style;
  return po::command_line_parser({arguments.begin(), arguments.end()})
      .options(known)
      .style(style::allow_long | style::long_allow_next | style::long_allow_adjacent)
      .run()
      .options;
}

[[noreturn]] void reject_unknown(const std::string& flag) {
  std::vector<std::string> names;
  for (const row& each : all_options)
    names.push_back(std::string("--") + each.name);
  const std::string hint = base::did_you_mean(flag, names);
  throw base::error("no such option", hint.empty() ? "see inferbench simulate --help" : hint,
                    {flag});
}

}  // namespace

options parse_options(std::span<const std::string> arguments) {
  options parsed;
  try {
    for (const po::option& word : words_of(arguments)) {
      const auto at = std::ranges::find(all_options, std::string_view(word.string_key), &row::name);
      if (at == all_options.end())
        throw base::error("\"" + word.value.at(0) + "\" is not an option",
                          "write options as --name value");
      at->apply(parsed, word.value.empty() ? std::string() : word.value[0], "--" + word.string_key);
    }
  } catch (const po::unknown_option& e) {
    reject_unknown(e.get_option_name());
  } catch (const po::error& e) {
    throw base::error(e.what(), "see inferbench simulate --help");
  }
  if (parsed.check_media == 0 && !parsed.media_facts.empty())
    throw base::error("has no effect with --check-media 0", "leave out one of the two",
                      {"--media-facts"});
  return parsed;
}

std::string help_text() {
  constexpr std::size_t indent = 30;
  constexpr std::size_t width = 100;
  std::string out =
      "Usage: inferbench simulate [OPTION]...\n"
      "Serve the OpenAI API on a schedule: latencies are drawn, texts made up.\n\n";
  for (const row& each : all_options) {
    std::string left = std::string("  --") + each.name;
    if (each.value != nullptr) left += std::string(" ") + each.value;
    out += base::help_row(std::move(left), each.help, indent, width);
  }
  return out;
}

}  // namespace inferbench::simulator
