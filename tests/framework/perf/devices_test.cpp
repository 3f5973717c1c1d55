#include "perf/devices.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace inferbench::perf {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Tools with fixed outputs, by their names.
tool_output tools(std::map<std::string, std::string> outputs) {
  return [outputs = std::move(outputs)](
             const std::vector<std::string>& words) -> std::optional<std::string> {
    const auto at = outputs.find(words.front());
    return at == outputs.end() ? std::nullopt : std::optional(at->second);
  };
}

TEST(accelerators, of_nvidia_are_named_by_the_second_word) {
  const auto found =
      accelerators(tools({{"nvidia-smi", "NVIDIA H100 80GB HBM3\nNVIDIA H100 80GB HBM3\n"},
                          {"amd-smi", "MARKET_NAME: never reached"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2U);
  EXPECT_EQ(found->type, "H100\nH100");
  EXPECT_EQ(found->file_suffix, "");
  EXPECT_EQ(accelerators(tools({{"nvidia-smi", "Unusual\n"}}))->type, "Unusual");
}

TEST(accelerators, of_amd_are_named_by_their_market_name) {
  const auto found = accelerators(
      tools({{"amd-smi",
              "GPU: 0\n    ASIC:\n        MARKET_NAME: Instinct MI300X\n        VENDOR_ID: 0x1002\n"
              "GPU: 1\n    ASIC:\n        MARKET_NAME: Instinct MI300X\n"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2U);
  EXPECT_EQ(found->type, "Instinct MI300X\nInstinct MI300X");
}

TEST(accelerators, of_gaudi_have_files_of_their_own) {
  const auto found = accelerators(tools({{"hl-smi", "HL-225\nHL-225\n\n"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2U);
  EXPECT_EQ(found->file_suffix, "-hpu");
}

TEST(accelerators, of_ascend_are_counted_by_their_numbers) {
  const auto found = accelerators(tools(
      {{"npu-smi", "Card Count : 2\n\nNPU ID      : 8\nChip Count  : 1\n\nNPU ID      : 9\n"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2U);
  EXPECT_EQ(found->type, "Ascend\nAscend");
}

TEST(accelerators, are_absent_without_a_tool_or_a_device) {
  EXPECT_FALSE(accelerators(tools({})));
  EXPECT_FALSE(accelerators(tools({{"nvidia-smi", "\n"}, {"amd-smi", "nothing"}})));
}

TEST(cpu_devices, are_the_numa_nodes) {
  const support::temporary_folder root;
  EXPECT_EQ(cpu_devices(root.root, "x86_64").count, 1U);
  root.write("sys/devices/system/node/node0/cpulist", "0-3");
  root.write("sys/devices/system/node/node12/cpulist", "4-7");
  root.write("sys/devices/system/node/nodes", "");
  root.write("sys/devices/system/node/online", "0,12");
  const device_set found = cpu_devices(root.root, "x86_64");
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.type, "cpu");
  EXPECT_EQ(found.file_suffix, "-cpu");
  for (const char* const arm : {"aarch64", "arm64"}) {
    EXPECT_EQ(cpu_devices(root.root, arm).type, "arm64-cpu");
    EXPECT_EQ(cpu_devices(root.root, arm).file_suffix, "-arm64-cpu");
  }
}

TEST(the_memory_of_gpus, is_read_in_mib) {
  EXPECT_THAT(gpu_memory_in_use(tools({{"nvidia-smi", "512\n[N/A]\n 80000 \n"}})),
              ElementsAre(512, 0, 80000));
  EXPECT_THAT(gpu_memory_in_use(tools({})), IsEmpty());
}

}  // namespace
}  // namespace inferbench::perf
