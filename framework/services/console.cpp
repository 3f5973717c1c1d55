#include "services/console.hpp"

#include <string>

#include "plugin/host.hpp"
#include "plugin/instance.hpp"

namespace inferbench::services {

namespace {

console& console_of(const ifb_host* host) {
  return *static_cast<console*>(plugin::services_of(host).console_state);
}

// Plugins call these functions. noexcept: a lack of memory ends the program, because no exception
// may pass through the frames of a plugin.
void print(const ifb_host* host, ifb_str text) noexcept {
  console_of(host).print(plugin::view(text));
}

void artifact(const ifb_host* host, ifb_str what, ifb_str path) noexcept {
  console_of(host).artifact(plugin::view(what), plugin::view(path));
}

constexpr ifb_console_service console_table{sizeof(ifb_console_service), 0, &print, &artifact};

}  // namespace

void console::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  out_.write(text);
  out_.flush();
}

void console::line(std::string_view text) { print(std::string(text) + "\n"); }

void console::artifact(std::string_view what, std::string_view path) {
  const std::lock_guard lock(mutex_);
  artifacts_.emplace_back(what, path);
}

void console::print_artifacts() {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [what, path] : artifacts_)
      text.append("Saved ").append(what).append(": ").append(path).append("\n");
    artifacts_.clear();
  }
  print(text);
}

void console::forget_artifacts_in(std::string_view folder) {
  const std::lock_guard lock(mutex_);
  std::erase_if(artifacts_, [&](const auto& one) { return one.second.starts_with(folder); });
}

const ifb_console_service& console::service() noexcept { return console_table; }

}  // namespace inferbench::services
