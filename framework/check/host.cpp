#include "check/host.hpp"

#include <new>
#include <tuple>
#include <utility>

#include "base/clock.hpp"
#include "check/services.hpp"
#include "plugin/host.hpp"

namespace inferbench::check {

namespace {

// Contains the table and, before it, a pointer to the host's data. The table is last, because its
// end is the end of the readable memory.
struct linked {
  void* self;
  std::uint64_t padding;
  ifb_host c;
};

constexpr std::uint64_t run_seed = 42;

}  // namespace

void* arena::alloc(std::size_t bytes) noexcept {
  try {
    return memory_.take(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

struct calls {
  static host::seen& of(const ifb_host* table) noexcept {
    const auto* const at = reinterpret_cast<const std::byte*>(table) - offsetof(linked, c);
    return *static_cast<host::seen*>(reinterpret_cast<const linked*>(at)->self);
  }
  static void IFB_CALL log(const ifb_host* h, std::uint32_t level, ifb_str text) {
    // Reads the whole text on purpose: a wrong length causes a crash here.
    std::size_t blanks = 0;
    for (std::size_t i = 0; i < text.size; ++i)
      blanks += text.data[i] == ' ' ? 1 : 0;
    constexpr std::uint32_t warning = 3;
    if (level >= warning && blanks < text.size) ++of(h).complaints;
  }
  static std::uint32_t IFB_CALL log_level(const ifb_host*) { return 0; }
  static std::uint64_t IFB_CALL now(const ifb_host*) { return base::monotonic_clock{}.now(); }
  static std::int64_t IFB_CALL unix_now(const ifb_host*) { return wall_clock_ns; }
  static std::uint64_t IFB_CALL seed(const ifb_host*, std::uint64_t stream) {
    return plugin::seed_of_stream(run_seed, stream);
  }
  static std::uint32_t IFB_CALL cancelled(const ifb_host* h) { return of(h).cancelled ? 1 : 0; }
  static void* IFB_CALL alloc(const ifb_host* h, ifb_arena* memory, std::size_t bytes) {
    host::seen& self = of(h);
    if (self.allocations++ == self.how.failing || memory == nullptr) return nullptr;
    return arena::of(memory).alloc(bytes);
  }
  static const void* IFB_CALL service(const ifb_host* h, const char* id) {
    return of(h).how.services ? service_of(id) : nullptr;
  }
};

host::host(manner how) : seen_(std::make_unique<seen>(how)) {
  const std::size_t tail = how.memory.tail;
  auto* const all =
      static_cast<linked*>(seen_->memory.take(sizeof(linked) + tail, alignof(linked)));
  all->self = seen_.get();
  seen_->table = &all->c;
  all->c = {.struct_size = static_cast<std::uint32_t>(sizeof(ifb_host) + tail),
            .abi_major = IFB_ABI_MAJOR,
            .abi_minor = static_cast<std::uint16_t>(IFB_ABI_MINOR + (tail == 0 ? 0 : 1)),
            .version = INFERBENCH_VERSION,
            .log = &calls::log,
            .log_level = &calls::log_level,
            .now = &calls::now,
            .seed = &calls::seed,
            .cancelled = &calls::cancelled,
            .alloc = &calls::alloc,
            .service = &calls::service,
            .unix_now = &calls::unix_now};
  std::memset(reinterpret_cast<std::byte*>(&all->c) + sizeof(ifb_host), how.memory.filling, tail);
}

host::~host() {
  if (seen_->left_behind) std::ignore = seen_.release();
}

finding host::fault() const {
  const std::lock_guard lock(seen_->mutex);
  return seen_->fault;
}

void host::blame(const ifb_host* table, finding fault) {
  seen& self = calls::of(table);
  const std::lock_guard lock(self.mutex);
  if (self.fault.what.empty()) self.fault = std::move(fault);
}

const host::manner& host::how(const ifb_host* table) noexcept { return calls::of(table).how; }

}  // namespace inferbench::check
