#include "dataset/feed.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/cpu.hpp"
#include "base/error.hpp"
#include "dataset/conversation.hpp"
#include "dataset/shape.hpp"

namespace inferbench::dataset {

feed::feed(const plugin::instance& dataset, settings wanted, base::log& log)
    : dataset_(&dataset),
      operations_(plugin::dataset_of(dataset)),
      wanted_(std::move(wanted)),
      log_(&log) {}

feed::~feed() { stop(); }

void feed::prepare() {
  ifb_dataset_request request{};
  request.struct_size = sizeof request;
  request.wanted = wanted_.num_prompts;
  request.seed = wanted_.seed;
  info_ = {};
  info_.struct_size = sizeof info_;
  ifb_error error = plugin::empty_error();
  const ifb_status status = operations_.prepare(dataset_->get(), &request, &info_, &error);
  if (status != IFB_OK)
    throw plugin::refused(called() + ": " + plugin::text_of(error, status), error.option, status);

  const auto allows = [&](std::uint32_t flag) { return (info_.flags & flag) != 0; };
  const bool counted = info_.rows >= 0;
  made_to_order_ = counted && allows(IFB_DATASET_SYNTHETIC);
  fills_up_ = limited() && wanted_.oversample && allows(IFB_DATASET_OVERSAMPLE);
  // If the number of rows is unknown, they can only be read in order.
  order_ = counted && wanted_.shuffle && allows(IFB_DATASET_SHUFFLE)
               ? order::shuffled(info_.rows, wanted_.seed)
               : order::natural(info_.rows);

  first_ = pool_.take();
  if (!read_on(*first_)) {
    std::string why = info_.rows == 0 ? ": it has no rows" : "";
    const char* separator = ": ";
    for (const std::string& line : skips_.lines())
      why += std::exchange(separator, "; ") + line;
    throw base::error(called() + " yields no request" + why, "check the file and its options");
  }
  if (fills_up_) {
    total_ = limit();
  } else if (made_to_order_) {
    total_ = static_cast<std::uint64_t>(info_.rows);
    if (limited()) total_ = std::min(total_, limit());
  } else {
    count();
  }
  if (limited() && total_ < limit())
    log_->info(called() + " has " + std::to_string(total_) + " " + samples_word() +
               " for this run, not the " + std::to_string(limit()) + " asked for");
  rewind();
  requests_ = total_;
  if (!conversations()) return;
  count_turns();
  keep_first_turn(*first_);
}

// Counts the requests for the schedule. For this all conversations must be read.
void feed::count_turns() {
  requests_ = 0;
  while (const sample_ptr row = next())
    requests_ += turns_of(row->c).size();
  rewind();
}

// Counts the accepted rows, for the schedule; the samples are dropped.
void feed::count() {
  const sample_ptr scratch = pool_.take();
  while (read_on(*scratch)) {
  }
  total_ = accepted_;
}

void feed::rewind() {
  position_ = accepted_ = sequence_ = 0;
  more_rows_ = true;
  skips_.clear();
  again_.clear();
  repetition_.reset();
}

feed::reading feed::read(std::uint64_t row, sample& out) {
  out.clear();
  ifb_error error = plugin::empty_error();
  const ifb_status status = operations_.read(dataset_->get(), row, &out.arena, &out.c, &error);
  const auto fail = [&](const std::string& text, ifb_status code) {
    throw plugin::refused(called() + ", row " + std::to_string(row + 1) + ": " + text, error.option,
                          code);
  };
  switch (status) {
    case IFB_OK:
      if (const char* wrong = wrong_with(out.c)) fail(wrong, IFB_E_DATA);
      if (conversations() && (out.c.shape != IFB_PROMPT_CHAT || turns_of(out.c).empty()))
        fail("a conversation must be chat messages, one of the user among them", IFB_E_DATA);
      out.c.id = {};
      return reading::sample;
    case IFB_SKIP:
      if (made_to_order_) fail("made no sample: " + plugin::text_of(error, status), status);
      skips_.add(plugin::text_of(error, status), row);
      return reading::skipped;
    case IFB_END:
      if (made_to_order_) fail("is missing", IFB_E_DATA);
      return reading::end;
    default: fail(plugin::text_of(error, status), status); return reading::end;
  }
}

// Reads rows until one yields a sample. False at the end of the rows or at the limit.
bool feed::read_on(sample& out) {
  while (more_rows_) {
    if (limited() && accepted_ >= limit()) break;
    const auto row = order_.row(position_);
    if (!row) break;
    ++position_;
    const reading result = read(*row, out);
    if (result == reading::end) break;
    if (result == reading::skipped) continue;
    ++accepted_;
    if (fills_up_) again_.push_back(*row);
    return true;
  }
  if (std::exchange(more_rows_, false)) rows_are_done();
  return false;
}

void feed::rows_are_done() {
  if (accepted_ == 0 || std::exchange(told_, true)) return;
  for (const std::string& line : skips_.lines())
    log_->warning(called() + ": " + line);
  if (fills_up_ && accepted_ < limit())
    log_->info(called() + " has " + std::to_string(accepted_) + " " + samples_word() + "; " +
               std::to_string(limit() - accepted_) + " repetitions fill the run up to " +
               std::to_string(limit()));
}

sample_ptr feed::next() {
  if (sequence_ == total_) return {};
  sample_ptr out = pool_.take();
  if (!read_on(*out)) {
    if (!fills_up_ || again_.empty())
      throw base::error(called() + " ended after " + std::to_string(sequence_) +
                            " requests, but had " + std::to_string(total_) + " before",
                        "leave its files alone during a run");
    if (!repetition_) repetition_.emplace(wanted_.seed);
    const std::uint64_t row = repetition_->next(again_);
    if (read(row, *out) != reading::sample)
      throw base::error(called() + ": row " + std::to_string(row + 1) +
                        " could be read once, but not again");
  }
  out->sequence = sequence_++;
  give_id(*out);
  if (sequence_ == total_ && std::exchange(more_rows_, false)) rows_are_done();
  return out;
}

void feed::give_id(sample& out) const {
  if ((info_.flags & IFB_DATASET_ANONYMOUS) != 0) return;
  out.c.id = plugin::str(out.arena.copy(wanted_.request_id_prefix + std::to_string(out.sequence)));
}

void feed::pass_through(stage what, std::size_t at_once) {
  stage_ = std::move(what);
  batch_size_ = std::max<std::size_t>(at_once, 1);
  stage_({&first_, 1});
}

void feed::start(std::size_t capacity) {
  rewind();
  batch_.clear();
  trouble_.clear();
  queue_.open(capacity);
  thread_ = std::thread([this] {
    base::give_way();
    run();
  });
}

void feed::run() noexcept {
  try {
    while (sample_ptr out = next()) {
      batch_.push_back(std::move(out));
      if (batch_.size() == batch_size_ && !hand_over()) return;
    }
  } catch (const std::exception& e) {
    const std::lock_guard lock(trouble_mutex_);
    trouble_ = e.what();
  }
  if (hand_over()) queue_.close();
}

// Passes the batch to the queue. False if the queue was cancelled.
bool feed::hand_over() noexcept {
  if (stage_ && !batch_.empty()) stage_(batch_);
  bool wanted = true;
  for (std::size_t i = 0; i < batch_.size() && wanted; ++i)
    wanted = queue_.push(std::move(batch_[i]));
  batch_.clear();
  return wanted;
}

std::string feed::trouble() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

void feed::stop() noexcept {
  queue_.cancel();
  if (thread_.joinable()) thread_.join();
}

const char* feed::samples_word() const noexcept {
  return conversations() ? "conversations" : "requests";
}

std::string feed::called() const { return "dataset " + std::string(dataset_->library().id()); }

}  // namespace inferbench::dataset
