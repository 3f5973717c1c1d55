// llama-cpp with a real libllama and tiny models. The expected texts are known: in the model
// "chain" each byte is followed by the next one, and '.' by the end.
#include "engines/llama-cpp/llama_plugin.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/draft/batch_engine.hpp>

#include "engine_host.hpp"
#include "llama_files.hpp"

namespace llama_cpp {
namespace {

using engine_test::engine_host;
using engine_test::failure_of;
using engine_test::message_of;
using engine_test::text_batch;
using llama_test::weights;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class llama_plugins : public testing::Test {
 protected:
  static engine_options options_for(const std::string& model) {
    engine_options out;
    out.library.text = LLAMA_LIBRARY;
    out.model = model;
    out.n_ctx = 256;
    out.n_seq_max = 4;
    out.n_batch = 128;
    out.n_ubatch = 64;
    out.n_threads = 1;
    out.seed = 1;
    out.temperature = 0;
    return out;
  }
  engine_options chain() { return options_for(files_.model(weights::chain)); }

  ifb_batch_report run(llama_plugin& plugin, const ifb_batch& batch) {
    return plugin.run(batch, host_.arena());
  }
  static std::vector<std::string> texts_of(const ifb_batch_report& report) {
    std::vector<std::string> out;
    for (const auto& each :
         ifb::strided<ifb_batch_result>(report.results, report.result_count, report.result_stride))
      for (const auto& output :
           ifb::strided<ifb_batch_output>(each.outputs, each.output_count, each.output_stride))
        out.emplace_back(ifb::view(output.text));
    return out;
  }
  static const ifb_batch_output& output(const ifb_batch_report& report, std::size_t i) {
    return report.results[i].outputs[0];
  }

  engine_host host_;
  llama_test::file_folder files_;
};

TEST_F(llama_plugins, offer_both_interfaces) {
  constexpr const ifb_plugin& described = ifb::draft::batch_engine<llama_plugin>::descriptor;
  EXPECT_THAT((std::vector<std::string>{described.interfaces[0], described.interfaces[1]}),
              ElementsAre(IFB_BATCH_ENGINE, IFB_ENGINE));
  EXPECT_EQ(described.interfaces[2], nullptr);
}

TEST_F(llama_plugins, describe_what_they_loaded) {
  llama_plugin plugin(host_.host(), chain());
  const ifb_loaded_engine loaded = plugin.load();
  EXPECT_EQ(loaded.max_model_len, 256);
  EXPECT_THAT(std::string(ifb::view(loaded.description)),
              AllOf(HasSubstr("llama.cpp "), HasSubstr("llama ")));
  EXPECT_GT(loaded.load_ns, 0U);
  ASSERT_EQ(loaded.measures.count, 3U);
  std::vector<std::string> stages;
  for (std::uint32_t i = 0; i < 3; ++i)
    stages.emplace_back(ifb::view(loaded.measures.first[i].name));
  EXPECT_THAT(stages, ElementsAre("model", "context", "warm_up"));
}

TEST_F(llama_plugins, take_the_options_of_the_command) {
  llama_plugin plugin(host_.host(), options_for("none.gguf"));
  const std::string json =
      R"({"model": ")" + files_.model(weights::chain) + R"(", "max_model_len": 512})";
  ifb_engine_setup setup{};
  setup.options_json = ifb::str(json);
  plugin.configure(setup);
  EXPECT_EQ(plugin.load().max_model_len, 512);
  const ifb_field variable = ifb::field("A", "b");
  setup.environment = &variable;
  setup.environment_count = 1;
  EXPECT_EQ(failure_of([&] { plugin.configure(setup); }).code(), IFB_E_UNSUPPORTED);
}

TEST_F(llama_plugins, refuse_what_is_no_model_with_the_reason) {
  const auto refusal = [&](const std::string& model) {
    llama_plugin plugin(host_.host(), options_for(model));
    const ifb::failure refused = failure_of([&] { static_cast<void>(plugin.load()); });
    EXPECT_EQ(refused.option(), "model");
    EXPECT_EQ(failure_of([&] { static_cast<void>(plugin.load()); }).message(), refused.message());
    return refused.message();
  };
  EXPECT_EQ(refusal(""), "give the file of the model (GGUF)");
  EXPECT_EQ(refusal(files_ / "none"), "no file " + (files_ / "none"));
  EXPECT_THAT(refusal(files_.write("x", "no model at all")),
              AllOf(HasSubstr("libllama cannot load"), HasSubstr("magic")));
  const std::string whole = llama_test::gguf_of({});
  EXPECT_THAT(refusal(files_.write("cut", whole.substr(0, whole.size() / 2))),
              HasSubstr("libllama cannot load"));
}

TEST_F(llama_plugins, refuse_options_that_do_not_fit_together) {
  engine_options options = chain();
  options.n_batch = 3;
  const ifb::failure batch =
      failure_of([&] { static_cast<void>(llama_plugin(host_.host(), options).load()); });
  EXPECT_EQ(batch.option(), "n-batch");
  options = chain();
  options.n_seq_max = options.n_batch = 1024;
  const ifb::failure sequences =
      failure_of([&] { static_cast<void>(llama_plugin(host_.host(), options).load()); });
  EXPECT_EQ(sequences.option(), "n-seq-max");
}

TEST_F(llama_plugins, generate_the_known_continuation) {
  llama_plugin plugin(host_.host(), chain());
  const text_batch what({"abc", "x0", "zzzzA"}, 5);
  const ifb_batch_report report = run(plugin, what.batch);
  EXPECT_THAT(texts_of(report), ElementsAre("defgh", "12345", "BCDEF"));
  ASSERT_EQ(report.result_count, 3U);
  EXPECT_EQ(report.results[0].prompt_tokens, 3);
  EXPECT_EQ(output(report, 0).tokens, 5);
  EXPECT_EQ(ifb::view(output(report, 0).finish_reason), "length");
  EXPECT_EQ(output(report, 0).flags, std::uint32_t{IFB_BATCH_FINISHED});
}

TEST_F(llama_plugins, give_each_token_its_time_within_the_timed_section) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"abc", "x0"}, 5);
  what.batch.flags = IFB_BATCH_STAMPS;
  what.sampling.n = 2;
  const ifb_batch_report report = run(plugin, what.batch);
  for (std::uint32_t i = 0; i < report.result_count; ++i) {
    const ifb_batch_result& each = report.results[i];
    ASSERT_EQ(each.token_count, 10U);
    const std::vector<std::uint64_t> at(each.token_ns, each.token_ns + each.token_count);
    EXPECT_TRUE(std::ranges::is_sorted(at));
    EXPECT_EQ(each.arrived_ns, report.began_ns);
    EXPECT_GT(at.front(), report.began_ns);
    EXPECT_EQ(each.first_token_ns, at.front());
    EXPECT_EQ(each.last_token_ns, at.back());
    EXPECT_LE(at.back(), report.began_ns + report.elapsed_ns);
  }
  what.batch.flags = 0;
  EXPECT_EQ(run(plugin, what.batch).results[0].token_ns, nullptr);
}

