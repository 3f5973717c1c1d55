#include "engine_pipe_worker.hpp"

#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>

#include "common/system.hpp"
#include "engine_pipe_engine.hpp"
#include "engines/python-engine/frame.hpp"

namespace inferbench::bench {

namespace {

using python_engine::append_number;
using python_engine::frame_kind;
using python_engine::read_number;

constexpr int engine_socket = 3;
constexpr std::size_t results_in_a_frame = 1024;

double cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// False if the host has closed the socket. `to` keeps its memory from frame to frame.
bool receive(std::string& to, std::size_t size) {
  to.resize(size);
  for (std::size_t have = 0; have < size;) {
    const ssize_t got = ::recv(engine_socket, to.data() + have, size - have, 0);
    if (got <= 0) return false;
    have += static_cast<std::size_t>(got);
  }
  return true;
}

void send_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::send(engine_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (wrote <= 0) ::_exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}
void send_frame(frame_kind kind, std::string_view payload) {
  send_all(python_engine::frame_header(kind, payload.size()).append(payload));
}

class pipe_worker {
 public:
  int serve() {
    std::string head;
    std::string payload;
    for (;;) {
      if (!receive(head, python_engine::frame_header_size)) return 1;
      if (!receive(payload, read_number(head, 0, 4))) return 1;
      const auto kind = static_cast<frame_kind>(head[4]);
      if (kind == frame_kind::bye) return 0;
      take(kind, payload);
    }
  }

 private:
  void take(frame_kind kind, std::string& payload) {
    switch (kind) {
      case frame_kind::hello:
        return send_frame(
            frame_kind::welcome,
            R"({"protocol": 1, "worker": "engine_pipe", "adapter": "engine-pipe", "pid": )" +
                std::to_string(::getpid()) + "}");
      case frame_kind::load: return load(payload);
      case frame_kind::ping: {
        std::string answer = payload;
        append_number(answer, now_ns(), 8);
        return send_frame(frame_kind::pong, answer);
      }
      case frame_kind::run: return begin(payload);
      case frame_kind::items: return add_items(payload);
      case frame_kind::go: return run();
      default: break;
    }
  }

  void load(const std::string& payload) {
    const ifb::json_document document = ifb::read_json(payload);
    at_once_ = static_cast<std::uint32_t>(
        ifb::integer_of(ifb::find_path(document, "options.at_once"), 256));
    send_frame(frame_kind::ready, R"({"load_ns": 0})");
  }

  void begin(const std::string& payload) {
    cpu_ = cpu_seconds();
    const ifb::json_document document = ifb::read_json(payload);
    number_ = ifb::integer_of(ifb::find(document, "run"));
    prompts_.clear();
    tokens_ = 0;
  }

  /// Reads each item, like an engine that needs the prompt. Texts stay in the frame, and the host's
  /// UTF-8 is not checked.
  void add_items(std::string& payload) {
    ifb::json_document document;
    document.ParseInsitu<rapidjson::kParseStopWhenDoneFlag>(payload.data() + 4);
    if (document.HasParseError()) throw ifb::failure{IFB_E_PROTOCOL, "items is not JSON"};
    for (const auto& each : ifb::find(document, "items")->GetArray()) {
      tokens_ = static_cast<std::uint64_t>(ifb::integer_of(ifb::find(each, "output_tokens"), 1));
      const ifb::json_value* const ids = ifb::find(each, "tokens");
      prompts_.push_back(ids == nullptr ? ifb::text_of(ifb::find(each, "prompt")).size()
                                        : (*ids)[1].GetUint64() / 4);
    }
  }

  void run() {
    const auto requests = static_cast<std::uint32_t>(prompts_.size());
    std::string frame;
    append_number(frame, now_ns(), 8);
    send_frame(frame_kind::began, frame);
    const std::uint64_t began = now_ns();
    run_engine(requests, tokens_, at_once_, [&](std::uint32_t first, std::uint32_t count) {
      frame.clear();
      append_number(frame, 12 + 8 * std::uint64_t{count}, 4);
      append_number(frame, static_cast<std::uint64_t>(frame_kind::tokens), 4);
      append_number(frame, now_ns(), 8);
      append_number(frame, count, 4);
      for (std::uint32_t i = first; i < first + count; ++i) {
        append_number(frame, i, 4);
        append_number(frame, std::uint64_t{1} << 16U, 4);  // output 0, one token
      }
      send_all(frame);
    });
    frame.clear();
    append_number(frame, began, 8);
    append_number(frame, now_ns(), 8);
    send_frame(frame_kind::ended, frame);
    const std::string text = engine_text(tokens_);
    for (std::size_t i = 0; i < prompts_.size(); i += results_in_a_frame)
      send_results(i, std::min(results_in_a_frame, prompts_.size() - i), text);
    ifb::json_writer done;
    done.begin_object();
    done.member("run", number_);
    done.member("results", requests);
    done.key("measures");
    done.raw(R"([{"name": "cpu", "value": )" + std::to_string(cpu_seconds() - cpu_) + "}]");
    done.end_object();
    send_frame(frame_kind::done, done.take());
  }

  void send_results(std::size_t first, std::size_t count, const std::string& text) const {
    ifb::json_writer out;
    out.begin_object();
    out.member("first", first);
    out.key("results");
    out.begin_array();
    for (std::size_t i = first; i < first + count; ++i) {
      out.begin_object();
      out.member("prompt_tokens", prompts_[i]);
      out.key("outputs");
      out.begin_array();
      out.begin_object();
      out.member("tokens", tokens_);
      out.member("text", text);
      out.member("finish_reason", "length");
      out.end_object();
      out.end_array();
      out.end_object();
    }
    out.end_array();
    out.end_object();
    send_frame(frame_kind::results, out.take());
  }

  std::uint32_t at_once_ = 1;
  std::int64_t number_ = 0;
  std::uint64_t tokens_ = 0;  // of each output
  double cpu_ = 0;            // at the frame run
  std::vector<std::uint64_t> prompts_;
};

}  // namespace

int serve_engine_pipe() {
  try {
    return pipe_worker().serve();
  } catch (const ifb::failure& e) {
    std::fprintf(stderr, "engine_pipe: %s\n", e.what());
    return 2;
  }
}

}  // namespace inferbench::bench
