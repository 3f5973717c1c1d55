// Tests the plugin through the tables of its two interfaces, as the host calls it.
#include "engines/python-engine/python_plugin.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/draft/batch_engine.hpp>

#include "engine_host.hpp"

namespace python_engine {
namespace {

using engine_test::engine_host;
using engine_test::text_batch;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const ifb_plugin& described = ifb::draft::batch_engine<python_plugin>::descriptor;

/// The events of one request; its end can be waited for.
struct heard_request {
  heard_request() {
    table.struct_size = sizeof table;
    table.on_token = [](ifb_output* to, const ifb_token* t) {
      of(to).lines.push_back(std::string(ifb::view(t->text)) + " " + std::to_string(t->count) +
                             (t->at != 0 ? " stamped" : ""));
    };
    table.on_usage = [](ifb_output* to, const ifb_usage* u) {
      of(to).lines.push_back("usage " + std::to_string(u->prompt_tokens) + " " +
                             std::to_string(u->output_tokens));
    };
    table.on_attribute = [](ifb_output*, ifb_str, ifb_str) {};
    table.on_done = [](ifb_output* to, const ifb_done* d) {
      of(to).lines.push_back("done " + std::string(ifb::view(d->finish_reason)));
      of(to).over.set_value();
    };
    table.on_error = [](ifb_output* to, const ifb_error* e) {
      of(to).lines.push_back(e->message);
      of(to).code = e->code;
      of(to).over.set_value();
    };
  }
  static heard_request& of(ifb_output* to) { return *reinterpret_cast<heard_request*>(to); }
  ifb_output* handle() { return reinterpret_cast<ifb_output*>(this); }
  void wait() { over.get_future().wait(); }

  ifb_events table{};
  std::vector<std::string> lines;
  ifb_status code = IFB_OK;
  std::promise<void> over;
};

class python_plugins : public testing::Test {
 protected:
  ~python_plugins() override {
    if (self_ != nullptr) described.destroy(self_);
  }

  /// Creates the plugin with the options of these names. `folder`: the folder of the library, in
  /// which the plugin looks for its worker; a fake program as `python` does not need the worker.
  void create(const std::string& python, const std::string& adapter,
              const std::string& engine = "{}", const std::string& folder = "/nowhere") {
    const std::string file = folder + "/python-engine.so";
    std::vector<ifb_value> values;
    const auto options = ifb::options_of(described);
    for (const ifb_option& each : options) {
      ifb_value value{};
      value.type = each.type;
      const std::string_view name = each.name;
      if (name == "python" || name == "adapter" || name == "engine") {
        value.is_set = 1;
        value.as.s = ifb::str(name == "python" ? python : name == "adapter" ? adapter : engine);
      } else if (name.ends_with("-timeout")) {
        value.is_set = 1;
        value.as.i = 60'000'000'000;
      }
      values.push_back(value);
    }
    const ifb_config config{sizeof(ifb_config), static_cast<std::uint32_t>(values.size()),
                            values.data(), &described, file.c_str()};
    status_ = described.create(host_.table(), &config, &self_, &error_);
  }
  template <typename table>
  static const table& ops(const char* id) {
    return *static_cast<const table*>(described.query(&described, id));
  }
  static const ifb_batch_engine& batches() { return ops<ifb_batch_engine>(IFB_BATCH_ENGINE); }
  static const ifb_engine& engine() { return ops<ifb_engine>(IFB_ENGINE); }

  ifb_status load() {
    loaded_.struct_size = sizeof loaded_;
    return batches().load(self_, &loaded_, &error_);
  }
  ifb_status run(const ifb_batch& batch) {
    report_.struct_size = sizeof report_;
    return batches().run(self_, &batch, host_.arena().handle(), &report_, &error_);
  }
  ifb_status submit(heard_request& heard, ifb_call*& call) {
    return engine().submit(self_, &what_.sample(0), host_.arena().handle(), &heard.table,
                           heard.handle(), &call, &error_);
  }

