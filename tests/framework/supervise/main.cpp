// The program of these tests is also the supervisor that they start, and a process that starts a
// supervised program and can be killed.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include "supervise/supervised_process.hpp"
#include "supervise/supervisor.hpp"

int main(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  if (words.size() > 2 && words[1] == "supervise")
    return inferbench::supervise::supervisor_main({words.begin() + 2, words.end()});
  if (words.size() > 2 && words[1] == "parent") {
    const inferbench::supervise::supervised_process child(
        {.words = {words.begin() + 2, words.end()}, .on_text = inferbench::supervise::pass_on});
    for (;;)
      ::pause();
  }
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
