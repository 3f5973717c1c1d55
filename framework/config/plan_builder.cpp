#include "config/plan_builder.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "config/derive.hpp"
#include "config/key_values.hpp"
#include "config/named_reporter.hpp"
#include "config/plan_figures.hpp"
#include "config/plan_load.hpp"
#include "config/plan_server.hpp"
#include "config/plan_texts.hpp"
#include "config/rules.hpp"
#include "config/upstream.hpp"

namespace inferbench::config {

namespace {

std::string hex8(std::uint32_t bits) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (unsigned shift = 32; shift > 0; shift -= 4)
    out += digits[(bits >> (shift - 4)) & 15U];
  return out;
}

live_display live_of(const key_values& values) {
  using view = live_display::view;
  if (!values.on("run.progress")) return {view::none, false};
  const options::option_value& given = values.at("run.live");
  if (!given.is_set) return {};
  if (given.text == upstream::screen_reporter) return {view::screen, true};
  return {given.text == "line" ? view::line : view::none, true};
}

class builder {
 public:
  builder(const sources& from, const used_plugins& used, const options::environment& env,
          const std::vector<options::option>& keys, std::vector<std::string>& warnings)
      : from_(from),
        used_(used),
        env_(env),
        keys_(keys),
        warnings_(warnings),
        values_(from, used, env, keys) {}

  plan build() {
    derive(values_, from_, used_, env_, keys_, warnings_);
    check_rules(values_, from_, used_, env_, warnings_);
    take_variables(values_, from_, env_);
    plan out;
    fill_run(out);
    fill_server(out, values_, env_);
    fill_model(out);
    fill_samples(out);
    fill_load(out, values_, used_);
    fill_client(out);
    fill_figures(out, values_);
    fill_texts(out, values_, from_, used_, env_, keys_);
    refuse_shared_files(out.reporters);
    refuse_collections_on_standard_output(out.reporters);
    return out;
  }

 private:
  const options::option_value& at(std::string_view path) const { return values_.at(path); }
  bool on(std::string_view path) const { return values_.on(path); }
  const options::option& key(std::string_view path) const { return values_.key(path); }

  void fill_run(plan& out) {
    out.seed = static_cast<std::uint64_t>(at("run.seed").integer);
    out.label = values_.text("run.label");
    out.metadata = pairs_of(values_, "run.metadata", env_);
    out.files.journal = values_.text("run.journal");
    out.files.folder = at("run.result-dir").text;
    out.files.saved = on("run.save-result") || on("run.append-result");
    out.live = live_of(values_);
    out.num_runs = at("run.num-runs").integer;
    fill_preparation(out.preparation);
    out.dry_run = on("run.dry-run");
    out.require_valid = on("run.require-valid");
    out.calibrate = on("run.calibrate");
  }

  void fill_preparation(preparation& out) {
    out.num_warmups = std::max<std::int64_t>(at("run.num-warmups").integer, 0);
    options::option_value& ready = values_.at("run.ready-check-timeout");
    ready.integer = std::max<std::int64_t>(ready.integer, 0);
    out.ready_check_timeout_ns = static_cast<std::uint64_t>(ready.integer);
    out.profile = on("run.profile");
    if (const options::option_value& batch = at("run.profile-batch-threshold"); batch.is_set)
      out.profile_batch_threshold = batch.integer;
    out.profile_duration_ns = static_cast<std::uint64_t>(at("run.profile-duration").integer);
    out.reset_prefix_cache = on("run.reset-prefix-cache");
  }

  void fill_model(plan& out) const {
    out.model = at("backend.model").text;
    if (!out.model.empty())
      out.served_model = at("backend.served-model-name").text;
    else if (at("backend.served-model-name").is_set)
      warnings_.push_back(name_for(from_.who, key("backend.served-model-name")) +
                          " has no effect without " + name_for(from_.who, key("backend.model")));
    out.lora_modules = at("backend.lora-modules").list;
    out.lora_round_robin = at("backend.lora-assignment").text == "round-robin";
    out.tokenizer_id = at("tokenizer.path").text;
  }

  void fill_samples(plan& out) {
    if (used_.dataset) {
      out.dataset_name = used_.dataset->use;
      out.align_prompts =
          !used_.dataset->of_program || !upstream::is_never_aligned(used_.dataset->library.id());
    }
    out.media_left_out = used_.backend && used_.backend->of_program &&
                         upstream::leaves_out_media(used_.backend->library.id());
    const options::option_value& number = at("dataset.num-prompts");
    out.num_prompts = number.is_set ? std::optional(number.integer) : std::nullopt;
    if (const options::option_value& longest = at("run.max-model-len"); longest.is_set)
      out.max_model_len = longest.integer;
    out.oversample = !on("dataset.no-oversample");
    out.shuffle = !on("dataset.disable-shuffle");
    options::option_value& prefix = values_.at("dataset.request-id-prefix");
    if (!prefix.is_set) {
      prefix.is_set = true;
      prefix.text = "bench-" + hex8(env_.random()) + "-";
    }
    out.request_id_prefix = prefix.text;
    // --print-config prints `auto`, so a run with the printed settings draws a new salt.
    const std::string& salt = at("dataset.salt").text;
    out.salt = salt == "auto" ? "[" + hex8(env_.random()) + "] " : salt;
  }

  void fill_client(plan& out) const {
    out.workers = static_cast<int>(at("client.workers").integer);
    if (const options::option_value& ahead = at("client.connections-ahead"); ahead.is_set)
      out.connections_ahead = static_cast<std::uint64_t>(ahead.integer);
    const std::string& stamping = at("client.timestamps").text;
    out.stamping = stamping == "kernel"   ? base::stamping::kernel
                   : stamping == "client" ? base::stamping::client
                                          : base::stamping::automatic;
  }

  const sources& from_;
  const used_plugins& used_;
  const options::environment& env_;
  const std::vector<options::option>& keys_;
  std::vector<std::string>& warnings_;
  key_values values_;
};

}  // namespace

plan build_plan(const sources& from, const used_plugins& used, const options::environment& env,
                const std::vector<options::option>& keys, std::vector<std::string>& warnings) {
  return builder(from, used, env, keys, warnings).build();
}

}  // namespace inferbench::config