  engine_host host_;
  text_batch what_{{"one", "two"}};
  ifb_status status_ = IFB_OK;
  ifb_instance* self_ = nullptr;
  ifb_error error_ = IFB_ERROR_INIT;
  ifb_loaded_engine loaded_{};
  ifb_batch_report report_{};
};

TEST_F(python_plugins, offer_both_interfaces) {
  EXPECT_THAT((std::vector<std::string>{described.interfaces[0], described.interfaces[1]}),
              ElementsAre(IFB_BATCH_ENGINE, IFB_ENGINE));
  EXPECT_EQ(described.interfaces[2], nullptr);
  EXPECT_EQ(described.query(&described, IFB_HTTP_CODEC), nullptr);
}

TEST_F(python_plugins, replace_a_variable_of_the_command_by_its_later_value) {
  create(SCRIPTED_WORKER, "options");
  for (const char* value : {"first", "second"}) {
    const ifb_field variable = ifb::field("SCRIPTED_ENGINE", value);
    const ifb_engine_setup setup{sizeof(ifb_engine_setup), 0, ifb::str("{}"), &variable, 1};
    ASSERT_EQ(batches().configure(self_, &setup, &error_), IFB_OK) << error_.message;
  }
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  EXPECT_EQ(ifb::view(loaded_.description), "second, Python 3.0");
}

TEST_F(python_plugins, load_and_run) {
  create(SCRIPTED_WORKER, "options");
  ASSERT_EQ(status_, IFB_OK);
  const ifb_field variable = ifb::field("SCRIPTED_ENGINE", "named 2.0");
  const ifb_engine_setup setup{sizeof(ifb_engine_setup), 0, ifb::str(R"({"max-model-len": 4096})"),
                               &variable, 1};
  ASSERT_EQ(batches().configure(self_, &setup, &error_), IFB_OK);
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  EXPECT_EQ(loaded_.max_model_len, 4096);
  EXPECT_EQ(loaded_.max_adapters, -1);
  EXPECT_EQ(loaded_.load_ns, 2000U);
  EXPECT_EQ(ifb::view(loaded_.description), "named 2.0, Python 3.0");
  EXPECT_EQ(ifb::view(loaded_.measures.first[0].name), "compilation");
  EXPECT_GT(loaded_.clock_bound_ns, 0U);
  ASSERT_EQ(run(what_.batch), IFB_OK) << error_.message;
  EXPECT_EQ(report_.result_count, 2U);
}

TEST_F(python_plugins, refuse_a_batch_that_the_adapter_cannot_run) {
  create(SCRIPTED_WORKER, "good");
  what_.batch.mode = IFB_BATCH_BEAM_SEARCH;
  EXPECT_EQ(run(what_.batch), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error_.message,
               "the adapter good does not have the capability beam_search; choose another with "
               "--engine-adapter");
  what_.batch.item_count = 0;
  EXPECT_EQ(run(what_.batch), IFB_E_CONFIG);
}

TEST_F(python_plugins, start_once_and_keep_the_reason_of_a_failure) {
  create("no-such-python", "good");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(load(), IFB_E_CONFIG);
    EXPECT_EQ(error_.option, 0) << "python";
    EXPECT_THAT(error_.message, HasSubstr("cannot start no-such-python: No such file"));
  }
}

TEST_F(python_plugins, refuse_options_that_are_no_object) {
  create(SCRIPTED_WORKER, "good", "[1]");
  EXPECT_EQ(status_, IFB_E_CONFIG);
  EXPECT_THAT(error_.message, HasSubstr("are not a JSON object"));
}

TEST_F(python_plugins, take_single_requests) {
  create(SCRIPTED_WORKER, "good");
  heard_request heard[3];
  ifb_call* calls[3] = {};
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(submit(heard[i], calls[i]), IFB_OK) << error_.message;
  for (int i = 0; i < 3; ++i) {
    heard[i].wait();
    EXPECT_THAT(heard[i].lines,
                ElementsAre("one 1 stamped", " two 1 stamped", "usage 4 2", "done stop"));
    engine().release(calls[i]);
  }
}

TEST_F(python_plugins, take_single_requests_of_an_engine_without_events) {
  create(SCRIPTED_WORKER, "submit-whole");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_THAT(heard.lines, ElementsAre("one two 2", "usage 4 2", "done stop"));
  engine().release(call);
}

TEST_F(python_plugins, end_single_requests_that_are_cancelled) {
  create(SCRIPTED_WORKER, "submit-silent");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  engine().cancel(call);
  heard.wait();
  EXPECT_EQ(heard.code, IFB_E_CANCELLED);
  engine().release(call);
}

TEST_F(python_plugins, end_single_requests_if_the_worker_dies_or_errs) {
  create(SCRIPTED_WORKER, "submit-dies");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_THAT(
      heard.lines,
      ElementsAre(HasSubstr("ended with exit status 9 during traffic of single requests; ")));
  engine().release(call);
  described.destroy(std::exchange(self_, nullptr));

  create(SCRIPTED_WORKER, "unknown-request");
  heard_request other;
  ASSERT_EQ(submit(other, call), IFB_OK);
  other.wait();
  EXPECT_THAT(other.lines,
              ElementsAre(HasSubstr("(finished): request: 99, and there is no such request")));
  engine().release(call);
}

TEST_F(python_plugins, end_single_requests_with_the_error_frame_of_the_worker) {
  create(SCRIPTED_WORKER, "submit-refused");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_EQ(heard.code, IFB_E_INTERNAL);
  EXPECT_THAT(heard.lines, ElementsAre(HasSubstr("the worker refuses the frame submit, field "
                                                 "item.output_tokens: not between 1 and 7; ")));
  engine().release(call);
}

TEST_F(python_plugins, end_single_requests_at_a_frame_of_a_batch) {
  create(SCRIPTED_WORKER, "submit-done");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_EQ(heard.code, IFB_E_PROTOCOL);
  EXPECT_THAT(heard.lines, ElementsAre(HasSubstr("(done): it is not allowed here; there are only "
                                                 "single requests")));
  engine().release(call);
}

ifb_part blank_part(std::uint32_t kind) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = kind;
  return out;
}

