// The computed answer to one batch, with the memory to which the host's report points.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/views.hpp>

#include "batch_schedule.hpp"
#include "reference_options.hpp"
#include "request_facts.hpp"
#include "word_text.hpp"

namespace reference_engine {

/// One request of a batch.
struct computed_request {
  request_facts facts;
  request_times times;
  ifb_status status = IFB_OK;
  std::uint32_t error = 0;  // index of the message, if status is not IFB_OK
};

/// Used by one thread. Neither copied nor moved, because the report points into it.
class reference_answer {
 public:
  /// Computes the answer. `stopped` is called now and then; if it returns true, throws failure with
  /// IFB_E_CANCELLED. Throws failure also if the batch as a whole cannot be run: an unknown mode,
  /// no items, more than most_events token events, or times beyond longest_time_ns. `text` must
  /// outlive the report; an answer makes texts of earlier answers invalid.
  reference_answer(const ifb_batch& batch, const reference_options& given, std::uint64_t seed,
                   word_text& text, const std::function<bool()>& stopped);
  reference_answer(const reference_answer&) = delete;
  reference_answer& operator=(const reference_answer&) = delete;

  [[nodiscard]] std::uint64_t length_ns() const noexcept { return schedule_.length(); }
  [[nodiscard]] const std::vector<computed_request>& requests() const noexcept { return requests_; }
  [[nodiscard]] std::uint32_t outputs() const noexcept { return outputs_; }

  /// The report for a timed section that begins at `began_ns`. Call it once. It lives as long as
  /// this object.
  [[nodiscard]] ifb_batch_report report(std::uint64_t began_ns);

  /// Most outputs, and most times of tokens, of one batch: 8 GB of memory.
  static constexpr std::uint64_t most_events = std::uint64_t{1} << 30U;

 private:
  struct shared_stamps {
    std::uint64_t most_tokens = 0;
    std::size_t at = 0;  // index in stamps_
  };

  void add(std::uint32_t number, const ifb_batch_item& item);
  [[nodiscard]] request_facts checked_facts(const ifb_batch_item& item) const;
  std::uint32_t keep_error(std::string text);
  [[nodiscard]] std::string name_of(std::uint32_t number) const;
  void make_stamps();
  void put_outputs(ifb_batch_result& to, std::uint32_t number, const computed_request& from);
  void put_measures(ifb_batch_result& to, const computed_request& from);
  void add_measure(std::string_view name, std::uint64_t begin, std::uint64_t duration);
  [[nodiscard]] bool has_stamps() const { return (batch_.flags & IFB_BATCH_STAMPS) != 0; }

  const ifb_batch& batch_;  // borrowed by the host until the next run
  const reference_options& given_;
  std::uint64_t seed_;
  word_text& text_;
  std::uint32_t outputs_;  // of each request
  batch_schedule schedule_;
  std::uint64_t began_ = 0;
  std::vector<computed_request> requests_;
  std::vector<std::string> errors_;
  std::map<std::string, std::uint32_t> known_errors_;
  std::vector<ifb_batch_result> results_;
  std::vector<ifb_batch_output> outputs_of_all_;
  std::vector<ifb_measure> measures_;
  // Requests with the same first token share their stamps, by the time of this token.
  std::map<std::uint64_t, shared_stamps> groups_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t steps_ = 0;  // number of tokens that were made, over all outputs
};

}  // namespace reference_engine
