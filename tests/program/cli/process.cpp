#include "program/cli/process.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inferbench::testing {

namespace {

namespace fs = std::filesystem;

int status_of(int raw) { return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw); }

}  // namespace

process::process(std::vector<std::string> arguments, unsigned open_files,
                 std::vector<std::string> through) {
  through.emplace_back(INFERBENCH_BINARY);
  arguments.insert(arguments.begin(), through.begin(), through.end());
  std::vector<char*> argv;
  for (std::string& a : arguments)
    argv.push_back(a.data());
  argv.push_back(nullptr);
  const std::string out = folder_.path("out");
  const std::string err = folder_.path("err");
  pid_ = ::fork();
  if (pid_ != 0) return;
  const int flags = O_CREAT | O_WRONLY | O_TRUNC;
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(::open(out.c_str(), flags, 0600), 1);
  ::dup2(::open(err.c_str(), flags, 0600), 2);
  if (open_files != 0) {
    const rlimit few{open_files, open_files};
    ::setrlimit(RLIMIT_NOFILE, &few);
    ::prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE);  // otherwise root could raise the limit
  }
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

process::~process() {
  if (running()) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

// Not for a process that has ended: -1 would signal all processes.
void process::signal(int number) const {
  if (pid_ > 0)
    ::kill(pid_, number);
  else
    ADD_FAILURE() << "there is no process for signal " << number;
}

bool process::running() {
  if (pid_ < 0) return false;
  int raw = 0;
  if (::waitpid(pid_, &raw, WNOHANG) != pid_) return true;
  status_ = status_of(raw);
  pid_ = -1;
  return false;
}

finished process::wait() {
  if (pid_ > 0) {
    int raw = 0;
    ::waitpid(pid_, &raw, 0);
    status_ = status_of(raw);
    pid_ = -1;
  }
  return {status_, read(folder_.path("out")), read(folder_.path("err"))};
}

std::string process::out_so_far() const { return read(folder_.path("out")); }

std::string process::err_so_far() const { return read(folder_.path("err")); }

std::vector<std::string> in_shell(std::string line) {
  return {"bash", "-c", std::move(line), "bash"};
}

std::string without_places(const std::string& toml) {
  return std::regex_replace(toml, std::regex("  # [^\n]*"), "");
}

finished inferbench(std::vector<std::string> arguments, std::vector<std::string> through) {
  return process(std::move(arguments), 0, std::move(through)).wait();
}

simulator::simulator(std::vector<std::string> flags)
    : process_([&] {
        flags.insert(flags.begin(), {"simulate", "--port", "0"});
        return flags;
      }()) {
  const std::string mark = "listening on ";
  while (process_.running()) {
    const std::string out = process_.out_so_far();
    const auto at = out.find(mark);
    if (at != std::string::npos && out.back() == '\n') {
      url_ = out.substr(at + mark.size(), out.find('\n', at) - at - mark.size());
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const finished end = process_.wait();
  ADD_FAILURE() << "the simulator did not start: " << end.err;
}

void simulator::stop(int status) {
  process_.signal(SIGTERM);
  const finished end = process_.wait();
  EXPECT_EQ(end.status, status) << end.err;
}

void simulator::kill() {
  process_.signal(SIGKILL);
  process_.wait();
}

std::string folder::only(const std::string& extension) const {
  std::string found;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.path().extension() != extension) continue;
    EXPECT_TRUE(found.empty()) << found << " and " << entry.path();
    found = entry.path();
  }
  EXPECT_FALSE(found.empty()) << "no *" << extension << " in " << root;
  return found;
}

std::string read(const std::string& path) {
  const std::ifstream in(path, std::ios::binary);
  // A streambuf iterator would throw where a read fails, for instance in /proc/ID of a process that
  // has ended since the file was opened.
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string fixture(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/" + name;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace inferbench::testing
