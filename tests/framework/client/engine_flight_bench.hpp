// The base of the tests of an engine's calls: one flight over the fake engine, with a clock that
// the test moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "client/fleet.hpp"
#include "client/flight.hpp"
#include "client/record.hpp"
#include "framework/client/fake_engine.hpp"
#include "framework/transport/clocks.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client::testing {

class engine_flight_bench : public ::testing::Test, protected flight_owner {
 protected:
  static constexpr std::uint64_t second = base::ns_per_s;

  void on_prepared(flight&, bool) override {}
  void on_landed(flight& which) override { records.push_back(which.land()); }
  void on_stalled(const flight& which, const silence& so_far) override {
    stalled.push_back(which.name() + " " + std::to_string(so_far.ns / second) + " s, " +
                      std::to_string(so_far.events) + " events");
  }
  void on_heard(std::size_t, std::uint64_t) noexcept override {}
  void on_shortage() noexcept override {}
  bool tell(const std::string& line) override {
    if (hears) lines.push_back(line);
    return hears;
  }

  /// Makes the flight with the current settings of the test.
  void make() {
    loop.on_wake(transport::callback<void()>::to<&engine_flight_bench::on_wake>(*this));
    fleet_.emplace(shared, loop, owner());
    subject = fleet_->make();
  }
  flight_owner& owner() { return *this; }
  void on_wake() { fleet_->collect(); }
  void turn() { loop.run_once(false); }
  /// Moves the clock on and runs the loop once.
  void pass(std::uint64_t ns) {
    clock.at += ns;
    turn();
  }

  /// Launches the flight and returns call `n`; the request is due at the time of its launch.
  fake_engine::call& launch(std::size_t n = 0) {
    if (!subject) make();
    subject->what.sample = &sample;
    subject->what.sequence = n;
    subject->what.due_ns = clock.at;
    EXPECT_EQ(subject->prepare(), flight::readiness::ready);
    subject->launch(clock.at);
    return engine.submitted(n);
  }

  transport::test::manual_clock clock;
  fake_engine engine;
  backend shared = engine.shared();
  ifb_sample sample = text_sample();
  transport::event_loop loop{clock};
  std::optional<fleet> fleet_;
  std::unique_ptr<flight> subject;  // declared last: destroyed before the fleet
  std::vector<record> records;
  std::vector<std::string> stalled;
  std::vector<std::string> lines;
  bool hears = true;
};

}  // namespace inferbench::client::testing
