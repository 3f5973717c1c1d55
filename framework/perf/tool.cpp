#include "perf/tool.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/error.hpp"

namespace inferbench::perf {

namespace {

constexpr std::size_t most_tool_bytes = std::size_t{1} << 20U;

}  // namespace

std::optional<std::string> output_within(const std::vector<std::string>& words,
                                         std::chrono::milliseconds limit) {
  try {
    const auto deadline = base::child_process::time_point::clock::now() + limit;
    base::pipe_ends ends = base::make_pipe();
    base::child_process child({.words = words,
                               .descriptors = {{STDIN_FILENO, base::child_setup::null_device},
                                               {STDOUT_FILENO, ends.writing.get()},
                                               {STDERR_FILENO, base::child_setup::null_device}}});
    ends.writing = {};
    base::child_output out{.reading = std::move(ends.reading), .most = most_tool_bytes + 1};
    if (!base::read_all(std::span(&out, 1), deadline)) return std::nullopt;
    if (!child.wait_until(deadline) || !WIFEXITED(child.status()) ||
        WEXITSTATUS(child.status()) != 0 || out.text.size() > most_tool_bytes)
      return std::nullopt;
    return std::move(out.text);
  } catch (const base::error&) {
    return std::nullopt;
  }
}

std::optional<std::string> output_of(const std::vector<std::string>& words) {
  return output_within(words, std::chrono::seconds(30));
}

}  // namespace inferbench::perf
