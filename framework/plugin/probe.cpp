#include "plugin/probe.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <optional>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"
#include "plugin/load.hpp"

namespace inferbench::plugin {

namespace fs = std::filesystem;

namespace {

using steady = std::chrono::steady_clock;

constexpr std::size_t most_output = 8U * 1024U * 1024U;  // larger output is not a valid description
constexpr int first_signal_status = 128;                 // exit status of a shell after a signal:
                                                         // 128 + the number of the signal

struct outcome {
  std::string output;
  int status = 0;  // status from waitpid
  bool timed_out = false;
};

// Runs a child process that describes `files`. It cannot read from the terminal or write to it.
outcome run(std::span<const fs::path> files, const probe_command& command) {
  std::vector<std::string> words = command.words;
  for (const fs::path& file : files)
    words.push_back(file.string());
  base::pipe_ends pipe = base::make_pipe();
  const auto deadline = steady::now() + command.limit * files.size();
  base::child_process child({.words = words,
                             .descriptors = {{STDOUT_FILENO, pipe.writing.get()},
                                             {STDERR_FILENO, base::child_setup::null_device}}});
  pipe.writing.reset();
  base::child_output output{.reading = std::move(pipe.reading), .most = most_output};
  outcome out;
  out.timed_out = !base::read_all({&output, 1}, deadline) || !child.wait_until(deadline);
  child.kill();
  out.output = std::move(output.text);
  out.status = child.status();
  return out;
}

// The reason why the child did not print a description. Empty if the child succeeded and printed
// text.
std::string trouble_of(const outcome& out, std::chrono::milliseconds limit) {
  const char* const when = out.output.empty() ? " while loading" : " while the process ended";
  if (out.timed_out)
    return "still busy after " + base::shortest(std::chrono::duration<double>(limit).count()) +
           " s of loading";
  if (WIFSIGNALED(out.status)) return "died of " + base::signal_text(WTERMSIG(out.status)) + when;
  const int status = WEXITSTATUS(out.status);
  if (status > first_signal_status && out.output.empty())
    return "died of " + base::signal_text(status - first_signal_status) + when;
  if (out.output.empty() || status != 0)
    return "exited with status " + std::to_string(status) + when;
  return {};
}

void add_interfaces(described& out, const ifb_plugin& plugin) {
  for (const char* const* id = plugin.interfaces; *id != nullptr; ++id)
    out.interfaces.emplace_back(*id);
}

std::string text(const char* from) { return from == nullptr ? "" : base::valid_utf8(from); }

std::vector<described> describe_loaded(const library& in) {
  std::vector<described> all;
  for (const ifb_plugin& plugin : in.content.plugins) {
    described& out = all.emplace_back();
    out.kind = plugin.kind;
    out.id = text(plugin.id);
    out.name = out.id;
    out.version = text(plugin.version);
    out.summary = text(plugin.summary);
    out.license = text(plugin.license);
    out.sdk = base::valid_utf8(in.content.sdk);
    out.file = in.file;
    add_interfaces(out, plugin);
    for (std::uint32_t i = 0; i < plugin.option_count; ++i) {
      const ifb_option& from = plugin.options[i];
      described::option& option = out.options.emplace_back();
      option.name = text(from.name);
      option.help = text(from.help);
      option.fallback = text(from.fallback);
      option.value_name = text(from.value_name);
      option.flag = text(from.flag);
      option.type = from.type;
      option.flags = from.flags;
      for (std::uint32_t c = 0; c < from.choice_count; ++c)
        option.choices.push_back(text(from.choices[c]));
      option.minimum = from.minimum;
      option.maximum = from.maximum;
    }
  }
  for (const later_plugin& plugin : in.content.later) {
    described& out = all.emplace_back();
    out.kind = plugin.kind;
    out.id = text(plugin.id.c_str());
    out.name = out.id;
    out.file = in.file;
    out.trouble = base::valid_utf8(plugin.why);
    out.later = true;
  }
  return all;
}

described in_trouble(const fs::path& file, std::string why) {
  described out;
  out.file = file;
  out.trouble = std::move(why);
  return out;
}

std::vector<described> probe_alone(const fs::path& file, const probe_command& command) {
  try {
    const outcome out = run({&file, 1}, command);
    std::string trouble = trouble_of(out, command.limit);
    if (!trouble.empty()) return {in_trouble(file, std::move(trouble))};
    std::vector<described> plugins = from_json(out.output, file);
    if (plugins.empty())
      return {in_trouble(file, "holds no plugin of a kind that this host knows")};
    return plugins;
  } catch (const base::error& e) {
    return {in_trouble(file, e.what())};
  }
}

// Describes all `files` with one child. Returns nothing if the child had trouble or did not print
// one description for each file.
std::optional<std::vector<std::vector<described>>> probe_together(std::span<const fs::path> files,
                                                                  const probe_command& command) {
  std::vector<std::vector<described>> all;
  try {
    const outcome out = run(files, command);
    if (!trouble_of(out, command.limit).empty()) return std::nullopt;
    std::istringstream lines(out.output);
    for (std::string line; std::getline(lines, line);) {
      if (all.size() == files.size()) return std::nullopt;
      all.push_back(from_json(line, files[all.size()]));
      if (all.back().empty()) return std::nullopt;
    }
  } catch (const base::error&) {
    return std::nullopt;
  }
  if (all.size() != files.size()) return std::nullopt;
  return all;
}

std::string description_of(const fs::path& file) {
  try {
    return to_json(describe_loaded(open_checked(fs::absolute(file))));
  } catch (const base::error& e) {
    return to_json({in_trouble(file, e.what())});
  }
}

bool write_line(int to, std::string line) {
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t wrote = ::write(to, line.data() + done, line.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace

std::vector<std::vector<described>> probe(std::span<const fs::path> files,
                                          const probe_command& command) {
  if (files.size() > 1) {
    if (auto all = probe_together(files, command)) {
      for (std::size_t i = 0; i < files.size(); ++i)
        if (const described& first = (*all)[i].front(); !first.trouble.empty() && !first.later)
          (*all)[i] = probe_alone(files[i], command);
      return std::move(*all);
    }
  }
  std::vector<std::vector<described>> out;
  for (const fs::path& file : files)
    out.push_back(probe_alone(file, command));
  return out;
}

int probe_main(std::span<const std::string> files) {
  // A crash of the plugin is a valid result of the probe. It must not write a core file, and the
  // parent must see the signal, so handlers of this program or of a sanitizer are removed.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    ::signal(signal, SIG_DFL);
  // Keeps the output of the library separate from the description.
  const base::fd answer(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  const base::fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!answer || !nowhere) return 1;
  ::dup2(nowhere.get(), STDOUT_FILENO);
  ::dup2(nowhere.get(), STDERR_FILENO);
  for (const std::string& file : files)
    if (!write_line(answer.get(), description_of(file))) return 1;
  return 0;
}

}  // namespace inferbench::plugin
