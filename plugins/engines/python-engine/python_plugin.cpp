#include "python_plugin.hpp"

#include <algorithm>
#include <filesystem>

#include "orders.hpp"

namespace python_engine {

namespace {

namespace fs = std::filesystem;

/// worker.py and its modules lie in a folder beside the library.
constexpr const char* folder_of_worker = "python-engine";

std::string worker_file(const ifb_config& config) {
  return (fs::path(config.file).parent_path() / folder_of_worker / "worker.py").string();
}

std::vector<std::string> checked_environment(const std::vector<std::string>& given) {
  for (const std::string& each : given)
    if (each.find('=') == std::string::npos || each.front() == '=')
      throw ifb::failure{IFB_E_CONFIG, "\"" + each + "\" is not NAME=value", "environment"};
  return given;
}

ifb_measure measure_of(const measure_message& from, const clock_tie& clock) {
  return {sizeof(ifb_measure),         0,          ifb::str(from.name),
          ifb::str(from.unit),         from.value, clock.to_host(from.began_ns),
          clock.to_host(from.ended_ns)};
}

}  // namespace

python_plugin::python_plugin(ifb::host host, const options& given, const ifb_config& config)
    : host_(host), adapter_(given.adapter) {
  if (given.python.empty())
    throw ifb::failure{IFB_E_CONFIG, "the name of the interpreter is empty", "python"};
  settings_.engine_options = merged_options({}, given.engine.text, "engine");
  if (!given.model.empty()) {
    ifb::json_writer model;
    model.begin_object();
    model.member("model", given.model);
    model.end_object();
    settings_.engine_options = merged_options(model.take(), settings_.engine_options, "engine");
  }
  if (std::string named = taken_option(settings_.engine_options, "adapter"); !named.empty())
    adapter_ = std::move(named);
  settings_.command = {given.python, worker_file(config), adapter_};
  settings_.environment = checked_environment(given.environment);
  settings_.shows_output = given.show_output;
  settings_.limits = {given.start_timeout, given.load_timeout, given.silence_timeout,
                      given.cancel_timeout, given.stop_timeout};
  sampling_.struct_size = sizeof sampling_;
  sampling_.flags = given.ignore_eos ? std::uint32_t{IFB_SAMPLING_IGNORE_EOS} : 0U;
  sampling_.n = sampling_.beam_width = 1;
  sampling_.temperature = sampling_.top_p = 1;
  sampling_.max_tokens = -1;
}

void python_plugin::configure(const ifb_engine_setup& setup) {
  settings_.engine_options =
      merged_options(settings_.engine_options, ifb::view(setup.options_json), "engine");
  if (std::string named = taken_option(settings_.engine_options, "adapter"); !named.empty())
    settings_.command.back() = adapter_ = std::move(named);
  // The command's variables have priority: the empty caches of a cold start must be used.
  for (std::size_t i = 0; i < setup.environment_count; ++i) {
    const std::string name = std::string(ifb::view(setup.environment[i].name)) + "=";
    std::erase_if(settings_.environment,
                  [&](const std::string& each) { return each.starts_with(name); });
    settings_.environment.push_back(name + std::string(ifb::view(setup.environment[i].value)));
  }
}

worker& python_plugin::loaded_worker() const {
  const std::lock_guard lock(starting_);
  if (refused_) throw ifb::failure{*refused_};
  if (worker_ != nullptr) return *worker_;
  try {
    auto made = std::make_unique<worker>(host_, settings_, &requests_);
    made->load();
    requests_.set_worker(*made);
    worker_ = std::move(made);
  } catch (const ifb::failure& e) {
    refused_ = e;
    throw;
  }
  return *worker_;
}

std::string python_plugin::description() const {
  const welcome_message& about = worker_->about();
  std::string out = about.engine.empty() ? about.adapter : about.engine;
  if (!about.python.empty()) out += ", Python " + about.python;
  if (!about.executable.empty()) out += ", " + about.executable;
  return out;
}

ifb_loaded_engine python_plugin::load() {
  worker& with = loaded_worker();
  const ready_message& ready = with.load();
  description_ = description();
  start_measures_.clear();
  for (const measure_message& each : ready.measures)
    start_measures_.push_back(measure_of(each, with.clock()));
  ifb_loaded_engine out{};
  out.struct_size = sizeof out;
  out.max_model_len = ready.max_model_len;
  out.max_adapters = ready.max_adapters;
  out.load_ns = ready.load_ns;
  out.measures = {start_measures_.data(), static_cast<std::uint32_t>(start_measures_.size()),
                  sizeof(ifb_measure)};
  out.profiler = ifb::str(ready.profiler);
  out.profile_path = ifb::str(ready.profile_path);
  out.description = ifb::str(description_);
  out.clock_bound_ns =
      static_cast<std::uint64_t>(std::max<std::int64_t>(with.clock().bound_ns(), 0));
  return out;
}

void python_plugin::require_abilities(const ifb_batch& batch, const ready_message& engine) const {
  const auto require = [&](const char* capability, bool needed) {
    if (!needed || engine.can(capability)) return;
    throw ifb::failure{IFB_E_UNSUPPORTED, "the adapter " + adapter_ +
                                              " does not have the capability " + capability +
                                              "; choose another with --engine-adapter"};
  };
  const ifb::strided<ifb_batch_item> items(batch.items, batch.item_count, batch.item_stride);
  require("generate", batch.mode == IFB_BATCH_GENERATE);
  require("chat", batch.mode == IFB_BATCH_CHAT);
  require("beam_search", batch.mode == IFB_BATCH_BEAM_SEARCH);
  require("async", (batch.flags & IFB_BATCH_ASYNC) != 0);
  require("prequeue", (batch.flags & IFB_BATCH_PREQUEUE) != 0);
  require("profile", (batch.flags & IFB_BATCH_PROFILE) != 0);
  require("adapters", std::ranges::any_of(items, [](const ifb_batch_item& each) {
            return each.adapter != nullptr;
          }));
}

ifb_batch_report python_plugin::run(const ifb_batch& batch, ifb::arena memory) {
  worker& with = loaded_worker();
  answer_.reset();
  if (batch.item_count == 0) throw ifb::failure{IFB_E_CONFIG, "the batch has no samples"};
  require_abilities(batch, with.load());
  answer_ = with.run(batch, memory);
  return answer_->report();
}

void python_plugin::cancel() noexcept {
  // A worker that is being started or loaded looks at the host's own sign.
  if (starting_.try_lock()) {
    if (worker_ != nullptr) worker_->cancel();
    starting_.unlock();
  }
}

python_plugin::call python_plugin::open(const ifb_sample& sample, ifb::arena memory,
                                        ifb::engine_output out) const {
  const ready_message& engine = loaded_worker().load();
  if (!engine.can("submit"))
    throw ifb::failure{IFB_E_UNSUPPORTED,
                       "the adapter " + adapter_ +
                           " takes whole batches only (it does not have the capability submit); "
                           "use it with throughput or latency, or choose another with "
                           "--engine-adapter"};
  if (sample.output_tokens < 0)
    throw ifb::failure{IFB_E_CONFIG, "no length of the output is known; give --output-len"};
  return {*this, sample, memory, out};
}

void python_plugin::submit(std::uint64_t request, const ifb_sample& sample, ifb::arena memory,
                           const ifb::engine_output& out) const {
  std::string frame;
  try {
    frame = submit_frame(request, sample, memory, sampling_, true);
  } catch (...) {
    requests_.cancel(request);  // gives the number back
    throw;
  }
  // After add() the request may end at any time, and the call with it.
  const python_plugin& self = *this;
  self.requests_.add(request, out);
  self.worker_->send(frame);
  if (self.requests_.sent(request)) self.send_abort(request);
}

void python_plugin::abort(std::uint64_t request) const noexcept {
  const bool must_send = requests_.cancel(request);
  worker_->wake();
  if (must_send) send_abort(request);
}

void python_plugin::send_abort(std::uint64_t request) const noexcept {
  ifb_error ignored{};
  static_cast<void>(ifb::guard(&ignored, [&] { worker_->send(abort_frame(request)); }));
}

}  // namespace python_engine
