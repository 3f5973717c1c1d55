#include "plugin/breadcrumb.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugin/library.hpp"

namespace inferbench::plugin {

namespace {

// volatile: the compiler sees no reader and would drop the stores.
thread_local const ifb_plugin* volatile inside_plugin = nullptr;
thread_local const char* volatile inside_call = nullptr;

constexpr std::array fatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

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
  std::array<char, 512> text_{};
  std::size_t size_ = 0;
};

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
  const ifb_plugin* const plugin = inside_plugin;
  if (plugin != nullptr) {
    words.add(": crash inside ");
    words.add(kind_text(plugin->kind));
    words.add(plugin->id);
    if (plugin->version != nullptr && *plugin->version != '\0') {
      words.add(" ");
      words.add(plugin->version);
    }
    words.add(", ");
    words.add(inside_call);
  } else {
    words.add(": crash outside of any plugin");
  }
  words.say();
  // SA_RESETHAND has put the default action back: this one ends the process, and
  // the exit status and the core file say the truth.
  ::raise(signal);
}

}  // namespace

breadcrumb::breadcrumb(const ifb_plugin* plugin, const char* call) noexcept
    : plugin_before_(inside_plugin), call_before_(inside_call) {
  inside_call = call;
  inside_plugin = plugin;
}

breadcrumb::~breadcrumb() {
  inside_plugin = plugin_before_;
  inside_call = call_before_;
}

void report_crashes() noexcept {
  // A stack of its own, since the other may be what ran out. It serves the thread
  // that calls this; on others the handler runs on their stack.
  constexpr std::size_t size = 64U * 1024U;
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = size;
  const bool own_stack = memory != MAP_FAILED && ::sigaltstack(&stack, nullptr) == 0;
  struct sigaction action{};
  action.sa_handler = on_fatal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | (own_stack ? SA_ONSTACK : 0);
  ::sigemptyset(&action.sa_mask);
  for (const int signal : fatal)
    ::sigaction(signal, &action, nullptr);
}

}  // namespace inferbench::plugin
