// The part of a feed that reads rows: the plugin's call, the checks of its result, and the rows
// that other threads read in advance.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/units.hpp"
#include "dataset/conversation.hpp"
#include "dataset/feed.hpp"
#include "dataset/shape.hpp"

namespace inferbench::dataset {

void feed::call_into(read_row& row) const {
  row.data->clear();
  row.data->row = row.row;
  row.error = plugin::empty_error();
  row.status =
      operations_.read(dataset_->get(), row.row, &row.data->arena, &row.data->c, &row.error);
}

read_row feed::call(std::uint64_t row, sample_ptr data) const {
  read_row out{row, std::move(data)};
  call_into(out);
  return out;
}

void feed::fail(const read_row& row, const std::string& text, ifb_status code) const {
  throw plugin::refused(place_of(row.row) + ": " + text, row.error.option, code);
}

feed::reading feed::judge(const read_row& row) {
  switch (row.status) {
    case IFB_OK: {
      sample& made = *row.data;
      if (const char* wrong = wrong_with(made.c))
        fail(row, wrong, is_known(made.c) ? IFB_E_DATA : IFB_E_UNSUPPORTED);
      if (conversations() && (made.c.shape != IFB_PROMPT_CHAT || turns_of(made.c).empty()))
        fail(row, "a conversation must be chat messages, one of the user among them", IFB_E_DATA);
      drop_unknown_media(made);
      made.c.id = {};
      const auto left_out = conversations() && wanted_.max_tokens
                                ? cut_to(made, *wanted_.max_tokens)
                                : std::optional<std::size_t>(0);
      if (!left_out) {
        skips_.add("fewer than two turns of the conversation fit into " +
                       std::to_string(*wanted_.max_tokens) + " tokens",
                   row.row);
        return reading::skipped;
      }
      turns_left_out_ += *left_out;
      if (is_too_long(made.c)) {
        skips_.add(
            "prompt and output have more than " + std::to_string(*wanted_.max_tokens) + " tokens",
            row.row);
        return reading::skipped;
      }
      return reading::sample;
    }
    case IFB_SKIP:
      if (made_to_order_)
        fail(row, "made no sample: " + plugin::text_of(row.error, row.status), IFB_E_DATA);
      skips_.add(plugin::text_of(row.error, row.status), row.row);
      return reading::skipped;
    case IFB_END:
      if (made_to_order_) fail(row, "is missing", IFB_E_DATA);
      return reading::end;
    default: break;
  }
  fail(row, plugin::text_of(row.error, row.status), row.status);
}

bool feed::is_too_long(const ifb_sample& row) const noexcept {
  return wanted_.max_tokens && row.input_tokens >= 0 &&
         sum_of_tokens(row.input_tokens, std::max<std::int64_t>(row.output_tokens, 0)) >
             *wanted_.max_tokens;
}

// A row without a time arrives together with its predecessor.
void feed::check_arrival(const read_row& row) {
  std::int64_t& arrives = row.data->c.arrival_ns;
  if (arrives < 0) {
    arrives = arrived_ns_;
    return;
  }
  if (arrives < arrived_ns_)
    fail(row,
         "it arrives at " + base::duration_text(arrives) + ", before row " +
             std::to_string(arrived_row_ + 1) + " at " + base::duration_text(arrived_ns_) +
             "; a dataset must yield its rows in the order of their times",
         IFB_E_DATA);
  arrived_row_ = row.row;
  arrived_ns_ = arrives;
}

void feed::read_in_advance(read_ahead::numbers rows, std::uint64_t most) {
  ahead_.emplace(
      std::move(rows),
      [this](read_row& row) {
        row.data = pool_.take();
        call_into(row);
      },
      wanted_.readers, most, row_bytes{wanted_.bytes_ahead, first_ ? first_->arena.used() : 0});
}

// Reads the row at the current position of the order; nullopt at the end. `scratch` is the memory
// for a row that no thread has read in advance. The first row is always such a row, so that a feed
// of which only the first sample is needed starts no threads.
std::optional<read_row> feed::next_row(sample_ptr& scratch) {
  if (parallel_ && position_ > 0) {
    if (!ahead_)
      read_in_advance(
          [this, at = position_]() mutable { return order_.row(at++); },
          made_to_order_ && limited() && !wanted_.max_tokens ? limit() - accepted_ : no_end);
    ++position_;
    return ahead_->next();
  }
  const auto row = order_.row(position_);
  if (!row) return std::nullopt;
  ++position_;
  return call(*row, std::move(scratch));
}

// The rows of an endless dataset may all be too long.
void feed::refuse_endless_search(std::uint64_t skipped_in_a_row) const {
  constexpr std::uint64_t most = 10000;
  if (skipped_in_a_row < most) return;
  throw base::error(called() + " made " + std::to_string(skipped_in_a_row) +
                        " requests in a row whose prompt and output have more than " +
                        std::to_string(*wanted_.max_tokens) + " tokens",
                    "make its lengths shorter, or raise --max-model-len");
}

// Reports a dataset that has fewer rows than it announced. `row`: a row that is missing; in a
// shuffled order it need not be the first of them.
void feed::ended_at(std::uint64_t row) {
  if (info_.rows < 0 || std::exchange(told_end_, true)) return;
  const auto announced = static_cast<std::uint64_t>(info_.rows);
  log_->warning(called() + " announced " + std::to_string(announced) +
                (announced == 1 ? " row and has " : " rows and has ") +
                (order_.is_natural() || row == 0 ? "" : "at most ") + std::to_string(row));
}

// Reads rows until one yields a sample. False at the end of the rows or at the limit.
bool feed::read_on(sample_ptr& out) {
  while (more_rows_) {
    if (limited() && accepted_ >= limit()) break;
    std::optional<read_row> found = next_row(out);
    if (!found) break;
    const reading result = judge(*found);
    if (result == reading::sample && own_times_) check_arrival(*found);
    out = std::move(found->data);
    if (result == reading::end) {
      ended_at(found->row);
      break;
    }
    if (result == reading::skipped) {
      if (made_to_order_) refuse_endless_search(++passed_over_);
      continue;
    }
    passed_over_ = 0;
    ++accepted_;
    if (fills_up_) again_.push_back(found->row);
    return true;
  }
  if (std::exchange(more_rows_, false)) rows_are_done();
  return false;
}

// Reads one of the accepted rows again.
sample_ptr feed::repeat(sample_ptr scratch) {
  if (!repetition_) repetition_.emplace(wanted_.seed);
  if (parallel_ && !ahead_)
    read_in_advance([this] { return std::optional(repetition_->next(again_)); },
                    endless() ? no_end : total_ - sequence_);
  std::optional<read_row> found =
      parallel_ ? ahead_->next() : call(repetition_->next(again_), std::move(scratch));
  if (!found || judge(*found) != reading::sample)
    throw base::error(called() + (found ? ": row " + std::to_string(found->row + 1) : ": a row") +
                      " could be read once, but not again");
  return std::move(found->data);
}

}  // namespace inferbench::dataset
