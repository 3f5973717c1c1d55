// The plugin python-engine with a worker that a test chooses, and what one request hears.
#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/draft/batch_engine.hpp>

#include "engine_host.hpp"
#include "engines/python-engine/python_plugin.hpp"

namespace python_engine {

using engine_test::engine_host;
using engine_test::text_batch;

inline constexpr const ifb_plugin& described = ifb::draft::batch_engine<python_plugin>::descriptor;

/// The events of one request; its end can be waited for.
struct heard_request {
  heard_request() {
    table.struct_size = sizeof table;
    table.on_token = [](ifb_output* to, const ifb_token* t) {
      of(to).lines.push_back(std::string(ifb::view(t->text)) + " " + std::to_string(t->count) +
                             (t->at != 0 ? " stamped" : ""));
    };
    table.on_usage = [](ifb_output* to, const ifb_usage* u) {
      of(to).lines.push_back("usage " + std::to_string(u->prompt_tokens) + " " +
                             std::to_string(u->output_tokens));
    };
    table.on_attribute = [](ifb_output*, ifb_str, ifb_str) {};
    table.on_done = [](ifb_output* to, const ifb_done* d) {
      of(to).lines.push_back("done " + std::string(ifb::view(d->finish_reason)));
      of(to).over.set_value();
    };
    table.on_error = [](ifb_output* to, const ifb_error* e) {
      of(to).lines.push_back(e->message);
      of(to).code = e->code;
      of(to).over.set_value();
    };
  }
  static heard_request& of(ifb_output* to) { return *reinterpret_cast<heard_request*>(to); }
  ifb_output* handle() { return reinterpret_cast<ifb_output*>(this); }
  void wait() { over.get_future().wait(); }

  ifb_events table{};
  std::vector<std::string> lines;
  ifb_status code = IFB_OK;
  std::promise<void> over;
};

class python_plugins : public testing::Test {
 protected:
  ~python_plugins() override {
    if (self_ != nullptr) described.destroy(self_);
  }

  /// Creates the plugin with the options of these names. `folder`: the folder of the library, in
  /// which the plugin looks for its worker; a fake program as `python` does not need the worker.
  void create(const std::string& python, const std::string& adapter,
              const std::string& engine = "{}", const std::string& folder = "/nowhere") {
    const std::string file = folder + "/python-engine.so";
    std::vector<ifb_value> values;
    const auto options = ifb::options_of(described);
    for (const ifb_option& each : options) {
      ifb_value value{};
      value.type = each.type;
      const std::string_view name = each.name;
      if (name == "python" || name == "adapter" || name == "engine") {
        value.is_set = 1;
        value.as.s = ifb::str(name == "python" ? python : name == "adapter" ? adapter : engine);
      } else if (name.ends_with("-timeout")) {
        value.is_set = 1;
        value.as.i = 60'000'000'000;
      }
      values.push_back(value);
    }
    const ifb_config config{sizeof(ifb_config), static_cast<std::uint32_t>(values.size()),
                            values.data(), &described, file.c_str()};
    status_ = described.create(host_.table(), &config, &self_, &error_);
  }
  template <typename table>
  static const table& ops(const char* id) {
    return *static_cast<const table*>(described.query(&described, id));
  }
  static const ifb_batch_engine& batches() { return ops<ifb_batch_engine>(IFB_BATCH_ENGINE); }
  static const ifb_engine& engine() { return ops<ifb_engine>(IFB_ENGINE); }

  ifb_status load() {
    loaded_.struct_size = sizeof loaded_;
    return batches().load(self_, &loaded_, &error_);
  }
  ifb_status run(const ifb_batch& batch) {
    report_.struct_size = sizeof report_;
    return batches().run(self_, &batch, host_.arena().handle(), &report_, &error_);
  }
  ifb_status submit(heard_request& heard, ifb_call*& call) {
    return engine().submit(self_, &what_.sample(0), host_.arena().handle(), &heard.table,
                           heard.handle(), &call, &error_);
  }

  engine_host host_;
  text_batch what_{{"one", "two"}};
  ifb_status status_ = IFB_OK;
  ifb_instance* self_ = nullptr;
  ifb_error error_ = IFB_ERROR_INIT;
  ifb_loaded_engine loaded_{};
  ifb_batch_report report_{};
};

inline ifb_part blank_part(std::uint32_t kind) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = kind;
  return out;
}

}  // namespace python_engine
