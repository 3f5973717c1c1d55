#include "run/engine_load.hpp"

#include <fmt/format.h>

#include "plugin/batch_engine.hpp"
#include "run/cancel_on_signal.hpp"

namespace inferbench::run {

void load_engine(const options::plugin_choice& chosen, const plugin::instance& backend,
                 interrupt& signals, const std::function<void()>& stopping) {
  if (chosen.library.query(IFB_BATCH_ENGINE) == nullptr) return;
  const plugin::batch_engine engine = plugin::batch_engine_of(backend);
  ifb_loaded_engine loaded{};
  loaded.struct_size = sizeof loaded;
  ifb_error error = plugin::empty_error();
  ifb_status status = IFB_OK;
  signals.end_set_up();  // an engine may forget a cancel that comes before the call
  {
    const cancel_on_signal watched(signals.flag(), [&] {
      stopping();
      engine.cancel(backend.get());
    });
    status = engine.load(backend.get(), &loaded, &error);
  }
  signals.end_set_up();
  if (status != IFB_OK)
    chosen.call([&] {
      throw plugin::refused(
          fmt::format("engine {}: load: {}", chosen.use, plugin::text_of(error, status)),
          error.option, status);
    });
}

}  // namespace inferbench::run
