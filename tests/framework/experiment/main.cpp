// The program of these tests is also the supervisor of the servers and benchmarks that they start,
// and the stand-in for a server.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "stand_in_server.hpp"
#include "supervise/supervisor.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() > 2 && words[1] == "supervise")
    return inferbench::supervise::supervisor_main({words.begin() + 2, words.end()});
  if (inferbench::experiment::is_stand_in_server(words.front()))
    return inferbench::experiment::stand_in_server(words);
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
