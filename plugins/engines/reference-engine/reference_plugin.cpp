#include "reference_plugin.hpp"

#include <algorithm>

#include <inferbench/views.hpp>

namespace reference_engine {

namespace {

constexpr std::uint64_t stream_of_texts = 1;  // of the host's seeds

std::uint64_t length_of(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(time.count());
}

}  // namespace

reference_plugin::reference_plugin(ifb::host host, const options& given)
    : host_(host), given_(given), patience_(host), profile_(given.profile.text) {}

void reference_plugin::configure(const ifb_engine_setup& setup) {
  lay_engine_options(given_, ifb::view(setup.options_json));
  for (std::size_t i = 0; i < setup.environment_count; ++i)
    if (ifb::view(setup.environment[i].name).find("CACHE") != std::string_view::npos)
      has_cache_folder_ = true;
}

std::uint64_t reference_plugin::seed() const {
  return given_.seed ? static_cast<std::uint64_t>(*given_.seed) : host_.seed(stream_of_texts);
}

std::uint64_t reference_plugin::take_time(std::uint64_t length_ns) {
  const std::uint64_t now = host_.now();
  const std::uint64_t begin = given_.real_time ? now : std::max(now, computed_until_ns_);
  // Neither sum can overflow: a clock that runs for centuries does not exist.
  if (begin - now > longest_time_ns || length_ns > longest_time_ns - (begin - now))
    throw ifb::failure{IFB_E_CONFIG,
                       "the computed times are more than 366 days ahead of the clock; choose "
                       "shorter durations, or fewer requests or iterations"};
  computed_until_ns_ = begin + length_ns;
  return begin;
}

void reference_plugin::add_start_phase(const char* name, std::uint64_t begin_ns,
                                       std::uint64_t length_ns) {
  start_phases_.push_back({sizeof(ifb_measure), 0, ifb::str(name), ifb::str("s"),
                           static_cast<double>(length_ns) * 1e-9, begin_ns, begin_ns + length_ns});
}

ifb_loaded_engine reference_plugin::load() {
  patience_.begin();
  const std::uint64_t compilation =
      length_of(has_cache_folder_ ? given_.compilation
                                  : given_.warm_compilation.value_or(given_.compilation));
  const std::uint64_t encoder = length_of(given_.encoder_compilation);
  const std::uint64_t loading = length_of(given_.load);
  const std::uint64_t all = loading + compilation + encoder;
  const std::uint64_t begin = take_time(all);
  start_phases_.clear();
  add_start_phase("loading", begin, loading);
  add_start_phase("compilation", begin + loading, compilation);
  add_start_phase("encoder_compilation", begin + loading + compilation, encoder);
  if (given_.real_time) patience_.wait(begin, begin + all, "loading the engine");
  text_.emplace(seed());
  ifb_loaded_engine out{};
  out.struct_size = sizeof out;
  out.max_model_len = given_.max_model_len;
  out.max_adapters = given_.max_adapters;
  out.load_ns = all;
  out.measures = {start_phases_.data(), static_cast<std::uint32_t>(start_phases_.size()),
                  sizeof(ifb_measure)};
  if (profile_.exists()) {
    out.profiler = ifb::str("reference");
    out.profile_path = ifb::str(profile_.file());
  }
  out.description = ifb::str("reference-engine 1.0.0");
  out.clock_bound_ns = given_.real_time ? 0 : longest_time_ns;
  return out;
}

ifb_batch_report reference_plugin::run(const ifb_batch& batch, ifb::arena) {
  if (!text_) throw ifb::failure{IFB_E_CONFIG, "the engine is not loaded"};
  if ((batch.flags & IFB_BATCH_PROFILE) != 0) profile_.require();
  patience_.begin();
  answer_.reset();
  auto answer = std::make_unique<reference_answer>(batch, given_, seed(), *text_,
                                                   [this] { return patience_.is_stopped(); });
  const std::uint64_t begin = take_time(answer->length_ns());
  const ifb_batch_report out = answer->report(begin);
  if (given_.real_time) patience_.wait(begin, begin + answer->length_ns(), "running the batch");
  profile_.add(*answer, begin, (batch.flags & IFB_BATCH_PROFILE) != 0);
  answer_ = std::move(answer);
  return out;
}

single_stage& reference_plugin::stage() const {
  const std::lock_guard lock(staging_);
  if (stage_ == nullptr) stage_ = std::make_unique<single_stage>(host_, given_, seed());
  return *stage_;
}

reference_plugin::call reference_plugin::open(const ifb_sample& sample, ifb::arena,
                                              ifb::engine_output out) const {
  const request_facts facts =
      facts_of(sample, {.chats = true, .ignores_eos = given_.ignore_eos, .wanted = -1}, given_);
  // Computed here, because the stage must not fail.
  static_cast<void>(time_to_first(given_, facts));
  single_stage& where = stage();
  return {where, single_stage::actor(facts, where.reserve(), out)};
}

}  // namespace reference_engine
