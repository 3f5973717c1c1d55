// The kit through the program, on plugins of tests/check/wrong that are wrong in one place
// each: the test that is meant for it is the first to find it.
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "check/test.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

struct ended {
  int status = 0;
  std::string output;
};

ended run(const std::string& arguments) {
  ended out;
  // What a faulty plugin leaks is not what is looked for; and a child that leaves threads behind
  // would end a second later.
  const std::string command =
      "ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=\"$TSAN_OPTIONS "
      "atexit_sleep_ms=0\" " INFERBENCH_BINARY " plugin check " +
      arguments + " 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> block{};
  for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
    out.output.append(block.data(), got);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

std::string wrong(const std::string& name) { return WRONG_PLUGINS "/" + name + ".so"; }

// All tests up to that one: what comes later has no say here.
std::string only_up_to(std::string_view name) {
  std::string out;
  for (const test& t : tests()) {
    out += std::string(" --only ") + t.name;
    if (name == t.name) break;
  }
  return out;
}

struct fault {
  const char* plugin;
  const char* test;
  const char* verdict;
  const char* says;
  const char* arguments = "";
};

void PrintTo(const fault& f, std::ostream* out) { *out << f.plugin; }

class wrong_plugin : public testing::TestWithParam<fault> {};

TEST_P(wrong_plugin, is_caught_by_the_test_that_is_meant_for_it) {
  const fault& f = GetParam();
  const ended e = run(wrong(f.plugin) + only_up_to(f.test) + " --json - " + f.arguments);
  EXPECT_EQ(e.status, std::string_view(f.verdict) == "warned" ? 0 : 1) << e.output;
  const rapidjson::Document json = base::parse_json(e.output, "the report");
  const base::json_value* first = nullptr;
  for (const auto& t : json["tests"].GetArray()) {
    const std::string verdict = t["verdict"].GetString();
    if (verdict == "passed" || verdict == "skipped") continue;
    first = &t;
    break;
  }
  ASSERT_NE(first, nullptr) << e.output;
  EXPECT_STREQ((*first)["test"].GetString(), f.test) << e.output;
  EXPECT_STREQ((*first)["verdict"].GetString(), f.verdict) << e.output;
  EXPECT_THAT((*first)["findings"][0]["what"].GetString(), HasSubstr(f.says));
}

// Each is `right` with one fault.
constexpr fault faults[] = {
    {"library_exports-more", "file-exports", "failed", "helper_of_the_author"},
    {"library_exports-unique", "file-exports", "failed", "shared_by_all"},
    {"library_exec-stack", "file-segments", "failed", "executable stack"},
    {"library_unresolved", "file-loads", "failed", "there_is_no_such_function"},
#if defined(WITHOUT_SANITIZER)
    {"runtime_two", "file-runtime", "warned", "needed.so, which it needs, uses another"},
#endif
    {"library_entry-talks", "entry", "failed", "evaluation copy"},
    {"library_entry-file", "entry", "failed", "/dev/null"},
    {"library_entry-thread", "entry", "failed", "starts a thread"},
    {"library_entry-slow", "entry", "failed", " ms"},
    {"library_entry-pointer", "entry", "failed", "another pointer"},
    {"library_entry-crashes", "entry", "crashed", "while it is loaded"},
    {"library_entry-refuses", "entry", "failed", "refuses this host"},
    {"library_id-twice", "library", "failed", "two plugins of kind backend are called one"},
    {"backend_id", "descriptor", "failed", "My Backend!"},
    {"backend_fallback", "options", "failed", "the default of option count"},
    {"backend_query", "interfaces", "failed", "does not list it"},
    {"backend_unlisted", "interfaces", "failed", "query does not answer it"},
    {"backend_create-fails", "create", "failed", "cannot find myself"},
    {"backend_create-silent", "create", "failed", "does not say why"},
    {"backend_create-talks", "create", "failed", "creating"},
    {"backend_leak", "create-growth", "failed", "destroyed it leaves"},
    {"backend_values", "create-values", "crashed", ""},
    {"backend_status", "calls", "failed", "status 77"},
    {"backend_hangs", "calls", "failed", "still busy", "--time-limit 2"},
    {"backend_exits", "calls", "crashed", "ended the process with status 3"},
    {"backend_files", "create-growth", "failed", "1 open file behind"},
#if defined(WITHOUT_SANITIZER)
    {"backend_maps", "create-growth", "failed", "bytes of mapped memory behind"},
#endif
    {"backend_leg", "calls", "crashed", "request"},
    {"throws", "calls", "failed", "nobody catches me"},
    {"throws-system", "calls", "failed", "the operating system refuses something: Too many open"},
    {"backend_signal", "process", "failed", "changes what happens on the signal SIGUSR1"},
    {"backend_signal-flags", "process", "failed", "changes what happens on the signal SIGUSR1"},
    {"backend_environment", "process", "warned", "the environment variable WRONG_ENVIRONMENT"},
    {"backend_no-end", "codec-events", "warned", "neither on_done nor on_error"},
    {"backend_keeps-error", "borrowing", "crashed", "on_end"},
    {"backend_exchange-leak", "calls-growth", "failed", "bytes behind"},
    {"backend_shared", "instances", "failed", "beside another instance"},
    {"backend_header", "codec-request", "failed", "a header field cannot be sent"},
    {"backend_done-twice", "codec-events", "failed", "reported 2 times"},
    {"backend_after-done", "codec-events", "failed", "usage 1 - 1 -"},
    {"backend_close", "codec-close", "crashed", "close"},
    {"backend_reads", "codec-cuts", "failed", "reads is heard as"},
    {"backend_truncated", "codec-truncation", "crashed", "on_end"},
    {"backend_noise", "codec-noise", "crashed", "on_message"},
    {"backend_thread", "threads", "failed", "who?"},
    {"backend_keeps-config", "borrowing", "crashed", "open"},
    {"backend_keeps-arena", "borrowing", "crashed", "open"},
    {"backend_keeps-data", "borrowing", "crashed", "on_end"},
    {"backend_alloc", "no-memory", "crashed", ""},
    {"backend_service", "no-services", "crashed", ""},
    {"backend_stride", "forward", "failed", "on a newer host"},
    {"backend_size", "forward", "failed", "struct_size"},
    {"engine_positive", "calls", "failed", "IFB_END, which means nothing there"},
    {"engine_token-size", "engine-events", "failed", "an ifb_token has struct_size 0"},
    {"engine_blocks-fails", "engine-events", "failed", "hands out a call and then fails"},
    {"engine_blocks-deaf", "engine-cancel", "failed", "does not end", "--time-limit 2"},
    {"engine_blocks-nameless", "engine-cancel", "warned", "only the end of the run ends it",
     "--time-limit 2"},
    {"engine_blocks-two", "engine-cancel", "failed", "another than the one that it leaves"},
    {"engine_keeps-error", "borrowing", "crashed", "release"},
    {"engine_thread", "threads", "failed", "IFB_E_INTERNAL"},
    {"engine_blocks-crowd", "threads", "failed", "a call does not end", "--time-limit 4"},
    {"engine_ends-twice", "engine-events", "failed", "2 times"},
    {"engine_never-ends", "engine-cancel", "failed", "does not end", "--time-limit 2"},
    {"dataset_row", "dataset-rows", "failed", "read again is another"},
    {"dataset_skip", "dataset-rows", "failed", "does not say why"},
    {"dataset_shape", "dataset-rows", "failed", "no prompt of a known shape"},
    {"dataset_wanted", "dataset-wanted", "failed", "status 5"},
    {"dataset_arrivals", "dataset-rows", "failed", "has no arrival_ns"},
    {"file_missing", "files-missing", "failed", "works all the same",
     "--set path=" INFERBENCH_SOURCE "/tests/check/lines.txt"},
    {"backend_missing-file", "files-missing", "failed", "works all the same",
     "--set file=" INFERBENCH_SOURCE "/tests/check/lines.txt"},
    {"file_second", "files-damaged", "crashed", "create",
     "--set path=" INFERBENCH_SOURCE "/tests/check/lines.txt --set other=" INFERBENCH_SOURCE
     "/tests/check/lines.txt"},
    {"file_damaged", "files-damaged", "crashed", "read",
     "--set path=" INFERBENCH_SOURCE "/tests/check/lines.txt"},
    {"dataset_seed", "dataset-seed", "failed", "other rows"},
    {"dataset_view", "dataset-memory", "failed", "change when the next one is read"},
    {"dataset_end", "dataset-end", "failed", "row 5 of 5 answers IFB_OK"},
    {"reporter_no-records", "reporter-empty", "failed", "no records"},
    {"reporter_metrics", "reporter-metrics", "failed", "what is this"},
    {"reporter_stamps", "reporter-stamps", "crashed", "records"},
    {"reporter_broken-off", "reporter-broken", "crashed", "destroy"},
    {"reporter_folder", "reporter-folder", "failed", "without a word"},
    {"tokenizer_vocabulary", "tokenizer-count", "failed", "the vocabulary"},
    {"tokenizer_count", "tokenizer-count", "failed", "count says"},
    {"tokenizer_room", "tokenizer-room", "crashed", "encode"},
    {"tokenizer_decode", "tokenizer-decode", "failed", "decode fails"},
    {"tokenizer_render", "tokenizer-render", "failed", "not UTF-8"},
};

INSTANTIATE_TEST_SUITE_P(kit, wrong_plugin, testing::ValuesIn(faults), [](const auto& each) {
  std::string name = each.param.plugin;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// The same sources without a fault: so it is the fault that is found.
class right_plugin : public testing::TestWithParam<const char*> {};

TEST_P(right_plugin, passes_every_test) {
  const ended e = run(wrong(GetParam()));
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr(" 0 warned, 0 failed, 0 crashed"));
}

INSTANTIATE_TEST_SUITE_P(kit, right_plugin,
                         testing::Values("backend_nothing", "backend_legs", "engine_nothing",
                                         "engine_blocks", "dataset_nothing", "file_nothing",
                                         "reporter_nothing", "reporter_flag", "tokenizer_nothing"),
                         [](const auto& each) { return std::string(each.param); });

TEST(right_library, with_one_cxx_library_passes) {
  const ended e = run(wrong("runtime_nothing") + " --only file");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("5 passed, 0 warned"));
}

TEST(right_library, that_reads_a_file_bears_a_damaged_one) {
  const ended e = run(wrong("file_nothing") + " --set path=" INFERBENCH_SOURCE
                                              "/tests/check/lines.txt --only files --only dataset");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   files-damaged"));
}

TEST(plugin_check, damages_copies_of_files_below_a_folder) {
  const support::temporary_folder folder;
  folder.write("blob", "7 hello\n");
  std::filesystem::create_directories(folder.path("in/below"));
  std::filesystem::create_symlink(folder.path("blob"), folder.path("in/linked.txt"));
  std::filesystem::create_symlink("/dev/null", folder.path("in/device"));
  const ended e =
      run(wrong("file_nothing") + " --only files --set path=" + folder.path("in/below/.."));
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   files-damaged"));
  EXPECT_THAT(e.output, HasSubstr(" times something was damaged"));
  EXPECT_EQ(base::read_file(folder.path("blob")), "7 hello\n");
}

TEST(plugin_check, damages_no_device) {
  const ended e = run(wrong("file_nothing") + " --only files --set path=/dev/null");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("skipped  files-damaged"));
}

