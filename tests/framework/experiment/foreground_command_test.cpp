#include "experiment/foreground_command.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/text.hpp"
#include "experiment/sweep_failures.hpp"
#include "experiment_box.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::experiment {
namespace {

using testing::HasSubstr;

class command_box {
 public:
  command_end run(const std::string& lines) { return run_words({"sh", "-c", lines}); }
  command_end run_words(const std::vector<std::string>& words) {
    return run_in_foreground(words, {.console = console, .stop = stop, .meanwhile = meanwhile});
  }
  /// The process id in the file, which a command has written.
  [[nodiscard]] pid_t id_in(const std::string& name) const {
    return static_cast<pid_t>(std::stol(base::read_file(folder.path(name))));
  }
  /// A command that writes the id of its child to the file `id`, and does not end.
  [[nodiscard]] std::string endless() const {
    return "sleep 1000 & echo $! >" + folder.quoted("new") + " && mv " + folder.quoted("new") +
           " " + folder.quoted("id") + "; wait";
  }
  [[nodiscard]] bool has_id() const { return std::filesystem::exists(folder.path("id")); }

  support::temporary_folder folder;
  kept_output out;
  sweep_console console{out.get(), false, [](std::string_view) {}};
  std::atomic<bool> stop = false;
  std::function<void()> meanwhile;
};

bool process_is_gone(pid_t id) { return ::kill(id, 0) != 0 && errno == ESRCH; }

TEST(foreground_command, ends_with_its_status_and_its_last_lines) {
  command_box box;
  const command_end end = box.run("echo out; echo err >&2; exit 3");
  EXPECT_EQ(WEXITSTATUS(end.wait_status), 3);
  EXPECT_THAT(end.last_lines, testing::AllOf(HasSubstr("out"), HasSubstr("err")));
  EXPECT_TRUE(WIFSIGNALED(box.run("kill -9 $$").wait_status));
}

TEST(foreground_command, that_cannot_be_started_is_an_error) {
  command_box box;
  EXPECT_THROW(static_cast<void>(box.run_words({"/no/such/program"})), base::error);
}

TEST(foreground_command, leaves_no_process_behind) {
  command_box box;
  static_cast<void>(box.run("sleep 1000 & echo $! >" + box.folder.quoted("id")));
  EXPECT_TRUE(process_is_gone(box.id_in("id")));
}

TEST(foreground_command, is_not_started_when_the_user_has_interrupted) {
  command_box box;
  box.stop = true;
  EXPECT_THROW(static_cast<void>(box.run("touch " + box.folder.quoted("id"))), stopped_sweep);
  EXPECT_FALSE(box.has_id());
}

TEST(foreground_command, ends_with_its_children_when_the_user_interrupts) {
  command_box box;
  box.meanwhile = [&] {
    if (box.has_id()) box.stop = true;
  };
  EXPECT_THROW(static_cast<void>(box.run(box.endless())), stopped_sweep);
  EXPECT_TRUE(process_is_gone(box.id_in("id")));
}

TEST(foreground_command, ends_when_the_server_has_died) {
  command_box box;
  box.meanwhile = [&] {
    if (box.has_id()) throw failed_server("it died");
  };
  EXPECT_THROW(static_cast<void>(box.run(box.endless())), failed_server);
  EXPECT_TRUE(process_is_gone(box.id_in("id")));
}

TEST(foreground_command, that_cannot_be_started_has_the_type_of_the_reason) {
  command_box box;
  const auto type_of = [&](const std::vector<std::string>& words) {
    try {
      static_cast<void>(box.run_words(words));
    } catch (const failed_run& e) {
      return e.type();
    }
    return std::string();
  };
  EXPECT_EQ(type_of({"/no/such/program"}), "FileNotFoundError");
  EXPECT_EQ(type_of({box.folder.write("file", "text")}), "PermissionError");
  EXPECT_EQ(type_of({"true", std::string(200'000, 'x')}), "OSError");
}

}  // namespace
}  // namespace inferbench::experiment
