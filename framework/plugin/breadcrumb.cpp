#include "plugin/breadcrumb.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugin/library.hpp"

namespace inferbench::plugin {

namespace {

constexpr std::array fatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

constexpr std::size_t longest_advice = 4096;
std::array<char, longest_advice> advice{};
std::atomic<bool> advised = false;  // the array is not written while it is true

// Only what a signal handler may do: no allocation, no lock, write(2).
class last_words {
 public:
  void add(const char* text) noexcept {
    if (text == nullptr) return;
    for (; *text != '\0' && size_ < text_.size() - 1; ++text)
      text_[size_++] = *text;
  }
  void say() noexcept {
    text_[size_++] = '\n';
    std::size_t done = 0;
    while (done < size_) {
      const ssize_t wrote = ::write(STDERR_FILENO, text_.data() + done, size_ - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return;
      done += static_cast<std::size_t>(wrote);
    }
  }

 private:
  std::array<char, 512 + longest_advice> text_{};
  std::size_t size_ = 0;
};

// Where the handlers run on one thread.
class handler_stack {
 public:
  handler_stack() noexcept {
    stack_t there{};
    if (::sigaltstack(nullptr, &there) != 0 || (there.ss_flags & SS_DISABLE) == 0) return;
    memory_ = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t ours{};
    ours.ss_sp = memory_;
    ours.ss_size = size;
    used_ = ::sigaltstack(&ours, nullptr) == 0;
  }
  handler_stack(const handler_stack&) = delete;
  handler_stack& operator=(const handler_stack&) = delete;
  ~handler_stack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (used_) ::sigaltstack(&none, nullptr);
    ::munmap(memory_, size);
  }

 private:
  static constexpr std::size_t size = 64U * 1024U;  // of which nothing is touched before a crash
  void* memory_ = MAP_FAILED;
  bool used_ = false;
};

std::atomic<bool> reporting = false;

const char* kind_text(ifb_kind kind) noexcept {
  switch (kind) {
    case IFB_BACKEND: return "backend ";
    case IFB_DATASET: return "dataset ";
    case IFB_REPORTER: return "reporter ";
    case IFB_TOKENIZER: return "tokenizer ";
    default: return "plugin ";
  }
}

void on_fatal(int signal) {
  last_words words;
  words.add("inferbench: ");
  words.add(::sigdescr_np(signal));
  const ifb_plugin* const plugin = detail::inside.plugin;
  if (plugin != nullptr) {
    words.add(": crash inside ");
    words.add(kind_text(plugin->kind));
    words.add(plugin->id);
    if (plugin->version != nullptr && *plugin->version != '\0') {
      words.add(" ");
      words.add(plugin->version);
    }
    words.add(", ");
    words.add(detail::inside.call);
  } else {
    words.add(": crash outside of any plugin");
  }
  if (advised.load(std::memory_order_acquire)) {
    words.add("; ");
    words.add(advice.data());
  }
  words.say();
  // SA_RESETHAND has put the default action back: this one ends the process, and
  // the exit status and the core file say the truth.
  ::raise(signal);
}

}  // namespace

constinit thread_local detail::whereabouts detail::inside;

void detail::give_stack() noexcept {
  if (!reporting.load(std::memory_order_relaxed)) return;
  thread_local const handler_stack stack;
  inside.has_stack = true;
}

parting_advice::parting_advice(std::string_view text) noexcept {
  *std::copy_n(text.data(), std::min(text.size(), longest_advice - 1), advice.data()) = '\0';
  advised.store(true, std::memory_order_release);
}

parting_advice::~parting_advice() { advised = false; }

void report_crashes() noexcept {
  reporting = true;
  detail::give_stack();
  struct sigaction action{};
  action.sa_handler = on_fatal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : fatal)
    ::sigaction(signal, &action, nullptr);
}

}  // namespace inferbench::plugin
