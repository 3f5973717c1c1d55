// A plugin with the batch interface whose answers are written in the test, and a catalog of plugins
// that are made in the test program.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "base/error.hpp"
#include "config/catalog.hpp"
#include "plugin/instance.hpp"

namespace inferbench::batch {

/// The functions of the engine; one test at a time. Results must live until the test has read them.
struct engine_script {
  std::function<ifb_status(const ifb_engine_setup&, ifb_error*)> configure;
  std::function<ifb_status(ifb_loaded_engine*, ifb_error*)> load;
  std::function<ifb_status(const ifb_batch&, ifb_batch_report*, ifb_error*)> run;
  int cancels = 0;

  static engine_script& now() {
    static engine_script script;
    return script;
  }
};

inline ifb_status fail_with(ifb_error* error, ifb_status code, const char* message) {
  error->code = code;
  std::strncpy(error->message, message, sizeof error->message - 1);
  return code;
}

inline const ifb_batch_engine& scripted_table() {
  static const ifb_batch_engine table = [] {
    ifb_batch_engine out{};
    out.struct_size = sizeof out;
    out.load = [](ifb_instance*, ifb_loaded_engine* to, ifb_error* error) -> ifb_status {
      const auto& script = engine_script::now().load;
      return script ? script(to, error) : IFB_OK;
    };
    out.run = [](ifb_instance*, const ifb_batch* batch, ifb_arena*, ifb_batch_report* to,
                 ifb_error* error) -> ifb_status {
      return engine_script::now().run(*batch, to, error);
    };
    out.cancel = [](ifb_instance*) { ++engine_script::now().cancels; };
    out.configure = [](ifb_instance*, const ifb_engine_setup* setup,
                       ifb_error* error) -> ifb_status {
      const auto& script = engine_script::now().configure;
      return script ? script(*setup, error)
                    : fail_with(error, IFB_E_UNSUPPORTED, "this engine has no options");
    };
    return out;
  }();
  return table;
}

/// A backend without abilities besides generating from prompts. `options` must outlive it.
inline ifb_plugin scripted_plugin(const char* id, const std::vector<ifb_option>& options = {}) {
  static const char* const interfaces[] = {IFB_BATCH_ENGINE, nullptr};
  ifb_plugin out{};
  out.struct_size = sizeof out;
  out.kind = IFB_BACKEND;
  out.id = id;
  out.version = "1.0.0";
  out.summary = "For tests.";
  out.license = "Apache-2.0";
  out.options = options.data();
  out.option_count = static_cast<std::uint32_t>(options.size());
  out.option_stride = sizeof(ifb_option);
  out.create = [](const ifb_host*, const ifb_config*, ifb_instance** to, ifb_error*) -> ifb_status {
    static int self = 0;
    *to = reinterpret_cast<ifb_instance*>(&self);
    return IFB_OK;
  };
  out.destroy = [](ifb_instance*) {};
  out.interfaces = interfaces;
  out.query = [](const ifb_plugin*, const char* interface_id) -> const void* {
    return std::strcmp(interface_id, IFB_BATCH_ENGINE) == 0 ? &scripted_table() : nullptr;
  };
  return out;
}

/// The plugins that a test puts in. They must outlive the catalog.
class listed_plugins final : public config::catalog {
 public:
  void put(const ifb_plugin& one) { plugins_.push_back(&one); }

  void look_in(std::vector<std::filesystem::path>, bool) override {}
  plugin::loaded load(ifb_kind kind, std::string_view name, const plugin::pin&) override {
    const ifb_plugin* const found = find(kind, name);
    if (found == nullptr)
      throw base::error("no " + std::string(plugin::name_of(kind)) + " is called " +
                        std::string(name));
    plugin::loaded out;
    out.plugin = found;
    out.file = "/plugins/" + std::string(name) + ".so";
    return out;
  }
  bool came_with_program(const plugin::loaded&) override { return true; }
  bool installed(ifb_kind kind, std::string_view name) override {
    return find(kind, name) != nullptr;
  }
  std::vector<plugin::described> list(const std::vector<std::string>&) override { return {}; }

 private:
  [[nodiscard]] const ifb_plugin* find(ifb_kind kind, std::string_view name) const {
    for (const ifb_plugin* each : plugins_)
      if (each->kind == kind && each->id == name) return each;
    return nullptr;
  }

  std::vector<const ifb_plugin*> plugins_;
};

}  // namespace inferbench::batch
