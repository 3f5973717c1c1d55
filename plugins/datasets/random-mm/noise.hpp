// Images and videos of noise.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>

#include <inferbench/random.hpp>

#include "bucket.hpp"

namespace random_mm {

/// Limits the memory of the pixels that all threads together encode. Any thread.
class pixel_budget {
 public:
  explicit pixel_budget(std::uint64_t bytes) : bytes_(bytes) {}
  pixel_budget(const pixel_budget&) = delete;
  pixel_budget& operator=(const pixel_budget&) = delete;

  /// Memory that a thread may use; the destructor returns it. Must not outlive the budget.
  class share {
   public:
    share(pixel_budget& from, std::uint64_t bytes);
    share(const share&) = delete;
    share& operator=(const share&) = delete;
    ~share();

   private:
    pixel_budget& from_;
    std::uint64_t bytes_;
  };

 private:
  const std::uint64_t bytes_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::uint64_t used_ = 0;
};

/// Makes files of noise: an image is a JPEG file, a video is an MP4 file. Any thread; several
/// threads at the same time.
class noise {
 public:
  /// The budget for pixels. A single medium may be larger.
  static constexpr std::uint64_t usual_budget = std::uint64_t{256} << 20U;

  explicit noise(std::uint64_t budget = usual_budget) : budget_(budget) {}

  /// Draws the pixels, of.bytes() bytes, and encodes them. Waits while other threads use the whole
  /// budget. Throws inferbench::media::failure.
  [[nodiscard]] std::string file(const bucket& of, ifb::numpy_pcg64& random);

  /// Encodes a black frame of this size, so that a missing codec and a size that the format cannot
  /// store are found before the run. Throws ifb::failure: IFB_E_UNSUPPORTED without the codec,
  /// IFB_E_CONFIG for the option bucket-config.
  void check(const bucket& of);

 private:
  pixel_budget budget_;
};

}  // namespace random_mm
