#include "supervise/supervisor.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::supervise {
namespace {

TEST(supervisor_main, refuses_to_work_for_anybody_but_a_supervised_process) {
  EXPECT_THROW(static_cast<void>(supervisor_main({})), base::error);
}

}  // namespace
}  // namespace inferbench::supervise
