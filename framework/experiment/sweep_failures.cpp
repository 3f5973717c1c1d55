#include "experiment/sweep_failures.hpp"

#include <string_view>

#include "experiment/result_file.hpp"
#include "pytext/python_text.hpp"
#include "sweep/layout.hpp"

namespace inferbench::experiment {

namespace {

using document = ifb::json_document;

ifb::json_value text_value(const std::string& text, document& of) {
  ifb::json_value out;
  out.SetString(text.data(), static_cast<rapidjson::SizeType>(text.size()), of.GetAllocator());
  return out;
}

}  // namespace

std::filesystem::path failure_file_of(const std::filesystem::path& result) {
  return result.parent_path() / (result.stem().string() + ".failure.json");
}

std::string server_failure_file(const sweep::item& serve) {
  return sweep::sanitised("SERVE-" + name_or_default(serve) + "-failure.json");
}

std::string failure_text(int run_number, const std::string& type, const std::string& error,
                         const sweep::item& serve, const sweep::item& bench) {
  document out;
  out.SetObject();
  auto& memory = out.GetAllocator();
  out.AddMember("run_number", run_number, memory);
  out.AddMember("error_type", text_value(type, out), memory);
  out.AddMember("error", text_value(error, out), memory);
  out.AddMember("serve_overrides", json_of(serve.table(), memory), memory);
  out.AddMember("bench_overrides", json_of(bench.table(), memory), memory);
  return pytext::python_json(out, 2) + "\n";
}

std::string server_failure_text(const std::string& error, const sweep::item& serve) {
  document out;
  out.SetObject();
  auto& memory = out.GetAllocator();
  out.AddMember("error_type", "RuntimeError", memory);
  out.AddMember("error", text_value(error, out), memory);
  out.AddMember("serve_overrides", json_of(serve.table(), memory), memory);
  return pytext::python_json(out, 2) + "\n";
}

}  // namespace inferbench::experiment
