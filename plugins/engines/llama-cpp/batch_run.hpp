// One batch of samples, from the order of the host to its report.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "decode_loop.hpp"
#include "model.hpp"
#include "whole_characters.hpp"

namespace llama_cpp {

/// Returns the seed of an output's sampler: it depends on the seed of the run and on the number of
/// the output only, so that the texts do not depend on the order of decoding.
[[nodiscard]] std::uint32_t seed_of(std::uint64_t run_seed, std::uint64_t number) noexcept;

/// Makes the prompts in its constructor, decodes in run(), and keeps the results. Used by one
/// thread at a time.
class batch_run {
 public:
  /// Nothing of `batch` is kept. Throws failure for a mode or flag that the engine does not have
  /// (IFB_E_UNSUPPORTED) and for a sample without a wanted length (IFB_E_CONFIG). A prompt that
  /// cannot be used, or is too long, becomes the failed result of its sample.
  batch_run(model& with, const ifb_batch& batch, std::uint64_t seed, ifb::arena memory);

  /// The timed section: from the first call of llama_decode to the last token. Throws failure like
  /// decode_loop::step(). `loop` is empty afterwards in any case.
  void run(decode_loop& loop);

  /// After run(). The report points into this object.
  [[nodiscard]] ifb_batch_report report();

 private:
  struct item;
  /// One output of an item.
  struct output final : token_sink {
    output(batch_run& of, item& part_of) noexcept : of_(of), item_(part_of) {}
    void on_token(llama_token token, std::uint64_t at, bool ends, end_reason why) override;

    batch_run& of_;
    item& item_;
    whole_characters characters_;
    std::string text_;
    std::int64_t tokens_ = 0;
    end_reason reason_ = end_reason::length;
  };
  struct item {
    std::shared_ptr<const std::vector<llama_token>> prompt;
    std::int64_t max_tokens = 0;
    ifb_status status = IFB_OK;
    std::string error;
    std::vector<std::unique_ptr<output>> outputs;
    std::vector<ifb_batch_output> results;
    std::vector<std::uint64_t> token_ns;
    std::uint64_t first_ns = 0;
    std::uint64_t last_ns = 0;
  };

  void take(item& to, const ifb_batch_item& from, const ifb_batch& batch, ifb::arena memory);
  void add_to(decode_loop& loop);
  void show_progress();
  [[nodiscard]] ifb_batch_result result_of(item& from);

  model& model_;
  ifb_sampling sampling_;
  std::uint64_t seed_;
  bool text_;
  bool stamps_;
  std::vector<item> items_;
  std::string piece_;
  std::uint64_t ended_ = 0;  // outputs
  std::uint64_t all_ = 0;
  std::uint64_t shown_ = 0;
  std::uint64_t shown_ns_ = 0;
  std::uint64_t began_ns_ = 0;
  std::uint64_t last_ns_ = 0;
  loop_counts counts_;
  std::vector<ifb_batch_result> results_;
  std::vector<ifb_measure> measures_;
};

}  // namespace llama_cpp
