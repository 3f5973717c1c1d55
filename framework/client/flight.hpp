// One request on its way, whatever carries it: a connection (http_flight) or an engine
// (engine_flight). This part watches the clock for it. Owned by its worker, used again for
// one request after another; everything on the worker's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "client/answer.hpp"
#include "client/record.hpp"
#include "client/source.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client {

class flight;

/// A request that has said nothing for the stall-warning time.
struct silence {
  std::uint64_t ns = 0;
  std::size_t events = 0;  // before it
  bool begun = false;      // any byte of the answer had come
};

/// What a flight needs of its worker.
class flight_owner {
 public:
  /// The record is complete. The flight may be used for another request from here on.
  virtual void on_landed(flight& which) = 0;
  /// Once for each silence.
  virtual void on_stalled(const flight& which, const silence& so_far) = 0;
  /// `bytes` were waiting in its socket; `stamp`: theirs.
  virtual void on_heard(std::size_t bytes, std::uint64_t stamp) noexcept = 0;
  /// This machine had no port, descriptor or thread for it.
  virtual void on_shortage() noexcept = 0;
  /// A line for the user; false: there is nobody to tell it to.
  virtual bool tell(const std::string& line) = 0;

 protected:
  flight_owner() = default;
  flight_owner(const flight_owner&) = default;
  flight_owner& operator=(const flight_owner&) = default;
  ~flight_owner() = default;
};

class flight {
 public:
  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;
  virtual ~flight() = default;

  job what;
  std::size_t place = 0;        // in the worker's list of those under way
  std::uint32_t server = 0;     // which of the base URLs it goes to
  std::uint64_t waited_ns = 0;  // before its launch, due and with a permit
  std::uint64_t over_ns = 0;    // once it has landed: when its permit was of no more use

  /// Makes what() ready to leave, ahead of its time. False: the backend refuses it, and
  /// refuse() is next.
  [[nodiscard]] virtual bool prepare() = 0;
  /// Its permit is there: sends it. The owner is told of its end.
  virtual void launch(std::uint64_t now) = 0;
  /// Where prepare() said no: completes the record of a request that failed without leaving.
  void refuse(std::uint64_t now);
  /// Ends it from outside. The owner is told, at once or, where an engine has to end it, later.
  void cancel(std::string reason, std::uint64_t now);
  /// Gives back what it holds and hands the record over: after on_landed() or refuse(), or
  /// instead of launch().
  [[nodiscard]] virtual record land() = 0;

  /// Its request, while it is prepared or under way.
  [[nodiscard]] std::string name() const;

 protected:
  struct life {
    std::uint64_t start_ns = 0;
    std::uint64_t heard_ns = 0;  // the latest sign of life: start, or a read
    std::size_t events = 0;
    bool begun = false;
    std::uint64_t error_ns = 0;  // when its status turned out to be an error; 0: it has not
  };

  /// All references outlive it.
  flight(const backend& shared, transport::event_loop& loop, flight_owner& owner);

  [[nodiscard]] virtual answer& work() noexcept = 0;
  [[nodiscard]] virtual life signs() = 0;
  /// It has the status of an error, and the body that says more does not end.
  virtual void end_error(std::uint64_t /*now*/) {}
  /// Its request is a failure from now on.
  virtual void end_early(ifb_status status, std::string reason, std::uint64_t now) = 0;

  /// It left at `now`.
  void watch(std::uint64_t now);
  /// A limit counts that did not before: signs().error_ns.
  void watch_sooner(std::uint64_t now) { arm(signs(), now); }
  /// The timer stays armed for the next request, which then need not arm it; at worst it
  /// wakes the loop once for nothing.
  void stop_watching() noexcept { watching_ = false; }

  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;

 private:
  void arm(const life& so_far, std::uint64_t now);
  void on_watch(std::uint64_t now);

  // One timer for all limits. Reads only note the time: the timer finds out when it
  // fires whether anything has come meanwhile, so that an event costs no timer.
  // Nor does a request: the timer of the one before goes on, and finds out likewise.
  transport::timer watch_;
  bool watching_ = false;       // a request is under way
  std::uint64_t named_ns_ = 0;  // the sign of life behind which the silence has been reported
};

}  // namespace inferbench::client
