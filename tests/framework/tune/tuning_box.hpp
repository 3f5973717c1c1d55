// A folder for the tests of real tunings, with a server on an address of its own.
#pragma once

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.hpp"
#include "base/text.hpp"
#include "experiment/sweep_console.hpp"
#include "stand_in_programs.hpp"
#include "support/own_host.hpp"
#include "support/temporary_folder.hpp"
#include "tune/option_check.hpp"
#include "tune/tune_request.hpp"

namespace inferbench::tune {

class tuning_box {
 public:
  /// The flags of a tuning with the stand-in server.
  [[nodiscard]] std::vector<std::string> flags(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"--serve-cmd",
                                 "/proc/self/exe " + std::string(stand_in_server_word) +
                                     " --host " + support::own_host() + " --log " +
                                     folder.quoted("log") + " --fatal " + fatal_path,
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
  command_readers readers = accepting_readers();
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{
      std::fopen(folder.path("printed").c_str(), "w"), &std::fclose};
  base::output out{file.get()};
  std::atomic<bool> stop = false;
  experiment::sweep_console console{out, false, [](std::string_view) {}};
};

}  // namespace inferbench::tune
