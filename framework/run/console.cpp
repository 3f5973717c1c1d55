#include "run/console.hpp"

#include <string>

#include "plugin/host.hpp"
#include "plugin/instance.hpp"

namespace inferbench::run {

namespace {

console& of(const ifb_host* host) {
  return *static_cast<console*>(plugin::services_of(host).console_state);
}

void print(const ifb_host* host, ifb_str text) { of(host).print(plugin::view(text)); }

void artifact(const ifb_host* host, ifb_str what, ifb_str path) {
  of(host).artifact(plugin::view(what), plugin::view(path));
}

constexpr ifb_console_service table{sizeof(ifb_console_service), 0, &print, &artifact};

}  // namespace

void console::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

void console::line(std::string_view text) { print(std::string(text) + "\n"); }

void console::artifact(std::string_view what, std::string_view path) {
  const std::lock_guard lock(mutex_);
  artifacts_ += "Saved " + std::string(what) + ": " + std::string(path) + "\n";
}

void console::print_artifacts() {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    text.swap(artifacts_);
  }
  print(text);
}

const ifb_console_service& console::service() noexcept { return table; }

}  // namespace inferbench::run
