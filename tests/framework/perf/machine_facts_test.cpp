#include "perf/machine_facts.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace inferbench::perf {
namespace {

TEST(the_facts_of_a_machine, are_read_from_the_files_of_the_kernel) {
  const support::temporary_folder root;
  const auto cpu = [&](int number, const std::string& file, const std::string& siblings) {
    root.write("sys/devices/system/cpu/cpu" + std::to_string(number) + "/topology/" + file,
               siblings + "\n");
  };
  cpu(0, "core_cpus_list", "0,2");
  cpu(2, "core_cpus_list", "0,2");
  // A kernel before 5.3.
  cpu(1, "thread_siblings_list", "1");
  root.write("sys/devices/system/cpu/cpu3/online", "0\n");
  root.write("sys/devices/system/cpu/cpufreq/x", "");
  root.write("sys/devices/system/node/node0/x", "");
  root.write("proc/meminfo", "MemTotal:        1228800 kB\nMemFree:  1 kB\n");
  root.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU: fast\nmodel name\t: x\n");
  const machine_facts facts = read_machine(root.root);
  EXPECT_EQ(facts.physical_cores, 2U);
  EXPECT_EQ(facts.logical_cores, 3U);
  EXPECT_EQ(facts.memory_bytes, 1258291200U);
  EXPECT_EQ(facts.numa_nodes, 1U);
  EXPECT_EQ(facts.cpu_brand, "Some CPU: fast");
}

TEST(the_facts_of_a_machine, stay_unknown_without_files) {
  const support::temporary_folder root;
  const machine_facts facts = read_machine(root.root);
  EXPECT_EQ(facts.physical_cores, 0U);
  EXPECT_EQ(facts.memory_bytes, 0U);
  EXPECT_FALSE(facts.numa_nodes);
  EXPECT_FALSE(facts.cpu_brand);
}

TEST(the_text_of_a_memory, has_two_decimals_and_a_binary_unit) {
  EXPECT_EQ(memory_text(0), "0.00B");
  EXPECT_EQ(memory_text(1023), "1023.00B");
  EXPECT_EQ(memory_text(1253656), "1.20MB");
  EXPECT_EQ(memory_text(1253656678), "1.17GB");
  EXPECT_EQ(memory_text(std::uint64_t{1} << 63U), "8192.00PB");
}

TEST(the_environment_report, names_machine_and_devices) {
  EXPECT_EQ(environment_report({2, 4, 1258291200, 1, "Some CPU"}, "Linux 6.1 x86_64", "H100\nH100",
                               "the tool's table\n"),
            "inferbench version: " INFERBENCH_VERSION
            "\nSystem: Linux 6.1 x86_64\nCPU brand: Some CPU\nPhysical cores: 2\nTotal cores: 4\n"
            "Total memory: 1.17GB\nNUMA nodes: 1\nDevices: H100 H100\n\nthe tool's table\n");
  EXPECT_EQ(environment_report({}, "", "", {}),
            "inferbench version: " INFERBENCH_VERSION
            "\nSystem: \nCPU brand: unknown\nPhysical cores: 0\nTotal cores: 0\n"
            "Total memory: 0.00B\nDevices: none\n");
}

}  // namespace
}  // namespace inferbench::perf
