// Tests complete answers read with templates through the client: the result must not depend on how
// the bytes are split into reads.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "client/backend.hpp"
#include "client/exchange.hpp"
#include "plugin/instance.hpp"
#include "plugin/library.hpp"
#include "transport/resolver.hpp"

namespace backends {
namespace {

using inferbench::client::exchange;
using inferbench::client::head_writer;

struct template_answer {
  const char* example;
  const char* type;
  std::vector<std::string> pieces;  // each is one chunk
  std::vector<std::string> heard;
};

const template_answer answers[] = {
    {"tgi.toml",
     "text/event-stream",
     {"data:{\"token\":{\"id\":5,\"text\":\" a\",\"special\":false},\"generated_text\":null}\n\n",
      ": keep-alive\n\n",
      "data:{\"token\":{\"id\":6,\"text\":\" \\u00e9\xE4\xB8\xAD\",\"special\":false},"
      "\"generated_text\":\" a\",\"details\":{\"finish_reason\":\"length\","
      "\"generated_tokens\":2,\"input_length\":3}}\n\n"},
     {"events 2", "text \" a é中\"", "usage 3 2", "done length"}},
    {"ollama.toml",
     "application/x-ndjson",
     {"{\"response\":\"The\",\"done\":false}\n{\"response\":\" sk", "y\",\"done\":false}\n",
      "{\"response\":\"\",\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":26,"
      "\"eval_count\":2}\n"},
     {"events 2", "text \"The sky\"", "usage 26 2", "done stop"}},
    {"llama-cpp.toml",
     "text/event-stream",
     {"data: {\"content\":\" a\",\"tokens\":[1],\"stop\":false}\r\n\r\n",
      "data: {\"content\":\" b\",\"tokens\":[1,2],\"stop\":false}\r\n\r\n",
      "data: {\"content\":\"\",\"tokens\":[],\"stop\":true,\"stop_type\":\"eos\"}\r\n\r\n"},
     {"events 2", "text \" a b\"", "usage -1 3", "done eos"}},
    {"triton.toml",
     "text/event-stream; charset=utf-8",
     {"data: {\"text_output\":\"Hel\"}\n\n", "data: {\"text_output\":\"lo\"}\n\n"},
     {"events 2", "text \"Hello\"", "usage -1 -1", "done "}},
    {"triton.toml",
     "text/event-stream; charset=utf-8",
     {"data: {\"text_output\":\"Hel\"}\n\n", "data: {\"error\":\"no more\"}\n\n"},
     {"events 1", "text \"Hel\"", "usage -1 -1", "error -5 no more"}},
    {"sglang.toml",
     "text/event-stream",
     {"data: {\"text\":\" a\",\"meta_info\":{\"completion_tokens\":1,\"prompt_tokens\":4}}\n\n",
      "data: {\"text\":\" ab\",\"meta_info\":{\"completion_tokens\":2,\"prompt_tokens\":4,"
      "\"finish_reason\":{\"type\":\"stop\"}}}\n\n",
      "data: [DONE]\n\n"},
     {"events 2", "text \" ab\"", "usage 4 2", "done stop"}},
    {"sglang.toml",
     "text/event-stream",
     {"data: {\"text\":\" a\"}\n\n"},
     {"events 1", "text \" a\"", "usage -1 -1",
      "error -4 the answer ended without its end, end-data = \"[DONE]\""}},
};

/// The plugin with the options of an example.
class by_example {
 public:
  explicit by_example(const std::string& name)
      : file_(INFERBENCH_SOURCE "/sdk/examples/template-backends/" + name),
        instance_(library(), values(), services_) {
    shared.instance = instance_.get();
    shared.codec = inferbench::plugin::codec_of(instance_);
    shared.servers = {&nowhere_};
  }

  inferbench::client::backend shared;

 private:
  static inferbench::plugin::loaded library() {
    return inferbench::plugin::load(IFB_BACKEND,
                                    INFERBENCH_PLUGIN_FOLDER "/backends/template.so:template", {});
  }
  std::vector<ifb_value> values() const {
    std::vector<ifb_value> out;
    for (const ifb_option* option : library().options()) {
      ifb_value value{};
      value.type = option->type;
      if (std::string_view(option->name) == "model") value.as.s = ifb::str("m");
      if (std::string_view(option->name) == "file") value.as.s = ifb::str(file_);
      value.is_set = value.as.s.size != 0 ? 1 : 0;
      out.push_back(value);
    }
    return out;
  }

  std::string file_;
  inferbench::base::log log_{inferbench::base::log_level::error,
                             [](inferbench::base::log_level, std::string_view) {}};
  inferbench::base::monotonic_clock clock_;
  inferbench::plugin::services services_{.log = &log_, .clock = &clock_};
  inferbench::plugin::instance instance_;
  inferbench::transport::endpoint nowhere_{inferbench::transport::parse_url("http://host"), {}};
};

class template_replay {
 public:
  explicit template_replay(const template_answer& from) : backend_(from.example) {
    bytes_ = fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nTransfer-Encoding: chunked\r\n\r\n", from.type);
    for (const auto& piece : from.pieces)
      bytes_ += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    bytes_ += "0\r\n\r\n";
    sample_.shape = IFB_PROMPT_TEXT;
    sample_.prompt = ifb::list_of({&prompt_, 1});
  }

  /// `cuts`: the positions between two reads, ascending.
  std::vector<std::string> of(std::vector<std::size_t> cuts) {
    EXPECT_TRUE(work_.prepare(sample_, 0, 1)) << work_.current().error;
    work_.start(2);
    work_.connected(3);
    work_.sent(4);
    cuts.push_back(bytes_.size());
    std::size_t from = 0;
    std::uint64_t stamp = 5;
    auto going = exchange::progress::more;
    for (const std::size_t to : cuts) {
      // A copy of the exact size, so that a sanitizer detects a read past the end.
      const std::vector<char> copy(bytes_.begin() + static_cast<std::ptrdiff_t>(from),
                                   bytes_.begin() + static_cast<std::ptrdiff_t>(to));
      if (going == exchange::progress::more && !copy.empty())
        going = work_.feed({copy.data(), copy.size()}, stamp++);
      from = to;
    }
    EXPECT_EQ(going, exchange::progress::done);
    const auto r = work_.finish();
    return {fmt::format("events {}", r.tokens.size()), "text \"" + r.text + "\"",
            fmt::format("usage {} {}", r.prompt_tokens, r.output_tokens),
            r.ok() ? "done " + r.finish_reason : fmt::format("error {} {}", r.status, r.error)};
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  by_example backend_;
  head_writer heads_{backend_.shared};
  exchange work_{backend_.shared, heads_};
  std::string bytes_;
  ifb_part prompt_ = ifb::text_part("hello");
  ifb_sample sample_ = ifb::blank_sample();
};

TEST(template_streams, in_one_read_give_the_recorded_reports) {
  for (const auto& each : answers) {
    SCOPED_TRACE(each.pieces.back());
    EXPECT_EQ(template_replay(each).of({}), each.heard);
  }
}

TEST(template_streams, are_the_same_byte_by_byte_and_in_any_two_reads) {
  for (const auto& each : answers) {
    SCOPED_TRACE(each.pieces.back());
    template_replay one(each);
    std::vector<std::size_t> everywhere;
    for (std::size_t at = 1; at < one.size(); ++at)
      everywhere.push_back(at);
    EXPECT_EQ(one.of(everywhere), each.heard);
    for (const std::size_t at : everywhere)
      ASSERT_EQ(one.of({at}), each.heard) << at;
  }
}

}  // namespace
}  // namespace backends
