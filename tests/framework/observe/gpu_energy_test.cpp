#include "observe/gpu_energy.hpp"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

/// NVML with GPUs whose counters a test sets. The functions of NVML have no argument for a state.
struct fake_nvml {
  static inline std::array<unsigned long long, 3> millijoules{};
  static inline unsigned gpus = 3;
  static inline int started = 0;
  static inline int energy_status = 0;
  static inline int init_status = 0;

  static nvml_functions functions() {
    millijoules = {1000, 2000, 3000};
    gpus = 3;
    started = energy_status = init_status = 0;
    return {[] {
              if (init_status == 0) ++started;
              return init_status;
            },
            [] {
              --started;
              return 0;
            },
            [](unsigned* out) {
              *out = gpus;
              return 0;
            },
            [](unsigned index, void** out) {
              *out = &millijoules.at(index);
              return 0;
            },
            [](void* device, unsigned long long* out) {
              *out = *static_cast<unsigned long long*>(device);
              return energy_status;
            },
            [](int status) { return status == 3 ? "Not Supported" : "Driver Not Loaded"; }};
  }
};

std::string trouble_of(const auto& call) {
  try {
    call();
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

TEST(gpu_energy, is_the_growth_of_the_counters_of_the_chosen_gpus) {
  gpu_energy of(fake_nvml::functions(), {2, 0});
  of.start(1'000'000'000);
  fake_nvml::millijoules = {1500, 9000, 5500};
  const energy_use used = of.finish(3'000'000'000);
  EXPECT_THAT(used.gpus, ElementsAre(2, 0));
  EXPECT_DOUBLE_EQ(used.joules, 3.0);
  EXPECT_DOUBLE_EQ(used.seconds, 2.0);
}

TEST(gpu_energy, without_a_choice_all_gpus_count_and_nvml_ends_with_the_object) {
  {
    gpu_energy of(fake_nvml::functions());
    of.start(0);
    EXPECT_THAT(of.finish(1).gpus, ElementsAre(0, 1, 2));
    EXPECT_EQ(fake_nvml::started, 1);
  }
  EXPECT_EQ(fake_nvml::started, 0);
}

TEST(gpu_energy, of_a_counter_that_was_reset_is_not_known) {
  gpu_energy of(fake_nvml::functions(), {1});
  of.start(0);
  fake_nvml::millijoules[1] = 1999;
  EXPECT_EQ(trouble_of([&] { static_cast<void>(of.finish(1)); }),
            "the energy of the GPUs is not known: the counter of GPU 1 was reset");
}

TEST(gpu_energy, names_what_is_missing) {
  const nvml_functions nvml = fake_nvml::functions();
  EXPECT_EQ(trouble_of([&] { const gpu_energy of(nvml, {3}); }),
            "there is no GPU 3: this machine has 3; the first GPU is 0");
  fake_nvml::energy_status = 3;
  EXPECT_EQ(trouble_of([&] { const gpu_energy of(nvml); }),
            "the energy of the GPUs cannot be measured: GPU 0 does not tell its energy (Not "
            "Supported)");
  EXPECT_EQ(fake_nvml::started, 0);
  fake_nvml::gpus = 0;
  EXPECT_THAT(trouble_of([&] { const gpu_energy of(nvml); }), HasSubstr("no NVIDIA GPU"));
  fake_nvml::init_status = 9;
  EXPECT_THAT(trouble_of([&] { const gpu_energy of(nvml); }),
              HasSubstr("NVML does not start (Driver Not Loaded)"));
}

TEST(gpu_energy, a_library_that_is_missing_or_another_one_is_an_error) {
  EXPECT_THAT(trouble_of([] { static_cast<void>(open_nvml("libno-such-library.so.1")); }),
              HasSubstr("the energy of the GPUs cannot be measured: libno-such-library.so.1"));
  EXPECT_EQ(trouble_of([] { static_cast<void>(open_nvml("libm.so.6")); }),
            "the energy of the GPUs cannot be measured: libm.so.6 has no function nvmlInit_v2");
}

TEST(gpu_energy, members_have_the_energy_of_a_token_unless_there_is_none) {
  const energy_use used{{0, 1}, 30, 2};
  EXPECT_THAT(energy_members(used, 60),
              ElementsAre(Pair("energy_gpu_ids", "[0, 1]"), Pair("gpu_energy_j", "30.0"),
                          Pair("gpu_energy_duration_s", "2.0"), Pair("gpu_avg_power_w", "15.0"),
                          Pair("gpu_energy_per_output_token_j", "0.5")));
  EXPECT_THAT(energy_json(used, 0), HasSubstr("\"gpu_energy_per_output_token_j\": null"));
  EXPECT_THAT(energy_json({{0}, 30, 0}, 0), HasSubstr("\"gpu_avg_power_w\": 0.0"));
}

}  // namespace
}  // namespace inferbench::observe
