#include "plugin/instance.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "plugin/batch_engine.hpp"
#include "plugin/complete.hpp"
#include "plugin/scorer.hpp"

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

// `beside` is the end of the error message: it names another interface that this host supports.
template <typename operations>
operations operations_of(const instance& from, std::initializer_list<call> often,
                         const std::string& beside = {}) {
  const ifb_plugin& plugin = *from.library().plugin;
  const char* const id = interface_of<operations>;
  const void* const table = from.query(id);
  if (const std::optional<lack> lacks = lack_of(id, table)) {
    if (table == nullptr) {
      std::vector<std::string_view> offers;
      for (const char* const* each = plugin.interfaces; *each != nullptr; ++each)
        offers.emplace_back(*each);
      throw base::error(
          fmt::format("{} offers {}; this host speaks {}{}", called(plugin),
                      offers.empty() ? "nothing" : fmt::format("{}", fmt::join(offers, ", ")), id,
                      beside),
          "use a build of the plugin that offers it");
    }
    constexpr const char* remedy = "report it to the plugin's author";
    if (lacks->size < lacks->least)
      throw base::error(fmt::format("{} offers {} with a struct_size of {}, less than the {} of "
                                    "version 1.0",
                                    called(plugin), id, lacks->size, lacks->least),
                        remedy);
    throw base::error(fmt::format("{} offers {} without {}", called(plugin), id, lacks->member),
                      remedy);
  }
  auto out = complete<operations>(plugin, table);
  out.costs = from.cost_sheet_for(often);
  return out;
}

}  // namespace

instance::instance(loaded library, std::span<const ifb_value> values, const services& shared)
    : library_(std::move(library)),
      host_(std::make_unique<host>(shared, called(*library_.plugin))),
      costs_(std::make_unique<cost_sheet>()) {
  const ifb_config config{.struct_size = sizeof(ifb_config),
                          .count = static_cast<std::uint32_t>(values.size()),
                          .values = values.data(),
                          .plugin = library_.self(),
                          .file = library_.file.c_str()};
  ifb_error error = empty_error();
  const breadcrumb crumb(library_.plugin, "create");
  const ifb_status status = settled(
      crumb.run([&] { return library_.plugin->create(host_->table(), &config, &self_, &error); }),
      "create", &error);
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
  crumb.run_last([&] { library_.plugin->destroy(self_); });
}

bool instance::is_on(std::string_view option) const {
  return std::ranges::find(on_, option) != on_.end();
}

cost_sheet* instance::cost_sheet_for(std::initializer_list<call> often) const {
  for (const call each : often)
    costs_->expect(each);
  return costs_.get();
}

const void* instance::query(const char* interface_id) const { return library_.query(interface_id); }

codec codec_of(const instance& backend) {
  auto out = operations_of<codec>(
      backend, {call::open, call::request, call::on_message, call::on_end, call::close},
      " and " IFB_ENGINE);
  if (out.hears_head) out.costs->expect(call::on_head);
  if (out.signs) out.costs->expect(call::sign);
  return out;
}

engine engine_of(const instance& backend) {
  return operations_of<engine>(backend, {call::submit, call::release});
}

batch_engine batch_engine_of(const instance& backend) {
  return operations_of<batch_engine>(backend, {});
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

dataset dataset_of(const instance& from) { return operations_of<dataset>(from, {call::read}); }

reporter reporter_of(const instance& from) {
  auto out = operations_of<reporter>(from, {});
  if (out.takes_records)
    out.costs->expect(call::records);
  else
    out.costs = nullptr;
  return out;
}

table_reporter table_reporter_of(const instance& from) {
  auto out = operations_of<table_reporter>(from, {});
  out.costs = nullptr;
  return out;
}

tokenizer tokenizer_of(const instance& from) {
  return operations_of<tokenizer>(from, {call::count, call::encode});
}

scorer scorer_of(const instance& from) { return operations_of<scorer>(from, {call::score}); }

std::string text_of(const ifb_error& error, ifb_status status) {
  const std::size_t size = ::strnlen(error.message, sizeof error.message);
  const std::string text = base::one_line({error.message, size});
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