TEST_F(llama_plugins, decode_continuously_with_more_samples_than_sequences) {
  llama_plugin plugin(host_.host(), chain());
  std::vector<std::string> prompts;
  std::vector<std::string> expected;
  for (char first = 'A'; first < 'I'; ++first) {
    prompts.emplace_back(1, first);
    expected.push_back({static_cast<char>(first + 1), static_cast<char>(first + 2)});
  }
  const text_batch what(prompts, 2);
  const ifb_batch_report report = run(plugin, what.batch);
  EXPECT_EQ(texts_of(report), expected);
  ASSERT_EQ(report.measures.count, 3U);
  EXPECT_EQ(ifb::view(report.measures.first[2].name), "num_decode_calls");
  EXPECT_EQ(report.measures.first[2].value, 4);  // two samples a sequence, two tokens each
}

TEST_F(llama_plugins, cut_long_prompts_into_several_steps) {
  engine_options options = chain();
  options.n_batch = options.n_ubatch = 5;
  llama_plugin plugin(host_.host(), options);
  const text_batch what({std::string(50, 'q') + "a", "b", std::string(23, 'r') + "c"}, 3);
  EXPECT_THAT(texts_of(run(plugin, what.batch)), ElementsAre("bcd", "cde", "def"));
}

TEST_F(llama_plugins, keep_the_contexts_of_sequences_apart) {
  engine_options options = options_for(files_.model(weights::random));
  options.cache_type = cache_choice::f32;
  options.flash_attention = flash_choice::off;
  text_batch what({"one", "another", "bone", std::string(30, 'w') + "ne", "e", "gone"}, 12);
  what.sampling.temperature = 0;
  options.n_seq_max = 1;
  llama_plugin alone(host_.host(), options);
  const std::vector<std::string> expected = texts_of(run(alone, what.batch));
  EXPECT_NE(expected[0], expected[2]);  // both end with "one"
  options.n_seq_max = 4;
  options.n_batch = options.n_ubatch = 7;
  llama_plugin together(host_.host(), options);
  EXPECT_EQ(texts_of(run(together, what.batch)), expected);
  EXPECT_EQ(texts_of(run(together, what.batch)), expected);  // nothing is left of the first run
}

