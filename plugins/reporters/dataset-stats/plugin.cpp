// The reporter `dataset-stats` draws the lengths of prompts and answers as a picture.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include <inferbench/plugin.hpp>

#include "picture.hpp"
#include "reporters/common/figures.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/plot.hpp"

namespace {

class dataset_stats {
 public:
  static constexpr const char* id = "dataset-stats";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Draws how many tokens the prompts and the answers had, as a PNG.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options : reporters::place_options {
    static constexpr auto schema() { return place_schema(); }
  };

  dataset_stats(ifb::host host, const options& given) : host_(host), options_(given) {}
  dataset_stats(const dataset_stats&) = delete;
  dataset_stats& operator=(const dataset_stats&) = delete;
  ~dataset_stats() { reporters::forget_fonts(); }

  void begin(const ifb_run& run) {
    place_.begin(run);
    run_ = ifb::describe(ifb::view(run.config_json));
    if (options_.label) run_.label = options_.label;
    sizes_.clear();
    if (run_.pooling)
      host_.warn("no dataset statistics: answers that come whole have no output tokens");
  }

  void records(ifb::strided<ifb_record> batch) {
    if (run_.pooling) return;
    for (const ifb_record& r : batch)
      if (!ifb::never_sent(r))
        sizes_.push_back({r.sequence, bounded(r.prompt_tokens),
                          r.status == IFB_OK ? bounded(r.output_tokens) : 0});
  }

  void end(const ifb_summary& result) {
    if (run_.pooling) return;
    if (sizes_.empty()) return host_.warn("no dataset statistics: no request was sent");
    reporters::draw_beside(host_, options_, place_, run_, result, "dataset statistics",
                           ".dataset_stats.png", [&](const std::filesystem::path& path) {
                             const std::string png = reporters::picture_of(in_order());
                             reporters::output_file file(path,
                                                         reporters::output_file::mode::replace);
                             file.write(png);
                             file.commit();
                           });
  }

 private:
  struct size {
    std::uint64_t sequence;
    std::int64_t prompt, output;
  };
  /// A server may report an absurd count; the picture must stay readable.
  static std::int64_t bounded(std::int64_t tokens) {
    return std::clamp<std::int64_t>(tokens, 0, std::int64_t{1} << 40U);
  }
  reporters::lengths in_order() {
    std::ranges::sort(sizes_, {}, &size::sequence);
    reporters::lengths out;
    for (const size& one : sizes_) {
      out.prompt.push_back(one.prompt);
      out.output.push_back(one.output);
    }
    return out;
  }

  ifb::host host_;
  options options_;
  reporters::own_place place_;
  ifb::run_description run_;
  std::deque<size> sizes_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<dataset_stats>);
