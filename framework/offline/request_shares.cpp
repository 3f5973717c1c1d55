#include "offline/request_shares.hpp"

#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::offline {

namespace {

std::int64_t whole_variable(const options::environment& env, const char* name, std::int64_t least) {
  const std::string* text = env.find(name);
  if (text == nullptr)
    throw base::error("the environment variable " + std::string(name) + " is not set",
                      "start the command with a launcher such as torchrun",
                      {"--data-parallel-size"});
  const auto value = pytext::python_int(*text);
  if (!value || *value < least)
    throw base::error("the environment variable " + std::string(name) + " is \"" +
                          base::one_line(*text) + "\" and not a whole number from " +
                          std::to_string(least),
                      {}, {"--data-parallel-size"});
  return *value;
}

}  // namespace

adapter_choice::adapter_choice(const throughput_options& options)
    : any_(options.lora && !options.lora_path.empty()),
      round_robin_(options.lora_round_robin),
      count_(options.max_loras),
      random_(options.data.seed) {}

std::uint32_t adapter_choice::next() {
  if (!any_) return 0;
  const std::int64_t number = round_robin_ ? index_++ % count_ + 1 : random_.randint(1, count_);
  return static_cast<std::uint32_t>(number);
}

request_share share_of(std::int64_t size, const options::environment& env) {
  if (size <= 1) return {};
  const std::int64_t rank = whole_variable(env, "RANK", 0);
  const std::int64_t world = whole_variable(env, "WORLD_SIZE", 1);
  if (world < size)
    throw base::error("the environment variable WORLD_SIZE is " + std::to_string(world) +
                          ", which is less than " + std::to_string(size),
                      "start at least as many processes", {"--data-parallel-size"});
  if (rank >= world)
    throw base::error("the environment variable RANK is " + std::to_string(rank) +
                          ", but WORLD_SIZE is " + std::to_string(world),
                      "RANK counts from 0", {"--data-parallel-size"});
  return {size, rank / (world / size)};
}

}  // namespace inferbench::offline