TEST(plugin_check, leaves_calls_that_do_not_end_what_they_use) {
  const ended e = run(wrong("engine_blocks-deaf") +
                      " --in-process --only calls --only instances --only threads --only forward"
                      " --time-limit 2");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("0 failed, 0 crashed, 5 skipped"));
}

TEST(plugin_check, tells_what_a_request_costs_an_engine_that_does_not_block) {
  EXPECT_THAT(run(wrong("engine_nothing") + " --only cost").output,
              HasSubstr(" ns, submit and release; the best of "));
  EXPECT_THAT(run(wrong("engine_blocks") + " --only cost").output,
              HasSubstr("submit blocks: what it costs is the request"));
}

TEST(plugin_check, lists_its_tests) {
  const ended e = run("--list");
  EXPECT_EQ(e.status, 0);
  EXPECT_THAT(e.output, HasSubstr("codec-cuts         how an answer is cut into reads"));
}

TEST(plugin_check, runs_the_tests_that_it_is_asked_for) {
  const ended e = run(wrong("backend_nothing") + " --only entry --only codec");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("  passed   entry  "));
  EXPECT_THAT(e.output, HasSubstr("  passed   codec-noise  "));
  EXPECT_THAT(e.output, testing::Not(HasSubstr("borrowing")));
}

