#include "client/drain.hpp"

#include <algorithm>

namespace inferbench::client {

/// One connection, or unused.
class drains::drain final : private transport::connection_listener {
 public:
  explicit drain(drains& owner)
      : owner_(owner), late_(transport::timer::action::to<&drain::on_late>(*this)) {}
  drain(const drain&) = delete;
  drain& operator=(const drain&) = delete;
  ~drain() = default;

  void begin(transport::connection_pool& pool, transport::connection& wire,
             const transport::http1_response_parser::place& from) {
    pool_ = &pool;
    wire_ = &wire;
    bytes_ = 0;
    parser_.continue_at(from);
    wire.set_listener(*this);
    owner_.loop_.arm(late_, owner_.loop_.clock().now() + longest_ns);
  }

 private:
  void on_connected(transport::connection&, std::uint64_t) override {}
  void on_eof(transport::connection&, std::uint64_t) override { finish(false); }
  void on_failure(transport::connection&, const transport::connection_failure&,
                  std::uint64_t) override {
    finish(false);
  }
  void on_late(std::uint64_t) { finish(false); }

  void on_bytes(transport::connection&, std::string_view bytes, std::uint64_t) override {
    using transport::http1_piece;
    bytes_ += bytes.size();
    for (;;) {
      switch (parser_.next(bytes).kind) {
        case http1_piece::more:
          if (bytes_ > most_bytes) finish(false);
          return;
        case http1_piece::end: finish(parser_.reusable() && bytes.empty()); return;
        case http1_piece::failed: finish(false); return;
        case http1_piece::head:
        case http1_piece::body: break;
      }
    }
  }

  void finish(bool reusable) {
    owner_.loop_.cancel(late_);
    pool_->release(*wire_, reusable, parser_.announces_keep_alive());
    owner_.free_.push_back(this);
  }

  drains& owner_;
  transport::connection_pool* pool_ = nullptr;
  transport::connection* wire_ = nullptr;
  transport::http1_response_parser parser_;
  std::size_t bytes_ = 0;  // number of bytes read since begin()
  transport::timer late_;
};

drains::drains(transport::event_loop& loop) : loop_(loop) {}

drains::~drains() = default;

void drains::take(transport::connection_pool& pool, transport::connection& wire,
                  const transport::http1_response_parser::place& from) {
  // The bytes that a connection still sends belong to the flight, which ends now.
  if (!wire.connected() || wire.sending() || (free_.empty() && all_.size() == most_at_once)) {
    pool.release(wire, false);
    return;
  }
  if (free_.empty()) {
    all_.push_back(std::make_unique<drain>(*this));
    free_.reserve(all_.capacity());
    free_.push_back(all_.back().get());
  }
  drain& one = *free_.back();
  free_.pop_back();
  one.begin(pool, wire, from);
}

}  // namespace inferbench::client
