// A backend in C++ whose codec lets an exception escape.
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <inferbench/abi.h>

namespace {

ifb_status create(const ifb_host*, const ifb_config*, ifb_instance** out, ifb_error*) {
  static int self;
  *out = reinterpret_cast<ifb_instance*>(&self);
  return IFB_OK;
}
void destroy(ifb_instance*) {}

ifb_status open(ifb_instance*, const ifb_sample*, ifb_arena*, ifb_exchange**, ifb_error*) {
#if defined(WRONG_SYSTEM)
  throw std::system_error(std::make_error_code(std::errc::too_many_files_open));
#endif
  throw std::runtime_error("nobody catches me");
}
ifb_status request(ifb_exchange*, ifb_http_request*, ifb_error*) { return IFB_OK; }
ifb_status on_message(ifb_exchange*, const ifb_http_message*, const ifb_events*, ifb_output*,
                      ifb_error*) {
  return IFB_OK;
}
ifb_status on_end(ifb_exchange*, const ifb_http_end*, const ifb_events*, ifb_output*, ifb_error*) {
  return IFB_OK;
}
void close(ifb_exchange*) {}

const ifb_http_codec codec = {
    sizeof(ifb_http_codec), 0, open, request, nullptr, on_message, on_end, close, nullptr};
const void* query(const ifb_plugin*, const char* id) {
  return std::strcmp(id, IFB_HTTP_CODEC) == 0 ? &codec : nullptr;
}

const char* const interfaces[] = {IFB_HTTP_CODEC, nullptr};
const ifb_plugin the_plugin = {sizeof(ifb_plugin),
                               IFB_BACKEND,
                               "right",
                               "1.0.0",
                               "A plugin of the tests.",
                               "Apache-2.0",
                               nullptr,
                               0,
                               0,
                               create,
                               destroy,
                               interfaces,
                               query};
const ifb_plugin* const plugins[] = {&the_plugin};
const ifb_library library = {
    sizeof(ifb_library), IFB_ABI_MAJOR, IFB_ABI_MINOR, "c++, by hand", plugins, 1, 0};

}  // namespace

const ifb_library* IFB_CALL inferbench_plugin_v1_rc2(std::uint32_t, std::uint32_t) {
  return &library;
}
