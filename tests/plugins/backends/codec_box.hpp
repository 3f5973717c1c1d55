// Drives a backend's codec with one exchange at a time, and writes its reports as lines of text.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "support/plugin_box.hpp"

namespace backends {

inline std::string to_text(const rapidjson::Value& value) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  value.Accept(writer);
  return {out.GetString(), out.GetSize()};
}

/// Fails the test if `text` is not one JSON value.
inline rapidjson::Document parse(std::string_view text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag>(
      text.data(), text.size());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

inline rapidjson::Document fixture(const char* name) {
  const std::string path = std::string(INFERBENCH_FIXTURES) + "/backends/" + name;
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  std::stringstream text;
  text << in.rdbuf();
  return parse(text.str());
}

/// The reports as lines such as `token 0 answer "Hi"`, `usage 5 - 2 -`, `done stop`, `error -5
/// why`.
class transcript {
 public:
  transcript() {
    events_.struct_size = sizeof events_;
    events_.on_token = [](ifb_output* o, const ifb_token* t) {
      static constexpr const char* channels[] = {"answer", "reasoning", "tool_call", "audio"};
      of(o).add("token " + std::to_string(t->choice) + " " + channels[t->channel] + " \"" +
                std::string(ifb::view(t->text)) + "\"");
    };
    events_.on_usage = [](ifb_output* o, const ifb_usage* u) {
      const auto count = [](std::int64_t n) { return n < 0 ? " -" : " " + std::to_string(n); };
      of(o).add("usage" + count(u->prompt_tokens) + count(u->cached_tokens) +
                count(u->output_tokens) + count(u->reasoning_tokens));
    };
    events_.on_attribute = [](ifb_output* o, ifb_str key, ifb_str value) {
      of(o).add("attribute " + std::string(ifb::view(key)) + " \"" + std::string(ifb::view(value)) +
                "\"");
    };
    events_.on_done = [](ifb_output* o, const ifb_done* done) {
      of(o).finish("done " + std::string(ifb::view(done->finish_reason)));
    };
    events_.on_error = [](ifb_output* o, const ifb_error* e) {
      of(o).finish("error " + std::to_string(e->code) + " " + e->message);
    };
  }

  [[nodiscard]] const ifb_events* events() const { return &events_; }
  [[nodiscard]] ifb_output* output() { return reinterpret_cast<ifb_output*>(this); }
  void add(std::string line) {
    EXPECT_FALSE(finished_) << "after the end: " << line;
    lines.push_back(std::move(line));
  }
  void finish(std::string line) {
    add(std::move(line));
    finished_ = true;
  }
  [[nodiscard]] bool finished() const { return finished_; }

  std::vector<std::string> lines;

 private:
  static transcript& of(ifb_output* o) { return *reinterpret_cast<transcript*>(o); }
  ifb_events events_{};
  bool finished_ = false;
};

class codec_box {
 public:
  explicit codec_box(std::string_view id)
      : plugin(support::plugin_file(("backends/" + std::string(id)).c_str()), IFB_BACKEND, id),
        codec(plugin.query<ifb_http_codec>(IFB_HTTP_CODEC)) {}
  codec_box(std::string_view id, support::settings given) : codec_box(id) {
    given.try_emplace("model", "m");
    given.try_emplace("endpoint", fallback("endpoint"));
    EXPECT_EQ(plugin.create(given), IFB_OK) << plugin.error.message;
  }
  codec_box(const codec_box&) = delete;
  codec_box& operator=(const codec_box&) = delete;
  ~codec_box() { close(); }

  /// The default of a declared option: a TOML string without its quotes.
  [[nodiscard]] std::string fallback(std::string_view name) const {
    for (const auto& o : ifb::options_of(plugin.plugin())) {
      if (o.name != name || o.fallback == nullptr) continue;
      const std::string_view literal = o.fallback;
      return std::string(literal.starts_with('"') ? literal.substr(1, literal.size() - 2)
                                                  : literal);
    }
    return {};
  }

  ifb_status open(const ifb_sample& sample) { return open(sample, memory_); }
  ifb_status open(const ifb_sample& sample, support::arena& memory) {
    close();
    error = {};
    ended_ = false;
    return codec.open(plugin.get(), &sample, memory.handle(), &exchange_, &error);
  }
  void close() {
    if (exchange_ != nullptr) codec.close(exchange_);
    exchange_ = nullptr;
  }
  /// Opens a request that the backend can send: a word, and a document or a sound if it needs one.
  void open_any() { ASSERT_EQ(try_open_any(), IFB_OK) << error.message; }
  /// Like open_any(), for a backend that may refuse the request; returns the status of open.
  ifb_status try_open_any() {
    const std::string_view id = plugin.plugin().id;
    const ifb_part texts[] = {ifb::text_part("hello"), ifb::text_part("there")};
    ifb_part sound = ifb::text_part("RIFF");
    sound.kind = IFB_PART_AUDIO;
    const std::size_t count = id == "vllm-rerank" ? 2 : 1;
    ifb_sample sample = ifb::blank_sample();
    sample.shape = count == 2 ? IFB_PROMPT_TEXTS : IFB_PROMPT_TEXT;
    sample.prompt = ifb::list_of({texts, count});
    if (id == "openai-audio") sample.media = ifb::list_of({&sound, 1});
    return open(sample);
  }

  /// Gets the request from the codec; returns the body as one text.
  std::string body() {
    last = {};
    last.struct_size = sizeof last;
    EXPECT_EQ(codec.request(exchange_, &last, &error), IFB_OK) << error.message;
    std::string text;
    for (std::size_t i = 0; i < last.body_count; ++i)
      text += ifb::view(last.body[i]);
    return text;
  }

  /// Returns false if the message failed; the last line is then "failed CODE MESSAGE". A message
  /// after the codec has ended the answer is not passed on, as in the host.
  bool message(transcript& heard, std::string_view data, std::string_view event = {}) {
    if (ended_) return true;
    error = {};
    // A copy of the exact size, so that a sanitizer detects a read past the end.
    const std::vector<char> copy(data.begin(), data.end());
    const ifb_http_message given{sizeof given, 0, ifb::str(event), {copy.data(), copy.size()}, 1};
    const ifb_status status =
        codec.on_message(exchange_, &given, heard.events(), heard.output(), &error);
    ended_ = status == IFB_END;
    if (status >= 0) return true;
    EXPECT_EQ(status, error.code);
    EXPECT_FALSE(std::string_view(error.message).empty());
    heard.finish("failed " + std::to_string(status) + " " + error.message);
    return false;
  }
  void end(transcript& heard) {
    const ifb_http_end end{sizeof end, ended_ ? std::uint32_t{IFB_HTTP_END_EARLY} : 0, nullptr, 0};
    EXPECT_EQ(codec.on_end(exchange_, &end, heard.events(), heard.output(), &error), IFB_OK);
  }
  /// Passes a head with status 200 to the codec. Returns false on failure, like message().
  bool head(transcript& heard, const std::vector<ifb_field>& fields) {
    ifb_http_head h{};
    h.struct_size = sizeof h;
    h.status = 200;
    h.headers = fields.data();
    h.header_count = fields.size();
    std::uint32_t framing = IFB_FRAMING_AUTO;
    error = {};
    const ifb_status status = codec.on_head(exchange_, &h, &framing, &error);
    if (status >= 0) return true;
    heard.finish("failed " + std::to_string(status) + " " + error.message);
    return false;
  }
  std::uint32_t head(std::uint32_t status, const std::vector<ifb_field>& fields) {
    ifb_http_head h{};
    h.struct_size = sizeof h;
    h.status = status;
    h.headers = fields.data();
    h.header_count = fields.size();
    std::uint32_t framing = IFB_FRAMING_AUTO;
    EXPECT_EQ(codec.on_head(exchange_, &h, &framing, &error), IFB_OK);
    return framing;
  }

  support::plugin_box plugin;
  const ifb_http_codec& codec;
  ifb_http_request last{};
  ifb_error error{};

 private:
  support::arena memory_;
  ifb_exchange* exchange_ = nullptr;
  bool ended_ = false;  // on_message has returned IFB_END
};

}  // namespace backends
