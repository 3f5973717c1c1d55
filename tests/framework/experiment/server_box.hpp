// A server for a test: the stand-in server on an address of its own.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "experiment/server.hpp"
#include "experiment/sweep_console.hpp"
#include "experiment_box.hpp"
#include "support/own_host.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::experiment {

class server_box {
 public:
  explicit server_box(std::vector<std::string> flags = {}, const std::string& program = "vllm") {
    std::filesystem::create_symlink(std::filesystem::read_symlink("/proc/self/exe"),
                                    folder.path(program));
    setup.command = {
        folder.path(program), "--host", support::own_host(), "--port", "20080", "--log", log()};
    setup.command.insert(setup.command.end(), flags.begin(), flags.end());
  }

  void start() { running = std::make_unique<server>(setup); }
  /// Starts the server, which must fail, and returns the text of the error.
  std::string refusal() {
    try {
      start();
    } catch (const base::error& e) {
      return plain(e.what());
    }
    return "none";
  }

  [[nodiscard]] std::string log() const { return folder.path("log"); }
  [[nodiscard]] std::string requests() const { return base::read_file(log()); }
  [[nodiscard]] static std::string address() { return "http://" + support::own_host() + ":20080"; }
  /// The text with short names for the folder and the address.
  [[nodiscard]] std::string plain(std::string text) const {
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{folder.path(), "BIN"}, {address(), "ADDRESS"}})
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from))
        text.replace(at, from.size(), to);
    return text;
  }

  support::temporary_folder folder;
  kept_output out;
  std::atomic<bool> stop = false;
  sweep_console console{out.get(), false, [](std::string_view) {}};
  server_setup setup{.command = {},
                     .with = {.console = console, .stop = stop},
                     .poll_interval = std::chrono::milliseconds(1)};
  std::unique_ptr<server> running;  // last: it uses the members above
};

}  // namespace inferbench::experiment
