// A server whose answers a test determines, and a plan that sends rows of a test to it with the
// fake codec.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/output.hpp"
#include "batch/http_executor.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "run/interrupt.hpp"

namespace inferbench::batch::http_test {

using client::testing::fake_codec;
using client::testing::scripted_server;

inline const std::string whole_answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 13\r\n\r\n"
    "data: token\n\n";
inline const std::string busy_answer =
    "HTTP/1.1 503 Busy\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\nloading";

inline std::string page_answer(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// A plugin of a test whose create needs one value: the object to which it belongs.
inline options::plugin_choice choice_of(const plugin::loaded& library, std::int64_t self) {
  options::plugin_choice out;
  out.library = library;
  out.use = "fake";
  options::option_value& value = out.values.emplace_back();
  value.type = IFB_INT;
  value.is_set = true;
  value.integer = self;
  return out;
}

/// The fake codec as a backend from a library.
class fake_backend {
 public:
  explicit fake_backend(fake_codec& codec) : codec_(&codec) {
    plugin_.struct_size = sizeof(ifb_plugin);
    plugin_.kind = IFB_BACKEND;
    plugin_.id = "fake";
    plugin_.version = "1.0.0";
    plugin_.summary = plugin_.license = "";
    static const ifb_option self = [] {
      ifb_option out{};
      out.struct_size = sizeof out;
      out.type = IFB_INT;
      out.name = "self";
      out.help = "The codec.";
      return out;
    }();
    plugin_.options = &self;
    plugin_.option_count = 1;
    plugin_.option_stride = sizeof self;
    plugin_.create = [](const ifb_host*, const ifb_config* config, ifb_instance** out,
                        ifb_error*) -> ifb_status {
      std::memcpy(out, &config->values[0].as.i, sizeof *out);
      return IFB_OK;
    };
    plugin_.destroy = [](ifb_instance*) {};
    static constexpr const char* interfaces[] = {IFB_HTTP_CODEC, nullptr};
    plugin_.interfaces = interfaces;
    plugin_.query = [](const ifb_plugin*, const char* id) -> const void* {
      static const ifb_http_codec table = [] {
        fake_codec any;
        const transport::endpoint nowhere;
        return static_cast<ifb_http_codec>(any.shared(nowhere).codec);
      }();
      return std::strcmp(id, IFB_HTTP_CODEC) == 0 ? &table : nullptr;
    };
  }
  fake_backend(const fake_backend&) = delete;
  fake_backend& operator=(const fake_backend&) = delete;

  [[nodiscard]] options::plugin_choice choice() const {
    std::int64_t self = 0;
    std::memcpy(&self, &codec_, sizeof codec_);
    plugin::loaded library;
    library.plugin = &plugin_;
    return choice_of(library, self);
  }

 private:
  fake_codec* codec_;
  ifb_plugin plugin_{};
};

/// Everything that an executor needs. `script`: gets the requests of batches only. Other requests
/// have the answers of put(), or the status 503.
struct http_bench {
  explicit http_bench(scripted_server::script script, std::size_t rows = 3)
      : data(fake::numbered(rows)),
        script_(std::move(script)),
        server([this](scripted_server& s, std::size_t request) { answer(s, request); }) {
    plan.backend = backend.choice();
    plan.dataset = choice_of(data.library(), data.self());
    plan.dataset_name = "fake";
    plan.num_prompts = 0;
    plan.model = "m";
    plan.server.base_urls = {server.url()};
    plan.server.connect_timeout_ns = 10 * base::ns_per_s;
    plan.server.max_message = plan.server.max_answer = std::uint64_t{1} << 20U;
    codec.opening = [this](const ifb_sample& sample) {
      const std::lock_guard lock(mutex);
      lengths.push_back(sample.output_tokens);
      models.emplace_back(plugin::view(sample.model));
    };
  }
  http_bench(const http_bench&) = delete;
  http_bench& operator=(const http_bench&) = delete;
  ~http_bench() {
    server.stop();
    std::fclose(file);
  }

  using page_list = std::vector<std::pair<std::string, std::string>>;

  /// The answers to other requests, by their lines. An answer is given once.
  void put(page_list answers) {
    const std::lock_guard lock(mutex);
    pages_ = std::move(answers);
  }

  [[nodiscard]] std::unique_ptr<http_executor> executor() {
    return std::make_unique<http_executor>(plan, clock, book.log, out, signals);
  }

  /// The requests of batches in the order of their arrival. For the script, and after
  /// server.stop().
  [[nodiscard]] std::vector<scripted_server::arrival> sent() const {
    std::vector<scripted_server::arrival> found;
    for (const auto& each : server.seen())
      if (each.line == "POST /v1/x") found.push_back(each);
    return found;
  }

  run::interrupt signals;  // before any thread
  std::FILE* file = std::tmpfile();
  base::output out{file};
  base::monotonic_clock clock;
  fake::log_book book;
  fake::dataset data;
  fake_codec codec;
  fake_backend backend{codec};
  config::plan plan;
  std::mutex mutex;                   // guards the members below
  std::vector<std::int64_t> lengths;  // output_tokens and model of every sample that the codec got
  std::vector<std::string> models;

 private:
  void answer(scripted_server& s, std::size_t request) {
    const std::string line = s.seen()[request].line;
    if (line == "POST /v1/x") return script_(s, request);
    s.send(request, page_of(line));
  }

  std::string page_of(const std::string& line) {
    const std::lock_guard lock(mutex);
    const auto at = std::ranges::find(pages_, line, &std::pair<std::string, std::string>::first);
    if (at == pages_.end()) return busy_answer;
    std::string page = page_answer(at->second);
    pages_.erase(at);
    return page;
  }

  scripted_server::script script_;
  page_list pages_;  // guarded by `mutex`

 public:
  scripted_server server;  // last member: its thread uses the members above
};

/// A batch of the samples.
struct batch_of {
  explicit batch_of(const std::vector<dataset::sample_ptr>& samples) {
    for (const auto& each : samples)
      items.push_back({sizeof(ifb_batch_item), 0, &each->c, nullptr});
    order.items = items;
    order.sampling = full_length_sampling(1, -1);
  }
  std::vector<ifb_batch_item> items;
  batch_order order;
};

}  // namespace inferbench::batch::http_test
