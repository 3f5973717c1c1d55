#include "engines/python-engine/single_requests.hpp"

#include <gtest/gtest.h>

#include "engine_host.hpp"

namespace python_engine {
namespace {

using engine_test::failure_of;

struct errors {
  errors() {
    table.struct_size = sizeof table;
    table.on_error = [](ifb_output* to, const ifb_error* e) {
      reinterpret_cast<errors*>(to)->codes.push_back(e->code);
    };
  }
  ifb::engine_output output() { return {&table, reinterpret_cast<ifb_output*>(this)}; }

  ifb_events table{};
  std::vector<ifb_status> codes;
};

TEST(single_requests_of_a_worker, that_are_cancelled_early_are_not_taken) {
  single_requests requests;
  errors heard;
  const std::uint64_t request = requests.reserve();
  EXPECT_FALSE(requests.cancel(request));
  EXPECT_EQ(failure_of([&] { requests.add(request, heard.output()); }).code(), IFB_E_CANCELLED);
  requests.on_wake();
  EXPECT_TRUE(heard.codes.empty()) << "the failure is the end of the request";
}

TEST(single_requests_of_a_worker, end_once_if_they_are_cancelled_twice) {
  single_requests requests;
  errors heard;
  const std::uint64_t request = requests.reserve();
  requests.add(request, heard.output());
  EXPECT_FALSE(requests.sent(request));
  EXPECT_TRUE(requests.cancel(request));
  requests.on_wake();
  EXPECT_FALSE(requests.cancel(request));
  requests.on_wake();
  EXPECT_EQ(heard.codes, std::vector<ifb_status>{IFB_E_CANCELLED});
}

TEST(single_requests_of_a_worker, that_are_cancelled_before_they_are_sent_are_aborted_afterwards) {
  single_requests requests;
  errors heard;
  // The cancelled request ends before or after its frame is sent.
  for (const bool ends_first : {false, true}) {
    const std::uint64_t request = requests.reserve();
    requests.add(request, heard.output());
    EXPECT_FALSE(requests.cancel(request)) << "an abort before the submit has no effect";
    if (ends_first) requests.on_wake();
    EXPECT_TRUE(requests.sent(request)) << "the abort follows the submit";
    requests.on_wake();
  }
  EXPECT_EQ(heard.codes, (std::vector<ifb_status>{IFB_E_CANCELLED, IFB_E_CANCELLED}));
}

}  // namespace
}  // namespace python_engine
