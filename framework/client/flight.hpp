// One request on its way, over a connection (http_flight) or through an engine (engine_flight).
// This base class enforces the time limits. Owned by its worker and reused for one request after
// another; everything is on the worker's thread.
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

/// A request that was silent for the stall-warning time.
struct silence {
  std::uint64_t ns = 0;
  std::size_t events = 0;  // before the silence
  bool begun = false;      // a byte of the answer had arrived
};

/// The interface of the worker to its flights.
class flight_owner {
 public:
  /// The record is complete. The flight may be used for another request from now on.
  virtual void on_landed(flight& which) = 0;
  /// Once for each silence.
  virtual void on_stalled(const flight& which, const silence& so_far) = 0;
  /// `bytes` were waiting in the socket; `stamp` is their stamp.
  virtual void on_heard(std::size_t bytes, std::uint64_t stamp) noexcept = 0;
  /// This machine had no port, descriptor or thread for the request.
  virtual void on_shortage() noexcept = 0;
  /// A message for the user; false if there is no receiver.
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
  std::size_t place = 0;        // in the worker's list of flights under way
  std::uint32_t server = 0;     // index of the base URL
  std::uint64_t waited_ns = 0;  // time before its launch, due and with a permit
  std::uint64_t over_ns = 0;    // once it has landed: when it stopped needing its permit

  /// Serialises the request ahead of its time. False: the backend refuses the request; the caller
  /// then calls refuse().
  [[nodiscard]] virtual bool prepare() = 0;
  /// The permit is there: sends the request. The owner gets on_landed() at the end.
  virtual void launch(std::uint64_t now) = 0;
  /// After prepare() returned false: completes the record of a request that failed without leaving.
  void refuse(std::uint64_t now);
  /// Ends the request from outside. The owner gets on_landed(), at once or, if an engine has to end
  /// the call, later.
  void cancel(std::string reason, std::uint64_t now);
  /// Releases the resources and returns the record: to be called after on_landed() or refuse(), or
  /// instead of launch().
  [[nodiscard]] virtual record land() = 0;

  /// The name of the request, while it is prepared or under way.
  [[nodiscard]] std::string name() const;

 protected:
  struct life {
    std::uint64_t start_ns = 0;
    std::uint64_t heard_ns = 0;  // the latest sign of life: start, or a read
    std::size_t events = 0;
    bool begun = false;
    std::uint64_t error_ns = 0;  // when the status turned out to be an error; 0: no error so far
  };

  /// All references outlive the flight.
  flight(const backend& shared, transport::event_loop& loop, flight_owner& owner);

  [[nodiscard]] virtual answer& work() noexcept = 0;
  [[nodiscard]] virtual life signs() = 0;
  /// The status is an error, and the body with its reason did not end in time.
  virtual void end_error(std::uint64_t /*now*/) {}
  /// The request has failed from now on.
  virtual void end_early(ifb_status status, std::string reason, std::uint64_t now) = 0;

  /// The request left at `now`.
  void watch(std::uint64_t now);
  /// Call this when a further limit begins to count: signs().error_ns.
  void watch_sooner(std::uint64_t now) { arm(signs(), now); }
  /// The timer stays armed, so that the next request need not arm it; at worst it wakes the loop
  /// once without need.
  void stop_watching() noexcept { watching_ = false; }

  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;

 private:
  void arm(const life& so_far, std::uint64_t now);
  void on_watch(std::uint64_t now);

  // One timer for all limits. A read only notes its time: when the timer fires, it checks whether
  // anything has arrived meanwhile, so that an event costs no timer operation. A new request costs
  // none, either: the timer of the previous request keeps running and checks in the same way.
  transport::timer watch_;
  bool watching_ = false;       // a request is under way
  std::uint64_t named_ns_ = 0;  // the sign of life after which the silence has been reported
};

}  // namespace inferbench::client
