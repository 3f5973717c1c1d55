// The stages of multimodal preprocessing from metrics pages of servers: histograms of seconds, of
// which two readings are compared, before and after a batch. Pure functions. A page is not trusted.
//
// A table in the source has the metrics. A server without such metrics has no stages.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "batch/batch_executor.hpp"

namespace inferbench::batch {

/// The sum of a histogram's label sets.
struct stage_histogram {
  double count = 0;
  double seconds = 0;
};

/// Histograms by the names of stages ("encoder_forward_secs").
using stage_histograms = std::map<std::string, stage_histogram, std::less<>>;

/// The stages of a page. Values that are negative or not finite are left out.
[[nodiscard]] stage_histograms read_stages(std::string_view page);

/// Adds the histograms of another page.
void add_stages(stage_histograms& to, const stage_histograms& other);

/// A stage in the time between two readings. Servers count an observation for a request, or for
/// several requests that they handle together.
struct observed_stage {
  std::string name;
  double count = 0;
  double mean_s = 0;
};

/// The stages that `after` has more observations of than `before`, in the order of processing. A
/// histogram that was reset in between is left out.
[[nodiscard]] std::vector<observed_stage> stages_between(const stage_histograms& before,
                                                         const stage_histograms& after);

/// The means in seconds, and `num_encoder_calls`, the number of observations of the encoder.
[[nodiscard]] std::vector<engine_measure> stage_measures(const std::vector<observed_stage>& stages);

}  // namespace inferbench::batch
