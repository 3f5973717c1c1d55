#include "plugin/host.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/arena.hpp"
#include "base/text.hpp"

namespace inferbench::plugin {

namespace {

constexpr const char* program_version = INFERBENCH_VERSION;

// The text as one line of valid UTF-8, even if the plugin passes other bytes.
std::string line_of(ifb_str text) {
  if (text.data == nullptr) return {};
  std::string line = base::one_line({text.data, text.size});
  while (line.ends_with(' '))
    line.pop_back();
  return line;
}

}  // namespace

host::host(const services& shared, std::string name)
    : table_{}, shared_(&shared), name_(std::move(name)) {
  static_assert(std::is_standard_layout_v<linked>, "services_of goes from the member to the whole");
  ifb_host& c = table_.c;
  table_.self = this;
  c.struct_size = sizeof c;
  c.abi_major = IFB_ABI_MAJOR;
  c.abi_minor = IFB_ABI_MINOR;
  c.version = program_version;
  c.log = [](const ifb_host* h, std::uint32_t level, ifb_str text) {
    base::log* const log = services_of(h).log;
    const auto as = static_cast<base::log_level>(
        std::min(level, static_cast<std::uint32_t>(base::log_level::critical)));
    if (log == nullptr || as < log->level()) return;
    log->write(as, self_of(h).name_ + ": " + line_of(text));
  };
  c.log_level = [](const ifb_host* h) {
    const base::log* const log = services_of(h).log;
    return static_cast<std::uint32_t>(log == nullptr ? base::log_level::off : log->level());
  };
  c.now = [](const ifb_host* h) {
    const base::clock* const clock = services_of(h).clock;
    return clock == nullptr ? base::monotonic_clock{}.now() : clock->now();
  };
  c.unix_now = [](const ifb_host* h) {
    const base::clock* const clock = services_of(h).clock;
    return clock == nullptr ? base::unix_now() : clock->unix_now();
  };
  c.seed = [](const ifb_host* h, std::uint64_t stream) {
    return seed_of_stream(services_of(h).seed, stream);
  };
  c.cancelled = [](const ifb_host* h) -> std::uint32_t {
    const std::atomic<bool>* const flag = services_of(h).cancelled;
    return flag != nullptr && flag->load(std::memory_order_relaxed) ? 1 : 0;
  };
  c.alloc = [](const ifb_host*, ifb_arena* arena, std::size_t bytes) -> void* {
    return arena == nullptr ? nullptr : arena->alloc(bytes);
  };
  c.service = [](const ifb_host* h, const char* id) -> const void* {
    const services& has = services_of(h);
    const std::string_view asked = id == nullptr ? "" : id;
    if (asked == IFB_SERVICE_TOKENIZER) return has.tokenizer;
    if (asked == IFB_SERVICE_PROGRESS) return has.progress;
    if (asked == IFB_SERVICE_CONSOLE) return has.console;
    if (asked == IFB_SERVICE_HTTP) return has.http;
    return nullptr;
  };
}

const host& host::self_of(const ifb_host* c) noexcept {
  return *reinterpret_cast<const linked*>(c)->self;
}

const services& services_of(const ifb_host* c) noexcept { return *host::self_of(c).shared_; }

std::uint64_t seed_of_stream(std::uint64_t run_seed, std::uint64_t stream) noexcept {
  std::uint64_t z = run_seed + (stream + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

}  // namespace inferbench::plugin
