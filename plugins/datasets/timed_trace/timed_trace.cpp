// Requests of a recorded trace, sent at their recorded times, in the layouts of Qwen's (Alibaba's)
// and Mooncake's traces. A trace consists of JSON lines whose prompts are lists of pieces; a hash
// identifies each piece. Prompts are token ids. Equal hashes yield equal ids, so prompts share the
// same prefixes as in the trace.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <inferbench/plugin.hpp>

#include "chunks.hpp"
#include "datasets/common/text_file.hpp"
#include "datasets/synthetic/parts.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "line.hpp"

namespace {

class timed_trace {
 public:
  static constexpr const char* id = "timed_trace";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Requests of a recorded trace, with its times, lengths and shared prefixes.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags =
      IFB_DATASET_SYNTHETIC | IFB_DATASET_ARRIVALS | IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::int64_t chunk_hash_size = 16;
    double sec_multiplier = 1;
    std::string label_timestamp = "timestamp";
    std::string label_input_length = "input_length";
    std::string label_output_length = "output_length";
    std::string label_hash_ids = "hash_ids";

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "JSON lines file: a time, two lengths and a list of hashes on each line.",
                      nullptr, IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"chunk-hash-size", &options::chunk_hash_size,
                      "Tokens that a hash stands for: 16 in traces of Qwen, 512 in Mooncake's.",
                      "16"}
              .value_name("TOKENS")
              .range(1, 16777216),
          ifb::option{"sec-multiplier", &options::sec_multiplier,
                      "A time of the file times this is in seconds: 0.001 for milliseconds.", "1"}
              .value_name("X")
              .range(0, 1e9),
          ifb::option{"label-timestamp", &options::label_timestamp, "Name of the time in a line.",
                      "\"timestamp\""}
              .value_name("NAME"),
          ifb::option{"label-input-length", &options::label_input_length,
                      "Name of the prompt's length in a line.", "\"input_length\""}
              .value_name("NAME"),
          ifb::option{"label-output-length", &options::label_output_length,
                      "Name of the answer's length in a line.", "\"output_length\""}
              .value_name("NAME"),
          ifb::option{"label-hash-ids", &options::label_hash_ids,
                      "Name of the list of hashes in a line.", "\"hash_ids\""}
              .value_name("NAME")};
    }
  };

  timed_trace(ifb::host host, const options& chosen)
      : host_(host),
        chosen_(chosen),
        labels_{chosen.label_timestamp, chosen.label_input_length, chosen.label_output_length,
                chosen.label_hash_ids} {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    const auto words = synthetic::vocabulary_of(synthetic::tokenizer_of(host_));
    chunks_.emplace(words.allowed(words.total), request.seed);
    file_ = std::make_unique<files::text_file>(chosen_.path.text);
    find_rows(request.wanted > 0 ? static_cast<std::uint64_t>(request.wanted) : UINT64_MAX);
    return ifb::dataset_info(static_cast<std::int64_t>(rows_.size()));
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    if (row >= rows_.size()) return ifb::row_result::end();
    const trace_line line = parse(rows_[row].offset, rows_[row].line);
    std::vector<std::uint32_t> ids;
    ids.reserve(line.input);
    for (const std::uint64_t hash : line.hashes) {
      if (ids.size() == line.input) break;
      chunks_->append(hash, std::min(chunk(), line.input - ids.size()), ids);
    }
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = synthetic::token_part(ids, memory);
    out.shape = IFB_PROMPT_TOKENS;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = static_cast<std::int64_t>(ids.size());
    out.output_tokens = line.output;
    out.arrival_ns = rows_[row].arrival_ns;
    return ifb::row_result::ok();
  }

 private:
  static constexpr double longest_s = 1e9;  // about thirty years

  struct place {
    std::uint64_t offset;
    std::uint64_t line;  // line number, from 1
    std::int64_t arrival_ns;
  };

  // Requests with a time before the beginning are due immediately.
  [[nodiscard]] std::int64_t arrival_of(const trace_line& line) const {
    const double due = std::clamp(line.timestamp * chosen_.sec_multiplier, 0.0, longest_s);
    return static_cast<std::int64_t>(std::llround(due * 1e9));
  }

  [[nodiscard]] std::size_t chunk() const {
    return static_cast<std::size_t>(chosen_.chunk_hash_size);
  }

  [[nodiscard]] trace_line parse(std::uint64_t offset, std::uint64_t number) const {
    const std::string_view rest = file_->text().substr(static_cast<std::size_t>(offset));
    return parse_line(rest.substr(0, rest.find('\n')), labels_,
                      file_->path() + ":" + std::to_string(number));
  }

  // Finds as many rows as are wanted. All of these lines are parsed here, so that a malformed line
  // ends the run before its first request and not in the middle.
  void find_rows(std::uint64_t wanted) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    const std::string_view text = file_->text();
    rows_.clear();
    std::uint64_t number = 1;
    std::uint64_t empty = 0;
    std::uint64_t shorter = 0;
    std::uint64_t early = 0;
    std::uint64_t first_empty = 0;
    std::uint64_t first_shorter = 0;
    std::uint64_t first_early = 0;
    std::int64_t arrived_ns = 0;
    std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    for (; at < text.size() && rows_.size() < wanted; ++number) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (!ifb::trim(text.substr(at, end - at)).empty()) {
        const trace_line line = parse(at, number);
        if (line.input == 0 || line.hashes.empty()) {
          first_empty = empty++ == 0 ? number : first_empty;
        } else {
          // In upstream, a line with a time before the line before it is sent together with that
          // line.
          const std::int64_t own_ns = arrival_of(line);
          if (own_ns < arrived_ns) first_early = early++ == 0 ? number : first_early;
          arrived_ns = std::max(arrived_ns, own_ns);
          rows_.push_back({at, number, arrived_ns});
          if ((line.input - 1) / chunk() >= line.hashes.size())
            first_shorter = shorter++ == 0 ? number : first_shorter;
        }
      }
      at = end + 1;
      if (number % 65536 != 0) continue;
      host_.progress().report("reading " + file_->path(), at, text.size());
      if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    const auto where = [&](std::uint64_t line) {
      return " (first: line " + std::to_string(line) + " of " + file_->path() + ")";
    };
    if (rows_.empty())
      throw ifb::failure(IFB_E_DATA,
                         file_->path() + " yields no request: " + std::to_string(empty) +
                             " lines have no prompt, and there are no others",
                         "path");
    if (empty != 0)
      host_.warn(std::to_string(empty) + (empty == 1 ? " line" : " lines") +
                 " dropped: no tokens or no hashes to make a prompt of" + where(first_empty));
    if (early != 0)
      host_.warn(std::to_string(early) + " of " + std::to_string(rows_.size()) +
                 " requests have a time before the request before them, and are sent with it" +
                 where(first_early));
    if (shorter != 0)
      host_.warn(std::to_string(shorter) + " of " + std::to_string(rows_.size()) +
                 " prompts are shorter than recorded: their hashes end before, at " +
                 std::to_string(chunk()) +
                 " tokens each; give the trace's number with --timed-trace-chunk-hash-size" +
                 where(first_shorter));
  }

  ifb::host host_;
  options chosen_;
  labels labels_;
  std::optional<chunks> chunks_;
  std::unique_ptr<files::text_file> file_;
  std::vector<place> rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<timed_trace>)
