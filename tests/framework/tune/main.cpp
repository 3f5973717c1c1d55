// The program of these tests is also each program that a tuning starts.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "stand_in_programs.hpp"

int main(int argc, char** argv) {
  if (const auto status = inferbench::tune::stand_in_program({argv, argv + argc})) return *status;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
