// Tells the user if requests go without the images, videos and sound of their samples, because the
// backend sends text only.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "dataset/sample.hpp"

namespace inferbench::prompts {

class unsent_media {
 public:
  /// `backend`: the name of the backend. `log` must outlive this object.
  unsent_media(std::string backend, base::log& log) : backend_(std::move(backend)), log_(log) {}

  /// Logs a warning for the first sample with media, once. Removes the length of a sound that is
  /// not sent from the metadata of its sample: otherwise the run would have an RTFx. [main thread
  /// before the run, then the feeding thread]
  void see(std::span<const dataset::sample_ptr> some);

 private:
  std::string backend_;
  base::log& log_;
  bool told_ = false;
};

}  // namespace inferbench::prompts