TEST_F(python_plugins, refuse_a_sample_that_would_end_the_worker_and_go_on) {
  create(SCRIPTED_WORKER, "good");
  const auto refused = [&](std::int64_t tokens, const char* overrides) {
    what_.sample(0).output_tokens = tokens;
    what_.sample(0).overrides = ifb::str(overrides);
    heard_request heard;
    ifb_call* call = nullptr;
    EXPECT_EQ(submit(heard, call), IFB_OK);
    heard.wait();
    engine().release(call);
    EXPECT_EQ(heard.code, IFB_E_DATA);
    EXPECT_EQ(run(what_.batch), IFB_E_DATA);
    EXPECT_EQ(error_.message, "item 0: " + heard.lines.front());
    return heard.lines.front();
  };
  EXPECT_EQ(refused(0, ""),
            "the sample asks for an output of 0 tokens, and an engine generates 1 or more");
  for (const char* priority : {R"("high")", "true", "0.5", "1.0"})
    EXPECT_EQ(refused(2, ("{\"priority\": " + std::string(priority) + "}").c_str()),
              "the overrides of the sample: priority: not an integer");
  EXPECT_EQ(refused(2, "[1]"), "the overrides of the sample: not a JSON object");
  EXPECT_THAT(refused(2, R"({"seed": 1, "seed": 2})"), HasSubstr(R"(the key "seed" comes twice)"));

  ifb_part ids = blank_part(IFB_PART_TOKENS);
  const ifb_sample good = what_.sample(0);
  ids.data = ifb::bytes("1234567");
  what_.sample(0).shape = IFB_PROMPT_TOKENS;
  what_.sample(0).prompt = ifb::list_of({&ids, 1});
  EXPECT_EQ(refused(2, ""), "the token ids of the sample have 7 bytes, and each token id has 4");

  ifb_message message{};
  message.struct_size = sizeof message;
  what_.sample(0).shape = IFB_PROMPT_CHAT;
  what_.sample(0).messages = ifb::list_of({&message, 1});
  for (const char* json : {"{}", R"({"role": 1})"}) {
    message.json = ifb::str(json);
    EXPECT_EQ(refused(2, ""), "message 0 of the sample: role: missing, or not a string");
  }
  message.json = ifb::str("[1]");
  EXPECT_EQ(refused(2, ""), "message 0 of the sample: not a JSON object");
  message.json = {};
  ifb_part part = blank_part(IFB_PART_JSON);
  part.data = ifb::bytes("{");
  message.parts = ifb::list_of({&part, 1});
  EXPECT_THAT(refused(2, ""), HasSubstr("message 0 of the sample: malformed JSON"));
  what_.sample(0).messages.count = 0;
  EXPECT_EQ(run(what_.batch), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error_.message, "item 0: the sample has no chat messages");

  what_.sample(0) = good;
  what_.sample(0).overrides = ifb::str(R"({"priority": -1, "top_k": 2})");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_EQ(heard.lines.back(), "done stop");
  engine().release(call);
}