TEST(plugin_check, says_reason_and_remedy) {
  const ended e = run(wrong("backend_done-twice") + " --only codec-events");
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output,
              HasSubstr("backend right 1.0.0\n"
                        "  failed   codec-events       the end of an answer is reported once, and "
                        "last\n"
                        "           the end of an answer is reported 2 times\n"
                        "           -> call on_done or on_error once\n"));
  EXPECT_THAT(e.output, HasSubstr("0 passed, 0 warned, 1 failed, 0 crashed, 0 skipped\n"));
}

TEST(plugin_check, writes_reports_for_programs) {
  const support::temporary_folder folder;
  const ended e = run(wrong("backend_header") + " --only codec-request --json " +
                      folder.path("r.json") + " --junit=" + folder.path("r.xml"));
  EXPECT_EQ(e.status, 1);
  const auto json = base::parse_json(base::read_file(folder.path("r.json")), "r.json");
  EXPECT_EQ(json["failed"].GetInt(), 1);
  EXPECT_THAT(base::read_file(folder.path("r.xml")),
              HasSubstr("<testcase classname=\"backend right\" name=\"codec-request\""));
}

TEST(plugin_check, works_in_one_process) {
  const ended e = run(wrong("reporter_nothing") + " --in-process");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_FALSE(std::filesystem::exists("count.txt")) << "reporters write to a folder of the test";
}

