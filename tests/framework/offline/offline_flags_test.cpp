#include "offline/offline_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

constexpr benchmark every_benchmark[] = {benchmark::throughput,     benchmark::latency,
                                         benchmark::startup,        benchmark::mm_processor,
                                         benchmark::prefix_caching, benchmark::long_document_qa,
                                         benchmark::prioritization};

/// "--n=1 --num-prompts=1000 ...", the defaults as JSON.
std::string defaults_of(benchmark which) {
  std::string out;
  for (const offline_flag& each : all_offline_flags())
    if ((each.commands & bit_of(which)) != 0)
      out += "--" + std::string(each.name) + " " + each.fallback + "\n";
  return out;
}

TEST(offline_flags, the_help_of_each_command_is_that_of_its_golden_file) {
  for (const benchmark which : every_benchmark)
    support::expect_golden(
        offline_help(which),
        std::string(INFERBENCH_FIXTURES) + "/offline/help_" + std::string(name_of(which)) + ".txt");
}

TEST(offline_flags, names_and_defaults_of_each_command_are_those_of_its_golden_file) {
  for (const benchmark which : every_benchmark)
    support::expect_golden(defaults_of(which), std::string(INFERBENCH_FIXTURES) +
                                                   "/offline/defaults_" +
                                                   std::string(name_of(which)) + ".txt");
}

TEST(offline_flags, commands_have_the_names_of_upstream) {
  EXPECT_EQ(name_of(benchmark::throughput), "throughput");
  EXPECT_EQ(name_of(benchmark::latency), "latency");
  EXPECT_EQ(name_of(benchmark::startup), "startup");
  EXPECT_EQ(name_of(benchmark::mm_processor), "mm-processor");
  EXPECT_EQ(name_of(benchmark::prefix_caching), "prefix-caching");
  EXPECT_EQ(name_of(benchmark::long_document_qa), "long-document-qa");
  EXPECT_EQ(name_of(benchmark::prioritization), "prioritization");
}

TEST(offline_flags, each_command_declares_a_flag_once) {
  for (const offline_flag& one : all_offline_flags())
    for (const offline_flag& other : all_offline_flags())
      EXPECT_TRUE(&one == &other || std::string(one.name) != other.name ||
                  (one.commands & other.commands) == 0)
          << one.name;
}

TEST(offline_flags, each_default_is_a_value_of_its_flag) {
  for (const benchmark which : every_benchmark) {
    const offline_line line = line_of({}, which);
    const offline_values values(line);
    for (const offline_flag& each : all_offline_flags()) {
      if ((each.commands & bit_of(which)) == 0) continue;
      SCOPED_TRACE(each.name);
      switch (each.type) {
        case flag_type::toggle: EXPECT_FALSE(values.on(each.name)); break;
        case flag_type::text:
        case flag_type::choice: EXPECT_NO_THROW((void)values.text(each.name)); break;
        case flag_type::whole:
          if (const auto value = values.whole(each.name)) {
            EXPECT_GE(static_cast<double>(*value), each.least);
          }
          break;
        case flag_type::real: EXPECT_GE(values.real(each.name).value_or(-1), 0); break;
        case flag_type::json: EXPECT_FALSE(values.object(each.name).items.empty()); break;
      }
    }
  }
}

TEST(offline_flags, flags_belong_to_their_commands_only) {
  EXPECT_NE(find_flag(benchmark::latency, "use-beam-search"), nullptr);
  EXPECT_EQ(find_flag(benchmark::throughput, "use-beam-search"), nullptr);
  EXPECT_EQ(find_flag(benchmark::latency, "max-model-len"), nullptr);
  EXPECT_EQ(find_flag(benchmark::latency, ""), nullptr);
}

TEST(offline_flags, an_unknown_name_suggests_the_nearest_flag) {
  EXPECT_EQ(nearest_flag(benchmark::throughput, "num-promts"), "did you mean --num-prompts?");
  EXPECT_EQ(nearest_flag(benchmark::throughput, "xyz"), "");
}

}  // namespace
}  // namespace inferbench::offline
