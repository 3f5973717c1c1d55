// A folder for the tests of real tunings, with a server on an address of its own.
#pragma once

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "base/output.hpp"
#include "base/text.hpp"
#include "experiment/sweep_console.hpp"
#include "stand_in_programs.hpp"
#include "support/temporary_folder.hpp"
#include "tune/tune_request.hpp"

namespace inferbench::tune {

/// An address of the loopback network 127.0.0.0/8 that no other process uses: it contains the id of
/// this process.
inline std::string own_host() {
  const auto id = static_cast<unsigned>(::getpid());
  return "127." + std::to_string(1 + (id >> 16U) % 254) + "." + std::to_string((id >> 8U) % 256) +
         "." + std::to_string(id % 256);
}

class tuning_box {
 public:
  /// The flags of a tuning with the stand-in server.
  [[nodiscard]] std::vector<std::string> flags(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"--serve-cmd",
                                 "/proc/self/exe " + std::string(stand_in_server_word) +
                                     " --host " + own_host() + " --log " + folder.quoted("log"),
                                 "--port=20090",
                                 "--base=" + folder.path(),
                                 "--model=m",
                                 "--num-seqs-list=4",
                                 "--num-batched-tokens-list=8",
                                 "--max-latency-allowed-ms=1000"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    return base::read_file(folder.path(name));
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(folder.path(name));
  }
  /// The texts that were written to `out`.
  [[nodiscard]] std::string printed() {
    out.flush();
    return text("printed");
  }

  support::temporary_folder folder;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{
      std::fopen(folder.path("printed").c_str(), "w"), &std::fclose};
  base::output out{file.get()};
  std::atomic<bool> stop = false;
  experiment::sweep_console console{out, false, [](std::string_view) {}};
};

}  // namespace inferbench::tune