TEST(plugin_check, picks_a_plugin_of_a_library) {
  const ended e = run(wrong("backend_nothing") + ":right --only create");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("backend right 1.0.0"));
  const ended none = run(wrong("backend_nothing") + ":rigt");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.output, HasSubstr("holds no plugin rigt; did you mean right?"));
}

TEST(plugin_check, gives_options_and_refuses_what_is_none) {
  EXPECT_EQ(run(wrong("backend_nothing") + " --only create --set model=x").status, 0);
  const ended unknown = run(wrong("backend_nothing") + " --set modl=x");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("there is no such option; did you mean model?"));
  const ended bad = run(wrong("backend_nothing") + " --set model");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.output, HasSubstr("--set takes OPTION=VALUE, not model"));
}

TEST(plugin_check, skips_what_it_lacks_an_option_for) {
  const ended e = run(wrong("backend_create-fails") + " --only codec-events");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output,
              HasSubstr("  skipped  codec-events       create refuses: see the test create\n"));
}

TEST(plugin_check, refuses_what_it_cannot_do) {
  for (const auto& [arguments, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "takes a library or the id of a plugin"},
           {"/there/is/no/such.so", "cannot read"},
           {"no-such-plugin", "no plugin no-such-plugin"},
           {INFERBENCH_SOURCE "/README.md", "is not a shared library"},
           {wrong("backend_nothing") + " --only codec-cut", "did you mean codec-cuts?"},
           {wrong("backend_nothing") + " --colour", "unknown flag --colour"},
           {wrong("backend_nothing") + " --time-limit never", "--time-limit takes seconds"},
           {wrong("backend_nothing") + " --time-limit", "--time-limit needs a value"},
           {wrong("backend_nothing") + " --list=yes", "--list takes no value"},
           {wrong("backend_nothing") + " other.so", "takes one library"}}) {
    const ended e = run(arguments);
    EXPECT_EQ(e.status, 2) << arguments << e.output;
    EXPECT_THAT(e.output, HasSubstr(says));
  }
}

TEST(plugin_check, hears_recorded_exchanges_as_they_were_recorded) {
  const support::temporary_folder folder;
  folder.write("good.json", R"([{"name": "two", "backend": "right", "messages": ["a", "b"],
    "heard": ["token 0 answer \"a\"", "token 0 answer \"b\"", "done stop"]},
    {"name": "as bytes", "backend": "right", "body": ["data: a\n\n", "data: b\n\n"],
     "heard": ["events 2", "text \"ab\"", "usage - - - -", "done stop"]}])");
  const std::string with = wrong("backend_nothing") + " --only codec --transcripts ";
  const ended good = run(with + folder.path());
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_THAT(good.output, HasSubstr("2 recorded answers"));
  folder.write("good.json", R"([{"name": "two", "backend": "right", "messages": ["a"],
    "heard": ["done "]}, {"name": "body", "backend": "right", "sample": {"shape": "text",
    "prompt": ["x"]}, "body": {"model": "m"}}])");
  const ended bad = run(with + folder.path());
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.output,
              HasSubstr("good.json: two: heard token 0 answer \"a\" | done stop instead of done "));
  EXPECT_THAT(bad.output, HasSubstr("codec-request"));
  EXPECT_EQ(run(with + folder.path("missing")).status, 1);
}

TEST(plugin_check, takes_recorded_answers_as_raw_material_with_their_options) {
  const support::temporary_folder folder;
  const std::string with =
      wrong("backend_other-model") + " --only codec-events --transcripts " + folder.path();
  folder.write("a.json", R"([{"name": "plain", "backend": "right", "messages": ["a"],
    "heard": ["token 0 answer \"a\"", "done stop"]}])");
  EXPECT_EQ(run(with).status, 0);
  folder.write("b.json", R"([{"name": "other", "backend": "right", "options": {"model": "other"},
    "sample": {"shape": "texts", "prompt": ["a", "b"]}, "messages": ["a"], "heard": ["done "]}])");
  const ended e = run(with);
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("the end of an answer is reported 2 times"));
}

TEST(plugin_check, says_where_a_recording_cannot_be_set_up) {
  const support::temporary_folder folder;
  folder.write("a.json", R"([{"name": "long", "backend": "right", "options": {"model": "refused"},
    "messages": ["a"], "heard": ["done stop"]}])");
  const ended e =
      run(wrong("backend_other-model") + " --only codec --transcripts " + folder.path());
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output, HasSubstr("a.json: long: create refuses: IFB_E_CONFIG: no such model"));
}

}  // namespace
}  // namespace inferbench::check
