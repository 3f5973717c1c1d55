#include "place.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <system_error>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

#include "output_file.hpp"

namespace reporters {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 255;

/// "5", and "0.5" where upstream could not have said it.
std::string rps_text(double rps) {
  std::string out;
  ifb::append_python_float(out, rps);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

}  // namespace

std::string date_text(std::int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local)};
}

std::string generated_name(const resolved& run, std::string_view date) {
  std::string out = run.label && !run.label->empty() ? *run.label : run.backend;
  std::ranges::replace(out, '/', '-');
  out += '-';
  if (run.ramp_up) {
    out += "ramp-up-" + run.ramp_up->strategy + '-' + rps_text(run.ramp_up->start) + "qps-" +
           rps_text(run.ramp_up->end);
  } else {
    ifb::append_python_float(out, run.request_rate);
  }
  out += "qps";
  if (run.max_concurrency) out += "-concurrency" + std::to_string(*run.max_concurrency);
  out += '-';
  out += run.model_id.substr(run.model_id.rfind('/') + 1);
  out += '-';
  out += date;
  if (run.runs > 1) out += "-run" + std::to_string(run.number);
  return out + ".json";
}

fs::path result_place(const place_options& given, const resolved& run, std::string_view date) {
  return fs::path(given.result_dir.text) /
         (given.result_filename.empty() ? generated_name(run, date) : given.result_filename);
}

fs::path beside(fs::path result, std::string_view ending) {
  return result.replace_extension().concat(ending);
}

void prepare_place(const place_options& given, const fs::path& file) {
  if (file.filename().native().size() > longest_name)
    throw ifb::failure{IFB_E_CONFIG, "the name of the result file is longer than 255 bytes",
                       given.result_filename.empty() ? "label" : "result-filename"};
  if (!given.result_dir.text.empty()) make_folder(given.result_dir.text);
  std::error_code unknown;
  if (fs::is_directory(file, unknown))
    throw ifb::failure{IFB_E_CONFIG, file.string() + " is a folder", "result-filename"};
}

}  // namespace reporters
