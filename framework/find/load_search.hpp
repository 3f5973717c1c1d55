// Carries out `inferbench find`: one run for each load that the search chooses, until the limit is
// known. Each run has prompts of its own and begins when the servers are idle. After each run the
// file find.json in the folder of the search is up to date.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "config/request.hpp"
#include "find/goal_samples.hpp"
#include "find/search_json.hpp"
#include "limit/wording.hpp"
#include "observe/idle.hpp"
#include "run/interrupt.hpp"
#include "services/target.hpp"

namespace inferbench::find {

struct search_outcome {
  limit::search_record record;
  search_facts about;
  std::vector<std::filesystem::path> journals;  // of the probes that ended, in their order
  std::string json;                             // search_json()
};

/// The request of one run: that of the user with these flags more.
using probe_request = std::function<config::request(const std::vector<std::string>& more)>;

class load_search {
 public:
  /// Everything that is passed by reference must outlive this object. Throws base::error for a goal
  /// that cannot be judged.
  load_search(const config::find_request& asked, probe_request request_of, base::log& log,
              base::output& out, run::interrupt& signals);

  /// Main thread. The user's first signal ends the search with the probes so far. Throws
  /// base::error if the first run cannot begin or a file cannot be written.
  [[nodiscard]] search_outcome carry_out(const std::filesystem::path& folder);

 private:
  /// Carries out the run of a probe with these flags more. Throws base::error if it cannot begin.
  void measure(double load, const std::vector<std::string>& flags, limit::probe_evidence& found,
               probe_run& run, search_facts& about);
  /// Returns false if the search ends with this probe.
  bool probe(double load, search_outcome& into);
  void write_once(base::log_level level, std::string_view line);
  [[nodiscard]] std::vector<std::string> flags_of(double load, std::size_t number,
                                                  const std::filesystem::path& journal) const;
  /// Waits that the user's signal ends.
  [[nodiscard]] observe::idle_wait waiting();
  void wait_for_servers(const services::target& servers, const base::clock& clock);
  /// Returns false, with a line in the log, if the server is gone, or if the user stops the wait.
  /// `before`: its reply before the probe.
  [[nodiscard]] bool server_answers(const services::target& servers, const base::clock& clock,
                                    observe::reply before);
  void save(search_outcome& into);

  const config::find_request& asked_;
  probe_request request_of_;
  base::log& log_;
  base::log probe_log_;  // a line that the log has from an earlier probe is not written again
  base::output& out_;
  // The texts of a single run: the line of the probe says what is to be known.
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere_;
  base::output unheard_;
  run::interrupt& signals_;
  goal_samples goals_;
  limit::search search_;
  std::filesystem::path folder_;
  double least_step_ = 1;
  std::mutex mutex_;
  std::set<std::string> written_;  // lines without their digits; protected by mutex_
};

/// The label of a probe in the table of runs: "12.5 requests/s: passed". One line.
[[nodiscard]] std::string label_of(const limit::search_record& search,
                                   const limit::probe_record& probe);

}  // namespace inferbench::find
