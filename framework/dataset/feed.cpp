#include "dataset/feed.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/cpu.hpp"
#include "base/error.hpp"
#include "dataset/conversation.hpp"

namespace inferbench::dataset {

namespace {

// Memory of the samples that pass through the stage together.
constexpr std::size_t most_batch_bytes = std::size_t{8} << 20U;

}  // namespace

feed::feed(const plugin::instance& dataset, settings wanted, base::log& log)
    : dataset_(&dataset),
      operations_(plugin::dataset_of(dataset)),
      wanted_(std::move(wanted)),
      log_(&log) {}

feed::~feed() { stop(); }

void feed::prepare() {
  ifb_dataset_request request{};
  request.struct_size = sizeof request;
  request.flags = wanted_.shuffle ? 0 : IFB_DATASET_IN_ORDER;
  request.wanted = wanted_.num_prompts.value_or(0);
  request.seed = wanted_.seed;
  info_ = {};
  info_.struct_size = sizeof info_;
  ifb_error error = plugin::empty_error();
  const ifb_status status = operations_.prepare(dataset_->get(), &request, &info_, &error);
  if (status != IFB_OK)
    throw plugin::refused(called() + ": " + plugin::text_of(error, status), error.option, status);
  info_.flags |= operations_.flags;
  decide();
  find_first();
  find_total();
  if (limited() && total_ < limit())
    log_->info(called() + " has " + samples(total_) + " for this run, not the " +
               std::to_string(limit()) + " asked for");
  rewind();
  requests_ = total_;
  if (!conversations()) return;
  if (!endless()) count_turns();
  keep_first_turn(*first_);
}

// Decides what the flags of the dataset and the wishes of the run allow.
void feed::decide() {
  const bool counted = info_.rows >= 0;
  const bool endless_rows = !counted && has(IFB_DATASET_ENDLESS);
  if (endless_rows && !limited() && !wanted_.timed)
    throw base::error(called() + " has no end",
                      "give the number of requests with --num-prompts, or their time with "
                      "--duration");
  own_times_ = wanted_.own_times && has(IFB_DATASET_ARRIVALS);
  // With a limit of the length a row may be skipped.
  made_to_order_ = endless_rows || (counted && has(IFB_DATASET_SYNTHETIC) && !wanted_.max_tokens);
  fills_up_ = (limited() || !wanted_.num_prompts) && wanted_.oversample && !own_times_ &&
              has(IFB_DATASET_OVERSAMPLE);
  // Rows whose number is unknown are read in order by one thread, because a row after the last may
  // be read only once.
  parallel_ = has(IFB_DATASET_PARALLEL) && wanted_.readers > 1 && (counted || endless_rows);
  order_ = counted && wanted_.shuffle && !own_times_ && has(IFB_DATASET_SHUFFLE)
               ? order::shuffled(info_.rows, wanted_.seed)
               : order::natural(info_.rows);
}

void feed::find_first() {
  first_ = pool_.take();
  if (read_on(first_)) return;
  std::string why = info_.rows == 0 ? ": it has no rows" : "";
  const char* separator = ": ";
  for (const std::string& line : skips_.lines())
    why += std::exchange(separator, "; ") + line;
  throw base::error(called() + " yields no request" + why, "check the file and its options");
}

void feed::find_total() {
  const bool endless_rows = made_to_order_ && info_.rows < 0;
  if (fills_up_ || endless_rows) {
    total_ = limited() ? limit() : no_end;
  } else if (made_to_order_) {
    total_ = static_cast<std::uint64_t>(info_.rows);
    if (limited()) total_ = std::min(total_, limit());
  } else {
    count();
  }
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
  sample_ptr scratch = pool_.take();
  while (read_on(scratch)) {
  }
  total_ = accepted_;
}

void feed::rewind() {
  ahead_.reset();
  position_ = accepted_ = sequence_ = 0;
  more_rows_ = true;
  skips_.clear();
  turns_left_out_ = 0;
  arrived_row_ = 0;
  arrived_ns_ = 0;
  again_.clear();
  repetition_.reset();
}

void feed::rows_are_done() {
  ahead_.reset();
  if (accepted_ == 0 || std::exchange(told_, true)) return;
  for (const std::string& line : skips_.lines())
    log_->warning(called() + ": " + line);
  if (turns_left_out_ > 0)
    log_->warning(
        called() + ": " + std::to_string(turns_left_out_) +
        (turns_left_out_ == 1 ? " turn of a conversation is" : " turns of conversations are") +
        " left out: prompt and output have more than " + std::to_string(*wanted_.max_tokens) +
        " tokens");
  if (!fills_up_) return;
  const std::string found = called() + " has " + samples(accepted_);
  const std::uint64_t repetitions = endless() ? 0 : limit() - std::min(limit(), accepted_);
  if (endless())
    log_->info(found + (accepted_ == 1 ? "; it is" : "; they are") +
               " repeated until the end of the run");
  else if (repetitions == 1)
    log_->info(found + "; 1 repetition fills the run up to " + std::to_string(limit()));
  else if (repetitions > 1)
    log_->info(found + "; " + std::to_string(repetitions) + " repetitions fill the run up to " +
               std::to_string(limit()));
}

sample_ptr feed::next() {
  if (sequence_ == total_) return {};
  sample_ptr out = pool_.take();
  if (!read_on(out)) {
    if (!fills_up_ || again_.empty())
      throw base::error(called() + " ended after " + std::to_string(sequence_) +
                            " requests, but had " + std::to_string(total_) + " before",
                        "leave its files alone during a run");
    out = repeat(std::move(out));
  }
  out->sequence = sequence_++;
  give_id(*out);
  if (sequence_ != total_) return out;
  if (std::exchange(more_rows_, false)) rows_are_done();
  ahead_.reset();
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

void feed::start(std::size_t capacity, const waiting_bytes& bytes) {
  rewind();
  batch_.clear();
  batch_bytes_ = 0;
  trouble_.clear();
  queue_.open(capacity, bytes);
  thread_ = std::thread([this] {
    base::give_way();
    run();
  });
}

void feed::run() noexcept {
  try {
    while (sample_ptr out = next()) {
      batch_bytes_ += out->arena.used();
      batch_.push_back(std::move(out));
      if (batch_is_full() && !hand_over()) return;
    }
  } catch (const std::exception& e) {
    const std::lock_guard lock(trouble_mutex_);
    trouble_ = e.what();
  }
  if (hand_over()) queue_.close();
}

bool feed::batch_is_full() const noexcept {
  return batch_.size() == batch_size_ || batch_bytes_ >= most_batch_bytes;
}

// Passes the batch to the queue. False if the queue was cancelled.
bool feed::hand_over() noexcept {
  if (stage_ && !batch_.empty()) stage_(batch_);
  bool wanted = true;
  for (std::size_t i = 0; i < batch_.size() && wanted; ++i)
    wanted = queue_.push(std::move(batch_[i]));
  batch_.clear();
  batch_bytes_ = 0;
  return wanted;
}

std::string feed::trouble() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_;
}

void feed::stop() noexcept {
  queue_.cancel();
  if (thread_.joinable()) thread_.join();
  ahead_.reset();
}

std::string feed::samples(std::uint64_t count) const {
  return std::to_string(count) + (conversations() ? " conversation" : " request") +
         (count == 1 ? "" : "s");
}

std::string feed::called() const { return "dataset " + std::string(dataset_->library().id()); }

std::string feed::place_of(std::uint64_t row) const {
  return called() + ", row " + std::to_string(row + 1);
}

}  // namespace inferbench::dataset
