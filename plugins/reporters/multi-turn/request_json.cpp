#include "request_json.hpp"

#include <inferbench/json_writer.hpp>

namespace multi_turn {

namespace {

class member_lines {
 public:
  explicit member_lines(std::string& out) : out_(out) {}

  void add(const char* name, double value) {
    begin(name);
    ifb::append_python_float(out_, value);
  }
  void add(const char* name, std::int64_t value) {
    begin(name);
    out_ += std::to_string(value);
  }
  void add(const char* name, std::string_view value) {
    begin(name);
    ifb::append_json_string(out_, value);
  }

 private:
  void begin(const char* name) {
    out_ += first_ ? "\n    \"" : ",\n    \"";
    first_ = false;
    out_.append(name).append("\": ");
  }

  std::string& out_;
  bool first_ = true;
};

}  // namespace

std::string requests_json(std::span<const turn_request> requests) {
  std::string out = "[";
  for (const turn_request& each : requests) {
    out += &each == &requests.front() ? "\n  {" : ",\n  {";
    member_lines to(out);
    to.add("ttft_ms", each.ttft_ms);
    to.add("tpot_ms", each.tpot_ms);
    to.add("latency_ms", each.latency_ms);
    to.add("start_time_ms", each.start_time_ms);
    to.add("input_num_turns", each.input_num_turns);
    to.add("input_num_tokens", each.input_num_tokens);
    to.add("output_num_tokens", each.output_num_tokens);
    to.add("output_num_chunks", each.output_num_chunks);
    to.add("output_num_first_chunk_tokens", each.output_num_first_chunk_tokens);
    to.add("approx_cached_percent", each.approx_cached_percent);
    to.add("conversation_id", std::string_view(each.conversation_id));
    to.add("client_id", each.client_id);
    out += "\n  }";
  }
  return out + (requests.empty() ? "]" : "\n]");
}

}  // namespace multi_turn
