#include "services/preparation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "plugin/host.hpp"
#include "plugin/instance.hpp"

namespace inferbench::services {

namespace {

constexpr std::uint64_t between_progress_ns = 2 * base::ns_per_s;

}  // namespace

void preparation::report(std::string_view what, std::uint64_t done, std::uint64_t total) {
  const std::uint64_t now = clock_.now();
  const std::lock_guard lock(mutex_);
  auto found = all_.find(what);
  if (found == all_.end()) found = all_.emplace(what, state{.said_ns = now}).first;
  state& of = found->second;
  const bool over = total != 0 && done >= total;
  if (over ? of.said : now - of.said_ns >= between_progress_ns) {
    if (total == 0)
      log_.info(fmt::format("{}: {}", what, done));
    else
      log_.info(fmt::format(
          "{}: {:.0f} %", what,
          100.0 * static_cast<double>(std::min(done, total)) / static_cast<double>(total)));
    of = {.said_ns = now, .said = true};
  }
  if (over) all_.erase(found);
}

const ifb_progress_service& preparation::service() noexcept {
  static constexpr ifb_progress_service table = {
      sizeof(ifb_progress_service), 0,
      // noexcept: a lack of memory ends the program, because no exception may pass through the
      // frames of the plugin that calls this function.
      [](const ifb_host* host, ifb_str what, std::uint64_t done, std::uint64_t total) noexcept {
        static_cast<preparation*>(plugin::services_of(host).progress_state)
            ->report(plugin::view(what), done, total);
      }};
  return table;
}

}  // namespace inferbench::services
