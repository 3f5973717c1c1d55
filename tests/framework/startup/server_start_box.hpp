// One start of the server of these tests, at an address that only this test process uses.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "starting_server.hpp"
#include "startup/server_start.hpp"
#include "support/temporary_folder.hpp"
#include "transport/url.hpp"

namespace inferbench::startup {

/// An address of the loopback network 127.0.0.0/8 that no other process uses: it contains the id of
/// this process.
inline std::string loopback_host_of_process() {
  const auto id = static_cast<unsigned>(::getpid());
  return "127." + std::to_string(1 + (id >> 16U) % 254) + "." + std::to_string((id >> 8U) % 256) +
         "." + std::to_string(id % 256);
}

class server_start_box {
 public:
  explicit server_start_box(const std::vector<std::string>& flags = {}) {
    setup.command = {std::filesystem::read_symlink("/proc/self/exe").string(),
                     starting_server_word,
                     "--host",
                     loopback_host_of_process(),
                     "--port",
                     "20081",
                     "--log",
                     folder.path("log")};
    setup.command.insert(setup.command.end(), flags.begin(), flags.end());
    setup.where = transport::resolve(transport::parse_url(address()));
  }

  [[nodiscard]] server_start_times measure() const {
    return measure_server_start(setup, clock, stop);
  }
  /// The text of the error, with short names for the program and the address.
  [[nodiscard]] std::string refusal() const {
    try {
      static_cast<void>(measure());
    } catch (const base::error& e) {
      return plain(e.what());
    }
    return "none";
  }

  [[nodiscard]] std::string requests() const { return base::read_file(folder.path("log")); }
  [[nodiscard]] bool was_started() const { return std::filesystem::exists(folder.path("log")); }
  [[nodiscard]] static std::string address() {
    return "http://" + loopback_host_of_process() + ":20081";
  }
  [[nodiscard]] std::string plain(std::string text) const {
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{setup.command.front(), "PROGRAM"},
          {address(), "ADDRESS"}})
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from))
        text.replace(at, from.size(), to);
    return text;
  }

  support::temporary_folder folder;
  base::monotonic_clock clock;
  std::atomic<bool> stop = false;
  server_start_setup setup;
};

}  // namespace inferbench::startup
