// Datasets whose rows the host may read at the same time (IFB_DATASET_PARALLEL).
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/dataset_show.hpp"
#include "plugins/datasets/word_tokenizer.hpp"

namespace {

using support::dataset_box;
using support::settings;

struct parallel_dataset {
  const char* name;
  settings given;
  std::int64_t wanted = 0;
  std::uint64_t rows = 0;  // to be read; 0: all
  bool words = false;      // with word_tokenizer instead of numbers
};

std::string path(const char* name) { return support::fixture_path(name); }

/// `numbers`: a file of numbers, the tokens of number_tokenizer.
std::vector<parallel_dataset> parallel_datasets(const std::string& numbers) {
  const std::int64_t on = 1;
  return {
      {"random", {{"input-len", "uniform(3, 9)"}, {"prefix-len", "2"}}, 0, 400},
      {"random-rerank", {{"input-len", "uniform(9, 20)"}}, 0, 400},
      {"prefix_repetition",
       {{"prefix-len", "5"}, {"suffix-len", "uniform(2, 4)"}, {"num-prefixes", std::int64_t{50}}},
       0,
       400},
      {"sonnet",
       {{"input-len", "120"}, {"prefix-len", std::int64_t{40}}, {"skip-chat-template", on}},
       0,
       200,
       true},
      {"txt-slices", {{"path", numbers}, {"input-len", "8"}}, 0, 400},
      {"txt-slices", {{"path", numbers}, {"input-len", "8"}}, 300},
      {"timed_trace", {{"path", path("mooncake_trace.jsonl")}, {"chunk-hash-size", 512}}},
      {"burstgpt", {{"path", path("BurstGPT_1.csv")}}, 300},
      {"custom", {{"path", path("custom.jsonl")}, {"skip-chat-template", on}}, 0, 0, true},
      {"spec_bench",
       {{"path", path("spec_bench/question.jsonl")}, {"skip-chat-template", on}},
       0,
       0,
       true},
      {"sharegpt", {{"path", path("sharegpt.json")}}, 0, 0, true},
      {"sharegpt", {{"path", path("sharegpt_multi_turn.json")}, {"multi-turn", on}}, 0, 0, true},
  };
}

// Everything that a row yields, as a text.
std::string parallel_row(dataset_box& box, std::uint64_t row) {
  support::arena memory;
  ifb_sample sample{};
  sample.struct_size = sizeof sample;
  sample.arrival_ns = sample.input_tokens = sample.output_tokens = -1;
  ifb_error error{};
  const ifb_status status = box.operations().read(box.get(), row, memory.handle(), &sample, &error);
  std::string out = std::to_string(status) + " " + error.message;
  for (const ifb_part& part : ifb::view(sample.prompt))
    out += "|" + std::string(ifb::view(part.data));
  for (const ifb_message& message : ifb::view(sample.messages)) {
    out += "|" + std::string(ifb::view(message.json)) + std::to_string(message.tokens);
    for (const ifb_part& part : ifb::view(message.parts))
      out += "|" + std::string(ifb::view(part.data));
  }
  return out + "|" + std::to_string(sample.input_tokens) + "|" +
         std::to_string(sample.output_tokens) + "|" + std::to_string(sample.arrival_ns);
}

struct parallel_bench {
  explicit parallel_bench(const parallel_dataset& of) : box(of.name) {
    tokenizer.offer(box.host);
    if (of.words) box.host.services[IFB_SERVICE_TOKENIZER] = &support::word_tokenizer;
    EXPECT_EQ(box.create(of.given), IFB_OK) << box.message();
    EXPECT_EQ(box.prepare(of.wanted, 3), IFB_OK) << box.message();
    rows = of.rows != 0 ? of.rows : static_cast<std::uint64_t>(box.info.rows);
  }

  support::number_tokenizer tokenizer;
  dataset_box box;
  std::uint64_t rows = 0;
};

TEST(parallel, rows_are_the_same_however_many_threads_read_them) {
  std::string numbers;
  for (int i = 100; i < 900; ++i)
    numbers += (numbers.empty() ? "" : " ") + std::to_string(i);
  const support::data_file file(numbers);
  for (const parallel_dataset& one : parallel_datasets(file.path())) {
    SCOPED_TRACE(one.name);
    parallel_bench serial(one);
    ASSERT_NE((serial.box.operations().flags | serial.box.info.flags) & IFB_DATASET_PARALLEL, 0U);
    ASSERT_GT(serial.rows, 0U);
    std::vector<std::string> expected;
    for (std::uint64_t row = 0; row < serial.rows; ++row)
      expected.push_back(parallel_row(serial.box, row));

    parallel_bench b(one);
    constexpr std::uint64_t threads = 6;
    std::vector<std::vector<std::string>> found(threads, std::vector<std::string>(b.rows));
    {
      // Each row is read by two threads, the second of which goes backwards.
      std::vector<std::thread> readers;
      for (std::uint64_t t = 0; t < threads; ++t)
        readers.emplace_back([&, t] {
          for (std::uint64_t i = 0; i < b.rows; ++i) {
            const std::uint64_t row = t % 2 == 0 ? i : b.rows - 1 - i;
            if (row % (threads / 2) == t / 2) found[t][row] = parallel_row(b.box, row);
          }
        });
      for (std::thread& reader : readers)
        reader.join();
    }
    for (std::uint64_t row = 0; row < b.rows; ++row) {
      const std::uint64_t t = row % (threads / 2) * 2;
      EXPECT_EQ(found[t][row], expected[row]) << row;
      EXPECT_EQ(found[t + 1][row], expected[row]) << row;
    }
  }
}

TEST(parallel, a_run_with_a_number_of_random_prompts_is_read_by_one_thread) {
  for (const char* name : {"random", "random-rerank", "prefix_repetition", "sonnet"}) {
    parallel_bench b({name, {}, 20, 0, std::string(name) == "sonnet"});
    EXPECT_EQ((b.box.operations().flags | b.box.info.flags) & IFB_DATASET_PARALLEL, 0U) << name;
  }
}

}  // namespace
