// A record for a scorer, and its score as one text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/draft/scorer.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

namespace scorers {

/// A record that succeeded, with this answer and these attributes. Its texts live in the object.
class scored_record {
 public:
  scored_record(std::string answer, std::vector<std::pair<std::string, std::string>> attributes)
      : answer_(std::move(answer)), attributes_(std::move(attributes)) {
    for (const auto& [name, value] : attributes_)
      fields_.push_back(ifb::field(name, value));
    record_.struct_size = sizeof record_;
    record_.status = IFB_OK;
    record_.text = ifb::str(answer_);
    record_.attributes = fields_.data();
    record_.attribute_count = static_cast<std::uint32_t>(fields_.size());
  }
  scored_record(const scored_record&) = delete;
  scored_record& operator=(const scored_record&) = delete;

  [[nodiscard]] const ifb_record& get() const { return record_; }

 private:
  std::string answer_;
  std::vector<std::pair<std::string, std::string>> attributes_;
  std::vector<ifb_field> fields_;
  ifb_record record_{};
};

/// Returns "right", "none", or the reason of a wrong answer.
inline std::string shown(const ifb::draft::score_result& found) {
  if (!found.value()) return "none";
  if (*found.value() == 1) return "right" + found.reason();
  return *found.value() == 0 ? found.reason() : "neither right nor wrong";
}

/// Returns a text of `count` times `part`.
inline std::string repeated(std::string_view part, std::size_t count) {
  std::string out;
  out.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i)
    out += part;
  return out;
}

}  // namespace scorers
