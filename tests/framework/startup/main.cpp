// The program of these tests is also the supervisor of the servers that they start, and such a
// server.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "starting_server.hpp"
#include "supervise/supervisor.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() > 2 && words[1] == "supervise")
    return inferbench::supervise::supervisor_main({words.begin() + 2, words.end()});
  if (words.size() > 1 && words[1] == inferbench::startup::starting_server_word)
    return inferbench::startup::starting_server(words);
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