TEST_F(llama_plugins, stop_at_the_end_of_the_text_unless_it_is_ignored) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"+"}, 8);
  what.sampling.flags = 0;
  ifb_batch_report report = run(plugin, what.batch);
  EXPECT_EQ(ifb::view(output(report, 0).text), ",-.");
  EXPECT_EQ(output(report, 0).tokens, 4);  // the end is a token, too
  EXPECT_EQ(ifb::view(output(report, 0).finish_reason), "stop");
  what.sampling.flags = IFB_SAMPLING_IGNORE_EOS;
  report = run(plugin, what.batch);
  EXPECT_EQ(output(report, 0).tokens, 8);
  EXPECT_EQ(ifb::view(output(report, 0).finish_reason), "length");
}

TEST_F(llama_plugins, take_token_ids) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"unused"}, 3);
  const std::vector<std::uint32_t> ids{'1', '2', llama_test::im_end, 'm'};
  ifb_part part{};
  part.struct_size = sizeof part;
  part.kind = IFB_PART_TOKENS;
  part.data = {ids.data(), ids.size() * sizeof(std::uint32_t)};
  what.sample(0).shape = IFB_PROMPT_TOKENS;
  what.sample(0).prompt = ifb::list_of({&part, 1});
  EXPECT_THAT(texts_of(run(plugin, what.batch)), ElementsAre("nop"));
  const std::vector<std::uint32_t> wrong{'1', llama_test::vocabulary_size};
  part.data = {wrong.data(), wrong.size() * sizeof(std::uint32_t)};
  const ifb_batch_report report = run(plugin, what.batch);
  EXPECT_EQ(report.results[0].status, IFB_E_DATA);
  EXPECT_EQ(ifb::view(report.results[0].error),
            "token id 259, and the model's vocabulary has 259 tokens");
}

TEST_F(llama_plugins, apply_the_chat_template) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"Hi"}, 2);
  what.batch.mode = IFB_BATCH_CHAT;
  const ifb_batch_report report = run(plugin, what.batch);
  // <|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n
  EXPECT_EQ(report.results[0].prompt_tokens, 1 + 5 + 2 + 1 + 1 + 1 + 10);
  EXPECT_THAT(texts_of(report), ElementsAre("\x0B\x0C"));  // after a line feed
}

TEST_F(llama_plugins, need_a_chat_template_for_chats) {
  llama_test::tiny_model without;
  without.chat_template = false;
  llama_plugin plugin(host_.host(),
                      options_for(files_.write("plain.gguf", llama_test::gguf_of(without))));
  text_batch what({"Hi"}, 2);
  what.batch.mode = IFB_BATCH_CHAT;
  const ifb_batch_report report = run(plugin, what.batch);
  EXPECT_EQ(report.results[0].status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(ifb::view(report.results[0].error), "the model has no chat template");
}

TEST_F(llama_plugins, refuse_a_sample_that_is_too_long_and_carry_out_the_others) {
  llama_plugin plugin(host_.host(), chain());
  const text_batch what({std::string(256, 'x'), "a", ""}, 2);
  const ifb_batch_report report = run(plugin, what.batch);
  EXPECT_EQ(report.results[0].status, IFB_E_DATA);
  EXPECT_EQ(ifb::view(report.results[0].error),
            "the prompt has 256 tokens, and the context of a sequence 256 for prompt and output");
  EXPECT_EQ(report.results[0].output_count, 0U);
  EXPECT_EQ(report.results[1].status, IFB_OK);
  EXPECT_EQ(ifb::view(report.results[2].error), "the prompt has no tokens");
  EXPECT_THAT(texts_of(report), ElementsAre("bc"));
}

TEST_F(llama_plugins, end_an_output_with_the_context) {
  llama_plugin plugin(host_.host(), chain());
  const text_batch what({std::string(250, 'x')}, 1000);
  const ifb_batch_report report = run(plugin, what.batch);
  EXPECT_EQ(output(report, 0).tokens, 6);
  EXPECT_EQ(ifb::view(output(report, 0).finish_reason), "length");
}

TEST_F(llama_plugins, leave_the_text_out_if_nobody_wants_it) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"a"}, 3);
  what.batch.flags = IFB_BATCH_NO_TEXT;
  const ifb_batch_report report = run(plugin, what.batch);
  EXPECT_THAT(texts_of(report), ElementsAre(""));
  EXPECT_EQ(output(report, 0).tokens, 3);
}

