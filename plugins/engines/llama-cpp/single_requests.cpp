#include "single_requests.hpp"

#include <utility>

namespace llama_cpp {

class single_requests::request final : public token_sink {
 public:
  request(model& with, generation wanted, ifb::engine_output out)
      : model_(with), wanted_(std::move(wanted)), out_(out) {
    wanted_.sink = this;
  }
  [[nodiscard]] const generation& wanted() const noexcept { return wanted_; }
  [[nodiscard]] bool ended() const noexcept { return ended_; }

  void on_token(llama_token token, std::uint64_t at, bool ends, end_reason why) override {
    piece_.clear();
    text_.clear();
    model_.append_piece(token, piece_);
    characters_.take(piece_, ends, text_);
    ++tokens_;
    out_.token_at(at, text_, 1);
    if (!ends) return;
    ended_ = true;
    out_.usage({.prompt = static_cast<std::int64_t>(wanted_.prompt->size()), .output = tokens_});
    out_.done(why == end_reason::stop ? "stop" : "length");
  }
  void fail(ifb_status code, std::string_view why) {
    if (!std::exchange(ended_, true)) out_.error(code, why);
  }

 private:
  model& model_;
  generation wanted_;
  ifb::engine_output out_;
  whole_characters characters_;
  std::string piece_;
  std::string text_;
  std::int64_t tokens_ = 0;
  bool ended_ = false;
};

single_requests::single_requests(model& with)
    : model_(with), loop_(with), thread_([this] { work(); }) {}

single_requests::~single_requests() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  model_.stopping = true;
  changed_.notify_one();
  thread_.join();
  model_.stopping = false;
}

std::uint64_t single_requests::reserve() {
  const std::lock_guard lock(mutex_);
  reserved_.insert(next_);
  return next_++;
}

void single_requests::submit(std::uint64_t number, generation wanted, ifb::engine_output out) {
  auto made = std::make_unique<request>(model_, std::move(wanted), out);
  {
    const std::lock_guard lock(mutex_);
    submitted_.emplace(number, std::move(made));
    reserved_.erase(number);
    if (early_.erase(number) > 0) cancelled_.push_back(number);
  }
  changed_.notify_one();
}

void single_requests::cancel(std::uint64_t number) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (reserved_.contains(number))
      early_.insert(number);
    else
      cancelled_.push_back(number);
  }
  changed_.notify_one();
}

/// New requests enter, cancelled ones leave. A request that is cancelled and not here has ended.
void single_requests::take_orders(std::unique_lock<std::mutex>& lock) {
  auto entering = std::exchange(submitted_, {});
  const auto leaving = std::exchange(cancelled_, {});
  lock.unlock();
  for (auto& [number, each] : entering) {
    loop_.add(each->wanted());
    open_.emplace(number, std::move(each));
  }
  for (const std::uint64_t number : leaving) {
    const auto found = open_.find(number);
    if (found == open_.end()) continue;
    loop_.remove(found->second.get());
    found->second->fail(IFB_E_CANCELLED, "cancelled");
    open_.erase(found);
  }
  lock.lock();
}

void single_requests::end_all(ifb_status code, const std::string& why) {
  loop_.clear();
  for (auto& [number, each] : open_)
    each->fail(code, why);
  open_.clear();
}

void single_requests::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    take_orders(lock);
    if (stopping_) break;
    if (open_.empty()) {
      if (submitted_.empty()) changed_.wait(lock);
      continue;
    }
    lock.unlock();
    ifb_error error = IFB_ERROR_INIT;
    if (ifb::guard(&error, [&] { loop_.step(); }) != IFB_OK) end_all(error.code, error.message);
    std::erase_if(open_, [](const auto& each) { return each.second->ended(); });
    lock.lock();
  }
  for (auto& [number, each] : submitted_)
    each->fail(IFB_E_CANCELLED, "cancelled");
  lock.unlock();
  end_all(IFB_E_CANCELLED, "cancelled");
}

}  // namespace llama_cpp
