#include "services/http_service.hpp"

#include <exception>
#include <new>
#include <string>

#include "base/arena.hpp"
#include "plugin/host.hpp"
#include "plugin/instance.hpp"
#include "services/target.hpp"

namespace inferbench::services {

namespace {

ifb_status fail(ifb_error* error, ifb_status code, const std::string& message) {
  if (error != nullptr) {
    error->code = code;
    error->option = -1;
    const std::size_t n = message.copy(error->message, sizeof error->message - 1);
    error->message[n] = '\0';
  }
  return code;
}

ifb_status fetch(const ifb_host* host, ifb_str method, ifb_str path, ifb_bytes body,
                 std::uint64_t timeout_ns, ifb_arena* arena, std::uint32_t* status,
                 ifb_bytes* answer, ifb_error* error) try {
  const auto& server = *static_cast<const target*>(plugin::services_of(host).http_state);
  const auto result =
      server.fetch_for_plugin(std::string(plugin::view(method)), std::string(plugin::view(path)),
                              plugin::view(body), timeout_ns);
  if (!result.ok()) return fail(error, result.timed_out ? IFB_E_TIMEOUT : IFB_E_IO, result.error);
  const std::string_view kept = arena->copy(result.body);
  if (kept.size() != result.body.size()) return fail(error, IFB_E_MEMORY, "out of memory");
  *status = result.status;
  *answer = {kept.data(), kept.size()};
  return IFB_OK;
} catch (const std::exception& e) {
  return fail(error, IFB_E_IO, e.what());
}

ifb_arena* make_arena(const ifb_host*) { return new (std::nothrow) ifb_arena; }

void free_arena(const ifb_host*, ifb_arena* arena) { delete arena; }

constexpr ifb_http_service http_table{sizeof(ifb_http_service), 0, &fetch, &make_arena,
                                      &free_arena};

}  // namespace

const ifb_http_service& http_service() noexcept { return http_table; }

}  // namespace inferbench::services
