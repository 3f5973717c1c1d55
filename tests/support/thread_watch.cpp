// Fails a case that starts a thread if its source is not among the sources that ThreadSanitizer
// checks (tests/framework/CMakeLists.txt). ctest passes the names of these sources, separated by
// spaces, in the environment variable INFERBENCH_THREADS_IN. Linked to tests without a sanitizer
// only, because a sanitizer has a pthread_create of its own.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

namespace {

std::atomic<int> started_threads = 0;

class thread_watch final : public testing::EmptyTestEventListener {
 public:
  explicit thread_watch(const std::string& sources) : sources_(' ' + sources + ' ') {}

 private:
  void OnTestEnd(const testing::TestInfo& test) override {
    const int started = started_threads.exchange(0);
    const std::string source = std::filesystem::path(test.file()).filename().string();
    if (started == 0 || sources_.find(' ' + source + ' ') != std::string::npos) return;
    ADD_FAILURE() << "the case started threads (" << started << "), but " << source
                  << " is not among the sources that ThreadSanitizer checks; add it to "
                     "threads_in_FOLDER in tests/framework/CMakeLists.txt";
  }

  std::string sources_;
};

const bool watching = [] {
  const char* const sources = std::getenv("INFERBENCH_THREADS_IN");
  if (sources == nullptr) return false;
  testing::UnitTest::GetInstance()->listeners().Append(new thread_watch(sources));
  return true;
}();

}  // namespace

// Each thread of the process starts here: a library finds the function of the executable first.
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
    void* argument) noexcept {
  static const auto original =
      reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  ++started_threads;
  return original(thread, attributes, start, argument);
}