TEST_F(llama_plugins, sample_the_same_texts_from_the_same_seed) {
  engine_options options = options_for(files_.model(weights::random));
  const auto texts = [&](std::int64_t seed) {
    options.seed = seed;
    llama_plugin plugin(host_.host(), options);
    text_batch what({"a", "b"}, 12);
    what.sampling.n = 2;
    what.sampling.top_p = 0.95;
    what.sampling.temperature = 1.5;
    return texts_of(run(plugin, what.batch));
  };
  const std::vector<std::string> first = texts(1);
  ASSERT_EQ(first.size(), 4U);
  EXPECT_NE(first[0], first[1]);
  EXPECT_EQ(texts(1), first);
  EXPECT_NE(texts(2), first);
}

TEST_F(llama_plugins, refuse_batches_that_they_cannot_carry_out) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"a"}, 3);
  const auto refusal = [&] {
    return message_of([&] { static_cast<void>(run(plugin, what.batch)); });
  };
  what.batch.mode = IFB_BATCH_BEAM_SEARCH;
  EXPECT_EQ(refusal(), "llama-cpp has no beam search");
  what.batch.mode = 77;
  EXPECT_EQ(refusal(), "llama-cpp does not know batches of mode 77");
  what.batch.mode = IFB_BATCH_GENERATE;
  what.batch.flags = IFB_BATCH_PROFILE;
  EXPECT_EQ(refusal(), "llama-cpp has no profiler");
  what.batch.flags = 0;
  const ifb_adapter adapter{};
  what.item(0).adapter = &adapter;
  EXPECT_EQ(refusal(), "llama-cpp has no adapters (LoRA)");
  what.item(0).adapter = nullptr;
  what.sample(0).output_tokens = -1;
  EXPECT_EQ(refusal(), "item 0: no length of the output is known; give --output-len");
  what.sample(0).output_tokens = 0;
  EXPECT_EQ(run(plugin, what.batch).results[0].status, IFB_E_DATA);
}

