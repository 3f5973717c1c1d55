#include "plugin/instance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <utility>

#include <inferbench/guard.hpp>

#include "base/text.hpp"

namespace inferbench::plugin {

namespace {

std::string called(const ifb_plugin& plugin) {
  return std::string(name_of(plugin.kind)) + " " + plugin.id;
}

const char* meaning_of(ifb_status status) {
  switch (status) {
    case IFB_OK: return "no error";
    case IFB_END: return "ended";
    case IFB_MORE: return "asked for another request";
    case IFB_SKIP: return "skipped";
    case IFB_E_CONFIG: return "an option value is unusable";
    case IFB_E_UNSUPPORTED: return "not supported";
    case IFB_E_IO: return "input or output failed";
    case IFB_E_PROTOCOL: return "the answer makes no sense";
    case IFB_E_REMOTE: return "the server answered with an error";
    case IFB_E_TIMEOUT: return "timed out";
    case IFB_E_CANCELLED: return "cancelled";
    case IFB_E_MEMORY: return "out of memory";
    case IFB_E_DATA: return "malformed data";
    default: return "internal error of the plugin";
  }
}

// The plugin's table of one interface, as far as both know it. `v1`: the size of
// the table in version 1.0, all of which every plugin has. `beside`: what else would do.
template <typename table>
table whole(const instance& from, const char* interface_id, std::size_t v1,
            const std::string& beside = {}) {
  const ifb_plugin& plugin = *from.library().plugin;
  const void* const raw = from.query(interface_id);
  if (raw == nullptr) {
    std::string offers;
    for (const char* const* id = plugin.interfaces; *id != nullptr; ++id)
      offers += (offers.empty() ? "" : ", ") + std::string(*id);
    throw base::error(called(plugin) + " offers " + (offers.empty() ? "nothing" : offers) +
                          "; this host speaks " + interface_id + beside,
                      "use a build of the plugin that offers it");
  }
  std::uint32_t size = 0;
  std::memcpy(&size, raw, sizeof size);
  if (size < v1)
    throw base::error(called(plugin) + " offers " + interface_id + " with a struct_size of " +
                          std::to_string(size) + ", but " + std::to_string(v1) +
                          " is the least there is",
                      "report it to the plugin's author");
  table out{};
  std::memcpy(&out, raw, std::min<std::size_t>(size, sizeof out));
  out.struct_size = sizeof out;
  return out;
}

struct member {
  const char* name;
  bool there;
};

void demand(const instance& from, const char* interface_id, std::initializer_list<member> members) {
  for (const member& m : members)
    if (!m.there)
      throw base::error(
          called(*from.library().plugin) + " offers " + interface_id + " without " + m.name,
          "report it to the plugin's author");
}

}  // namespace

instance::instance(loaded library, std::span<const ifb_value> values, const services& shared)
    : library_(std::move(library)),
      host_(std::make_unique<host>(shared, called(*library_.plugin))),
      costs_(std::make_unique<cost_sheet>()) {
  const ifb_config config{.values = values.data(), .count = values.size()};
  ifb_error error = empty_error();
  const breadcrumb crumb(library_.plugin, "create");
  const ifb_status status = library_.plugin->create(host_->table(), &config, &self_, &error);
  if (status == IFB_OK && self_ != nullptr) {
    const auto options = library_.options();
    for (std::size_t i = 0; i < std::min(options.size(), values.size()); ++i)
      if (values[i].type == IFB_BOOL && values[i].as.i != 0) on_.emplace_back(options[i]->name);
    return;
  }
  self_ = nullptr;
  const bool known = error.option >= 0 && std::cmp_less(error.option, values.size());
  throw refused(
      called(*library_.plugin) + ": " +
          (status == IFB_OK ? "create succeeded and made nothing" : text_of(error, status)),
      known ? error.option : -1, status == IFB_OK ? IFB_E_INTERNAL : status);
}

instance::~instance() {
  const breadcrumb crumb(library_.plugin, "destroy");
  library_.plugin->destroy(self_);
}

bool instance::is_on(std::string_view option) const {
  return std::ranges::find(on_, option) != on_.end();
}

cost_sheet* instance::cost_sheet_for(std::initializer_list<call> often) const {
  for (const call each : often)
    costs_->expect(each);
  return costs_.get();
}

const void* instance::query(const char* interface_id) const {
  const breadcrumb crumb(library_.plugin, "query");
  return library_.plugin->query(interface_id);
}

codec codec_of(const instance& backend) {
  codec out{whole<ifb_http_codec>(backend, IFB_HTTP_CODEC,
                                  offsetof(ifb_http_codec, close) + sizeof(void*),
                                  " and " IFB_ENGINE)};
  ifb_http_codec& table = out;
  demand(backend, IFB_HTTP_CODEC,
         {{"open", table.open != nullptr},
          {"request", table.request != nullptr},
          {"on_message", table.on_message != nullptr},
          {"on_end", table.on_end != nullptr},
          {"close", table.close != nullptr}});
  out.costs = backend.cost_sheet_for(
      {call::open, call::request, call::on_message, call::on_end, call::close});
  out.hears_head = table.on_head != nullptr;
  if (out.hears_head)
    out.costs->expect(call::on_head);
  else
    table.on_head = [](ifb_exchange*, const ifb_http_head*, std::uint32_t* framing,
                       ifb_error*) -> ifb_status {
      *framing = IFB_FRAMING_AUTO;
      return IFB_OK;
    };
  out.plugin = backend.library().plugin;
  return out;
}

engine engine_of(const instance& backend) {
  engine out{whole<ifb_engine>(backend, IFB_ENGINE, offsetof(ifb_engine, release) + sizeof(void*))};
  const ifb_engine& c = out;
  demand(backend, IFB_ENGINE,
         {{"submit", c.submit != nullptr},
          {"cancel", c.cancel != nullptr},
          {"release", c.release != nullptr}});
  out.plugin = backend.library().plugin;
  out.costs = backend.cost_sheet_for({call::submit, call::release});
  return out;
}

bool is_engine(const loaded& backend) noexcept {
  bool codec = false;
  bool engine = false;
  for (const char* const* id = backend.plugin->interfaces; *id != nullptr; ++id) {
    codec |= std::strcmp(*id, IFB_HTTP_CODEC) == 0;
    engine |= std::strcmp(*id, IFB_ENGINE) == 0;
  }
  return engine && !codec;
}

dataset dataset_of(const instance& from) {
  dataset out{
      whole<ifb_dataset>(from, IFB_DATASET_OPS, offsetof(ifb_dataset, read) + sizeof(void*))};
  const ifb_dataset& c = out;
  demand(from, IFB_DATASET_OPS, {{"prepare", c.prepare != nullptr}, {"read", c.read != nullptr}});
  out.plugin = from.library().plugin;
  out.costs = from.cost_sheet_for({call::read});
  return out;
}

reporter reporter_of(const instance& from) {
  reporter out{
      whole<ifb_reporter>(from, IFB_REPORTER_OPS, offsetof(ifb_reporter, end) + sizeof(void*))};
  ifb_reporter& table = out;
  out.takes_records = table.records != nullptr;
  out.takes_snapshots = table.snapshot != nullptr;
  if (out.takes_records) out.costs = from.cost_sheet_for({call::records});
  demand(from, IFB_REPORTER_OPS,
         {{"begin", table.begin != nullptr}, {"end", table.end != nullptr}});
  if (table.records == nullptr)
    table.records = [](ifb_instance*, const ifb_record*, std::size_t, std::size_t,
                       ifb_error*) -> ifb_status { return IFB_OK; };
  if (table.snapshot == nullptr)
    table.snapshot = [](ifb_instance*, const ifb_metric*, std::size_t, std::size_t,
                        ifb_error*) -> ifb_status { return IFB_OK; };
  out.plugin = from.library().plugin;
  return out;
}

tokenizer tokenizer_of(const instance& from) {
  tokenizer out{whole<ifb_tokenizer>(from, IFB_TOKENIZER_OPS,
                                     offsetof(ifb_tokenizer, decode) + sizeof(void*))};
  ifb_tokenizer& table = out;
  demand(from, IFB_TOKENIZER_OPS,
         {{"vocabulary", table.vocabulary != nullptr},
          {"encode", table.encode != nullptr},
          {"decode", table.decode != nullptr}});
  out.counts = table.count != nullptr;
  if (!out.counts)
    table.count = [](const ifb_instance*, ifb_str, std::uint32_t, std::uint64_t*) -> ifb_status {
      return IFB_E_UNSUPPORTED;
    };
  if (table.encode_pair == nullptr)
    table.encode_pair = [](const ifb_instance*, ifb_str, ifb_str, std::uint32_t, std::uint32_t*,
                           std::uint32_t*, std::size_t,
                           std::size_t*) -> ifb_status { return IFB_E_UNSUPPORTED; };
  if (table.render == nullptr)
    table.render = [](const ifb_instance*, ifb_str, char*, std::size_t, std::size_t*,
                      ifb_error* error) -> ifb_status {
      ifb::fill(error, IFB_E_UNSUPPORTED, "the tokenizer has no chat template");
      return IFB_E_UNSUPPORTED;
    };
  out.plugin = from.library().plugin;
  out.costs = from.cost_sheet_for({call::count, call::encode});
  return out;
}

std::string text_of(const ifb_error& error, ifb_status status) {
  const std::size_t size = ::strnlen(error.message, sizeof error.message);
  std::string text = base::valid_utf8({error.message, size});
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  const std::string_view trimmed = base::trim(text);
  return trimmed.empty() ? meaning_of(status) : std::string(trimmed);
}

ifb_error empty_error() noexcept {
  ifb_error out;
  out.code = IFB_OK;
  out.option = -1;
  out.message[0] = '\0';
  return out;
}

}  // namespace inferbench::plugin
