// One request in flight, over a connection (http_flight) or through an engine (engine_flight). This
// base class enforces the time limits. A worker owns the flight and reuses it for one request after
// another. All functions are called on the worker's thread.
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

/// A period without a byte or event, at least as long as the stall-warning time.
struct silence {
  std::uint64_t ns = 0;
  std::size_t events = 0;  // number of events before the silence
  bool begun = false;      // a byte of the answer had arrived before the silence
};

/// The interface of the worker to its flights.
class flight_owner {
 public:
  /// The request that flight::prepare() left to another thread is serialised now. `good`: false if
  /// the backend refuses the request; the owner then calls refuse().
  virtual void on_prepared(flight& which, bool good) = 0;
  /// The record is complete. The flight may be used for another request from now on.
  virtual void on_landed(flight& which) = 0;
  /// Called once for each silence.
  virtual void on_stalled(const flight& which, const silence& so_far) = 0;
  /// A read found `bytes` bytes in the socket; `stamp` is the stamp of the read.
  virtual void on_heard(std::size_t bytes, std::uint64_t stamp) noexcept = 0;
  /// The request failed because this machine had no free port, descriptor or thread.
  virtual void on_shortage() noexcept = 0;
  /// Gives the user a message. Returns false if there is no receiver.
  virtual bool tell(const std::string& line) = 0;

 protected:
  flight_owner() = default;
  flight_owner(const flight_owner&) = default;
  flight_owner& operator=(const flight_owner&) = default;
  ~flight_owner() = default;
};

class flight {
 public:
  /// The result of prepare().
  enum class readiness : std::uint8_t {
    ready,    // launch() may be called
    refused,  // the backend refuses the request: call refuse()
    later     // another thread serialises the request: on_prepared() of the owner will be called
  };

  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;
  virtual ~flight() = default;

  job what;
  std::size_t place = 0;        // index in the worker's list of flights that were launched
  std::size_t held_bytes = 0;   // set by prepare(): about the memory of the sample and its body
  std::uint32_t server = 0;     // index of the base URL
  std::uint64_t waited_ns = 0;  // time from the moment when the request was due and a permit was
                                // free to its launch
  std::uint64_t over_ns = 0;    // valid after landing: the time when the request no longer needed
                                // its permit

  /// Serialises the request before it is due.
  [[nodiscard]] virtual readiness prepare() = 0;
  /// From readiness::later to on_prepared(): another thread may be serialising the request. Only
  /// name() and withdraw() may be called.
  [[nodiscard]] bool preparing() const noexcept { return preparing_; }
  /// Ends the preparation, so that land() may be called. Returns false if another thread is inside
  /// the codec; on_prepared() is then still called.
  [[nodiscard]] virtual bool withdraw() { return true; }
  /// Sends the request, which has a permit now. on_landed() of the owner is called at the end, for
  /// a request that cannot be sent before this function returns.
  virtual void launch(std::uint64_t now) = 0;
  /// Completes the record of a request that the backend refused, so that it failed without being
  /// sent.
  void refuse(std::uint64_t now);
  /// Cancels the request after launch(). on_landed() of the owner is called before this function
  /// returns or, if an engine must end its call first, later.
  void cancel(std::string reason, std::uint64_t now);
  /// Releases the resources and returns the record. Call this in or after on_landed(), after
  /// refuse(), or instead of launch().
  [[nodiscard]] virtual record land() = 0;

  /// The name of the request. Valid while the request is prepared or in flight.
  [[nodiscard]] std::string name() const;

 protected:
  struct life {
    std::uint64_t start_ns = 0;
    std::uint64_t heard_ns = 0;  // time of the latest sign of life: the start or a read
    std::size_t events = 0;
    bool begun = false;
    std::uint64_t error_ns = 0;  // time when an error status arrived; 0: no error so far
  };

  /// All references must outlive the flight.
  flight(const backend& shared, transport::event_loop& loop, flight_owner& owner);

  [[nodiscard]] virtual answer& work() noexcept = 0;
  [[nodiscard]] virtual life signs() = 0;
  /// Ends an error answer whose body did not end in time.
  virtual void end_error(std::uint64_t /*now*/) {}
  /// Fails the request because of a time-out or a cancellation.
  virtual void end_early(ifb_status status, std::string reason, std::uint64_t now) = 0;

  /// Begins to check the time limits of a request that started at `now`.
  void watch(std::uint64_t now);
  /// Call this when signs().error_ns was set, because its limit then begins to count.
  void watch_sooner(std::uint64_t now) { arm(signs(), now); }
  /// Ends the check of the time limits. The timer stays armed, so that the next request can use it;
  /// at worst the timer wakes the loop once without need.
  void stop_watching() noexcept { watching_ = false; }

  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  bool preparing_ = false;

 private:
  void arm(const life& so_far, std::uint64_t now);
  void on_watch(std::uint64_t now);

  // One timer for all limits. A read only stores its time. When the timer fires, on_watch() checks
  // whether a read has happened since the timer was armed. So an event costs no timer operation. A
  // new request usually costs no timer operation either, because the timer of the previous request
  // is still armed.
  transport::timer watch_;
  bool watching_ = false;       // a request is in flight
  std::uint64_t named_ns_ = 0;  // heard_ns of the silence that was reported last
};

}  // namespace inferbench::client