TEST_F(llama_plugins, end_a_batch_that_is_cancelled_and_take_the_next) {
  llama_plugin plugin(host_.host(), chain());
  static_cast<void>(plugin.load());
  const text_batch endless(std::vector<std::string>(2000, "a"), 255);
  auto running = std::async(std::launch::async, [&] {
    return failure_of([&] { static_cast<void>(run(plugin, endless.batch)); }).code();
  });
  while (running.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    plugin.cancel();
  EXPECT_EQ(running.get(), IFB_E_CANCELLED);
  const text_batch what({"a"}, 3);
  EXPECT_THAT(texts_of(run(plugin, what.batch)), ElementsAre("bcd"));
  host_.stopping = true;
  EXPECT_EQ(failure_of([&] { static_cast<void>(run(plugin, what.batch)); }).code(),
            IFB_E_CANCELLED);
}

/// The events of one request; its end can be waited for.
struct llama_answer {
  llama_answer() {
    table.struct_size = sizeof table;
    table.on_token = [](ifb_output* to, const ifb_token* t) {
      of(to).text += ifb::view(t->text);
      of(to).counts.push_back(t->count);
      of(to).at.push_back(t->at);
      if (of(to).after_token) of(to).after_token();
    };
    table.on_usage = [](ifb_output* to, const ifb_usage* u) {
      of(to).usage = {u->prompt_tokens, u->output_tokens};
    };
    table.on_attribute = [](ifb_output*, ifb_str, ifb_str) {};
    table.on_done = [](ifb_output* to, const ifb_done* d) {
      of(to).reason = ifb::view(d->finish_reason);
      of(to).over.set_value();
    };
    table.on_error = [](ifb_output* to, const ifb_error* e) {
      of(to).code = e->code;
      of(to).over.set_value();
    };
  }
  static llama_answer& of(ifb_output* to) { return *reinterpret_cast<llama_answer*>(to); }
  ifb::engine_output out() { return {&table, reinterpret_cast<ifb_output*>(this)}; }
  void wait() { over.get_future().wait(); }

  ifb_events table{};
  std::function<void()> after_token;
  std::string text;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> at;
  std::pair<std::int64_t, std::int64_t> usage;
  std::string reason;
  ifb_status code = IFB_OK;
  std::promise<void> over;
};

TEST_F(llama_plugins, answer_single_requests_together) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"a", "+", "0"}, 6);
  std::array<llama_answer, 3> answers;
  std::vector<llama_plugin::call> calls;
  for (std::size_t i = 0; i < 3; ++i)
    calls.push_back(plugin.open(what.sample(i), host_.arena(), answers[i].out()));
  for (auto& each : calls)
    each.run();
  for (auto& each : answers)
    each.wait();
  EXPECT_EQ(answers[0].text, "bcdefg");
  EXPECT_THAT(answers[0].counts, AllOf(testing::SizeIs(6), Each(1U)));
  EXPECT_TRUE(std::ranges::is_sorted(answers[0].at));
  EXPECT_GT(answers[0].at.front(), 0U);
  EXPECT_EQ(answers[0].usage, (std::pair<std::int64_t, std::int64_t>(1, 6)));
  EXPECT_EQ(answers[0].reason, "length");
  EXPECT_EQ(answers[1].text, ",-.");
  EXPECT_EQ(answers[1].reason, "stop");
  EXPECT_EQ(answers[2].text, "123456");
  EXPECT_EQ(failure_of([&] { static_cast<void>(run(plugin, what.batch)); }).code(),
            IFB_E_UNSUPPORTED);
}

TEST_F(llama_plugins, end_single_requests_that_are_cancelled) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({"a"}, 200);
  llama_answer late;
  auto call = plugin.open(what.sample(0), host_.arena(), late.out());
  late.after_token = [&] { call.cancel(); };
  call.run();
  late.wait();
  EXPECT_EQ(late.code, IFB_E_CANCELLED);
  EXPECT_LT(late.counts.size(), 200U);
  llama_answer early;
  auto unborn = plugin.open(what.sample(0), host_.arena(), early.out());
  unborn.cancel();
  unborn.run();
  early.wait();
  EXPECT_EQ(early.code, IFB_E_CANCELLED);
  EXPECT_THAT(early.counts, testing::IsEmpty());
  unborn.cancel();  // after its end: nothing happens
}

TEST_F(llama_plugins, end_single_requests_when_they_are_destroyed) {
  llama_answer answer;
  std::promise<void> begun;
  std::atomic<bool> first = true;
  answer.after_token = [&] {
    if (first.exchange(false)) begun.set_value();
  };
  text_batch what({"a"}, 255);
  {
    engine_options options = chain();
    options.ignore_eos = true;
    llama_plugin plugin(host_.host(), options);
    auto call = plugin.open(what.sample(0), host_.arena(), answer.out());
    call.run();
    begun.get_future().wait();
  }
  answer.wait();
  EXPECT_TRUE(answer.code == IFB_E_CANCELLED || answer.reason == "length");
}

TEST_F(llama_plugins, refuse_single_requests_that_cannot_be_answered) {
  llama_plugin plugin(host_.host(), chain());
  text_batch what({std::string(300, 'x')}, 2);
  llama_answer answer;
  const auto refusal = [&] {
    return message_of(
        [&] { static_cast<void>(plugin.open(what.sample(0), host_.arena(), answer.out())); });
  };
  EXPECT_THAT(refusal(), HasSubstr("the prompt has 300 tokens"));
  what.sample(0).output_tokens = -1;
  EXPECT_EQ(refusal(), "no length of the output is known; give --output-len");
  what.sample(0).output_tokens = 2;
  what.sample(0).shape = IFB_PROMPT_TEXTS;
  EXPECT_THAT(refusal(), HasSubstr("plain text prompts only"));
}

}  // namespace
}  // namespace llama_cpp