/// The path of Python 3; empty if this machine has none in the usual places.
std::string python() {
  for (const char* each : {"/usr/bin/python3", "/usr/local/bin/python3"})
    if (std::filesystem::exists(each)) return each;
  return {};
}
const std::string plugins_source = INFERBENCH_SOURCE "/plugins/engines";

/// The adapter of docs/engine-protocol.md in a file of its own.
class documented_adapter {
 public:
  documented_adapter() {
    std::string name = (std::filesystem::temp_directory_path() / "engine-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::ifstream page(INFERBENCH_SOURCE "/docs/engine-protocol.md");
    const std::string text((std::istreambuf_iterator<char>(page)), {});
    const std::size_t begin = text.find("```python\n") + 10;
    std::ofstream(file()) << text.substr(begin, text.find("```", begin) - begin);
  }
  documented_adapter(const documented_adapter&) = delete;
  documented_adapter& operator=(const documented_adapter&) = delete;
  ~documented_adapter() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string file() const { return (folder_ / "echo.py").string(); }

 private:
  std::filesystem::path folder_;
};

TEST_F(python_plugins, run_the_adapter_of_the_protocol_page) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  const documented_adapter adapter;
  create(python(), adapter.file(), "{}", plugins_source);
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  EXPECT_EQ(loaded_.max_model_len, 4096);
  EXPECT_THAT(std::string(ifb::view(loaded_.description)), HasSubstr("echo 1.0, Python 3."));
  what_.batch.flags = IFB_BATCH_STAMPS;
  ASSERT_EQ(run(what_.batch), IFB_OK) << error_.message;
  ASSERT_EQ(report_.result_count, 2U);
  EXPECT_EQ(report_.results[0].prompt_tokens, 3);
  EXPECT_EQ(report_.results[1].outputs[0].tokens, 2);
  ASSERT_EQ(report_.results[1].token_count, 2U);
  EXPECT_GE(report_.results[1].token_ns[0], report_.began_ns);
}

TEST_F(python_plugins, name_an_option_that_the_adapter_refuses) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  const documented_adapter adapter;
  create(python(), adapter.file(), R"({"max-speed": 3})", plugins_source);
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message, HasSubstr("unknown option max_speed"));
}

TEST_F(python_plugins, stop_an_adapter_that_sleeps) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  const documented_adapter adapter;
  create(python(), adapter.file(), R"({"delay": 0.01})", plugins_source);
  const text_batch endless({"one"}, 1'000'000);
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  host_.stopping = true;
  EXPECT_EQ(run(endless.batch), IFB_E_CANCELLED);
}

TEST_F(python_plugins, name_a_package_that_python_does_not_have) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  create(python(), "sglang", "{}", plugins_source);
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message, AllOf(HasSubstr("does not have the package sglang"),
                                    HasSubstr("-m pip install sglang")));
}

TEST_F(python_plugins, name_an_adapter_that_does_not_exist) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  create(python(), "no_such_adapter", "{}", plugins_source);
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message,
              AllOf(HasSubstr("there is no adapter "), HasSubstr("no_such_adapter")));
}

TEST_F(python_plugins, say_that_the_worker_is_not_installed) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  create(python(), "hf");
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message, HasSubstr("can't open file"));
}

}  // namespace
}  // namespace python_engine
