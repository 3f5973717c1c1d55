#include "check/dataset_rows.hpp"

#include "check/raw_call.hpp"
#include "check/sample.hpp"

namespace inferbench::check {

rows::rows(subject& s, const manner& how)
    : on_({}), instance_(s, on_, s.values()), memory_(how.memory), arena_(how.memory) {
  need(instance_);
  ops_ = dataset_of(s);
  const ifb_dataset_request request{sizeof(ifb_dataset_request), 0, how.wanted, how.seed};
  auto* const info = memory_.room<ifb_dataset_info>();
  // The error is in lent memory, because a plugin that keeps the pointer could otherwise overwrite
  // the stack later.
  ifb_error& error = *lend_error(memory_);
  const ifb_dataset_request* const lent = memory_.put(request);
  const ifb_status status = raw_call(ops_.plugin, "prepare", ops_.ifb_dataset::prepare,
                                     instance_.get(), lent, info, &error);
  judge_refusal(s, "prepare", status, error);
  if (status < 0 && how.strict && !s.given().settings.empty())
    s.fail("prepare fails: " + refusal(status, error),
           "let prepare succeed with the values that --set gives");
  if (status != IFB_OK)
    subject::skip("prepare refuses: " + refusal(status, error) +
                  "; give the options that the dataset needs with --set OPTION=VALUE");
  count_ = info->rows;
  flags_ = info->flags | ops_.flags;
}

std::string rows::read(std::uint64_t row, bool beside) {
  if (!beside) arena_.close();
  error_ = blank_error();
  sample_ = room_for_sample(memory_);
  status_ = raw_call(ops_.plugin, "read", ops_.ifb_dataset::read, instance_.get(), row,
                     arena_.handle(), sample_, &error_);
  return status_ == IFB_OK ? text_of(*sample_) : refusal(status_, error_);
}

std::string name_of_row(std::uint64_t row) {
  // The type has no number after the highest.
  return row == UINT64_MAX ? "row 18446744073709551616" : "row " + std::to_string(row + 1);
}

std::vector<std::string> first_rows(rows& from, std::uint64_t most) {
  std::vector<std::string> out;
  for (std::uint64_t row = 0; row < most; ++row) {
    out.push_back(from.read(row));
    if (from.status() == IFB_END || from.status() < 0) break;
  }
  return out;
}

}  // namespace inferbench::check
