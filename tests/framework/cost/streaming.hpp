// Shared by the cost tests: the real openai plugin as a backend, the bytes of an answer of any
// length, and a source with one request.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "client/backend.hpp"
#include "client/source.hpp"
#include "plugin/instance.hpp"
#include "plugin/library.hpp"
#include "transport/resolver.hpp"

namespace inferbench::cost {

/// The openai plugin. Must outlive the backends that at() returns.
class openai {
 public:
  /// `file`: the plugin's library. Throws base::error if the plugin cannot be used.
  explicit openai(const std::string& file)
      : instance_(plugin::load(IFB_BACKEND, file + ":openai", {}), values(file), services_),
        codec_(plugin::codec_of(instance_)) {}

  [[nodiscard]] client::backend at(const transport::endpoint& server) {
    client::backend out;
    out.instance = instance_.get();
    out.codec = codec_;
    out.servers = {&server};
    return out;
  }

 private:
  static std::vector<ifb_value> values(const std::string& file) {
    std::vector<ifb_value> out;
    for (const ifb_option* option : plugin::load(IFB_BACKEND, file + ":openai", {}).options()) {
      ifb_value value{};
      value.type = option->type;
      const std::string_view name = option->name;
      value.is_set = name == "model" || name == "endpoint" ? 1 : 0;
      if (value.is_set != 0) value.as.s = plugin::str(name == "model" ? "m" : "/v1/completions");
      out.push_back(value);
    }
    return out;
  }

  base::log log_{base::log_level::error, [](base::log_level, std::string_view) {}};
  base::monotonic_clock clock_;
  plugin::services services_{.log = &log_, .clock = &clock_};
  plugin::instance instance_;
  plugin::codec codec_;
};

inline constexpr std::string_view answer_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
    "Transfer-Encoding: chunked\r\n\r\n";

[[nodiscard]] inline std::string chunk(std::string_view data) {
  return fmt::format("{:x}\r\n{}\r\n", data.size(), data);
}

/// An event with one token in vLLM's format, as an HTTP chunk.
[[nodiscard]] inline std::string token_chunk() {
  return chunk(
      R"(data: {"id":"cmpl-0123456789abcdef","object":"text_completion","created":1700000000,)"
      R"("model":"m","choices":[{"index":0,"text":" token","logprobs":null,)"
      R"("finish_reason":null,"stop_reason":null}],"usage":null})"
      "\n\n");
}

[[nodiscard]] inline std::string answer_end() { return chunk("data: [DONE]\n\n") + "0\r\n\r\n"; }

/// One request with a prompt of one word.
class one_request final : public client::source {
 public:
  one_request() {
    sample_.shape = IFB_PROMPT_TEXT;
    sample_.prompt = ifb::list_of({&prompt_, 1});
    sample_.id = plugin::str("r-0");
    sample_.input_tokens = 1;
  }
  [[nodiscard]] dataset::taken try_take(client::job& out) override {
    if (std::exchange(given_, true)) return dataset::taken::end;
    out.sample = &sample_;
    return dataset::taken::sample;
  }
  [[nodiscard]] const ifb_sample& sample() const { return sample_; }

 private:
  ifb_part prompt_ = ifb::text_part("hello");
  ifb_sample sample_ = ifb::blank_sample();
  bool given_ = false;
};

}  // namespace inferbench::cost
