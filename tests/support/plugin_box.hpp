// Uses a plugin only through the C contract, like the host: loads the library from its file, and
// creates the plugin from named option values, with a host whose memory can run out. Header-only,
// for the tests of plugins.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

namespace support {

/// An arena that allocates every block separately, so that a sanitizer detects an overrun by one
/// byte.
class arena {
 public:
  explicit arena(std::size_t allocations = SIZE_MAX) : left_(allocations) {}

  [[nodiscard]] ifb_arena* handle() { return reinterpret_cast<ifb_arena*>(this); }
  static arena& of(ifb_arena* handle) { return *reinterpret_cast<arena*>(handle); }

  void* alloc(std::size_t bytes) {
    if (left_ == 0) return nullptr;
    --left_;
    ++allocations_;
    blocks_.push_back(std::make_unique<char[]>(bytes));
    return blocks_.back().get();
  }
  [[nodiscard]] std::size_t allocations() const { return allocations_; }

 private:
  std::size_t left_;
  std::size_t allocations_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;
};

/// A host's table with the services in `services`; it stores the log lines.
class host {
 public:
  host() {
    table_.c.struct_size = sizeof table_.c;
    table_.c.abi_major = IFB_ABI_MAJOR;
    table_.c.abi_minor = IFB_ABI_MINOR;
    table_.c.version = "0.0.0";
    table_.c.log = [](const ifb_host* h, std::uint32_t, ifb_str text) {
      const std::lock_guard lock(of(h).mutex_);
      of(h).log_.emplace_back(ifb::view(text));
    };
    table_.c.log_level = [](const ifb_host*) -> std::uint32_t { return 0; };
    table_.c.now = [](const ifb_host*) -> std::uint64_t { return 1; };
    table_.c.seed = [](const ifb_host*, std::uint64_t stream) -> std::uint64_t { return stream; };
    table_.c.cancelled = [](const ifb_host*) -> std::uint32_t { return 0; };
    table_.c.alloc = [](const ifb_host*, ifb_arena* a, std::size_t bytes) {
      return arena::of(a).alloc(bytes);
    };
    table_.c.service = [](const ifb_host* h, const char* id) -> const void* {
      const auto at = of(h).services.find(id);
      return at == of(h).services.end() ? nullptr : at->second;
    };
    table_.c.unix_now = [](const ifb_host*) -> std::int64_t { return 1'700'000'000'000'000'000; };
    table_.self = this;
  }
  host(const host&) = delete;
  host& operator=(const host&) = delete;

  static host& of(const ifb_host* table) { return *reinterpret_cast<const linked*>(table)->self; }
  [[nodiscard]] const ifb_host* table() const { return &table_.c; }
  [[nodiscard]] std::vector<std::string> log() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  std::map<std::string, const void*, std::less<>> services;
  void* state = nullptr;  // state of the services

 private:
  struct linked {
    ifb_host c{};
    host* self = nullptr;
  };
  linked table_;
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
};

using setting = std::variant<std::string, std::int64_t>;
using settings = std::map<std::string, setting, std::less<>>;

inline std::string plugin_file(const char* folder_and_name) {
  return std::string(INFERBENCH_PLUGIN_FOLDER) + "/" + folder_and_name + ".so";
}

/// One plugin of a library. The library stays loaded.
class plugin_box {
 public:
  plugin_box(const std::string& file, ifb_kind kind, std::string_view id) : file_(file) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    const auto entry = reinterpret_cast<ifb_entry>(dlsym(library, IFB_ENTRY_NAME));
    if (entry == nullptr) throw std::runtime_error(file + " has no entry");
    const ifb_library* const said = entry(IFB_ABI_MAJOR, IFB_ABI_MINOR);
    for (std::uint32_t i = 0; i < said->plugin_count; ++i) {
      if (said->plugins[i]->kind == kind && said->plugins[i]->id == id) plugin_ = said->plugins[i];
    }
    if (plugin_ == nullptr) throw std::runtime_error(file + " has no plugin " + std::string(id));
  }
  plugin_box(const plugin_box&) = delete;
  plugin_box& operator=(const plugin_box&) = delete;
  ~plugin_box() {
    if (self_ != nullptr) plugin_->destroy(self_);
  }

  /// Options that are not in `given` are not set: the host would fill in defaults.
  ifb_status create(const settings& given) {
    std::vector<ifb_value> values;
    for (const auto& option : ifb::options_of(*plugin_)) {
      ifb_value value{};
      value.type = option.type;
      if (const auto at = given.find(option.name); at != given.end()) {
        value.is_set = 1;
        if (const auto* text = std::get_if<std::string>(&at->second))
          value.as.s = ifb::str(*text);
        else
          value.as.i = std::get<std::int64_t>(at->second);
      }
      values.push_back(value);
    }
    const ifb_config config{sizeof config, static_cast<std::uint32_t>(values.size()), values.data(),
                            plugin_, file_.c_str()};
    error = {};
    error.option = -1;
    return plugin_->create(host.table(), &config, &self_, &error);
  }

  [[nodiscard]] std::string option_at_fault() const {
    return error.option < 0
               ? ""
               : ifb::options_of(*plugin_)[static_cast<std::size_t>(error.option)].name;
  }
  [[nodiscard]] const ifb_plugin& plugin() const { return *plugin_; }
  [[nodiscard]] ifb_instance* get() const { return self_; }
  template <typename operations>
  [[nodiscard]] const operations& query(const char* interface_id) const {
    const void* const found = plugin_->query(plugin_, interface_id);
    if (found == nullptr) throw std::runtime_error(std::string("no ") + interface_id);
    return *static_cast<const operations*>(found);
  }

  support::host host;
  ifb_error error{};

 private:
  std::string file_;
  const ifb_plugin* plugin_ = nullptr;
  ifb_instance* self_ = nullptr;
};

}  // namespace support
