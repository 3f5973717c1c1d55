// The program of these tests is also the supervisor of the servers and benchmarks that they start.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "supervise/supervisor.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() > 2 && words[1] == "supervise")
    return inferbench::supervise::supervisor_main({words.begin() + 2, words.end()});
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
