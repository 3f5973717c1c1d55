// The program of these tests is also the supervisor of the servers and benchmarks that they start,
// and the stand-in for a server: it is started through a link whose name ends with vllm or
// infinity_emb.
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "supervise/supervisor.hpp"
#include "support/stand_in_server.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() > 2 && words[1] == "supervise")
    return inferbench::supervise::supervisor_main({words.begin() + 2, words.end()});
  if (words.front().ends_with("vllm") || words.front().ends_with("infinity_emb"))
    return inferbench::support::stand_in_server(words).run();
  // The stand-in tells the values of these variables, and the servers get the tests' environment.
  ::unsetenv("VLLM_SERVER_DEV_MODE");
  ::unsetenv("VLLM_LOGGING_LEVEL");
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
