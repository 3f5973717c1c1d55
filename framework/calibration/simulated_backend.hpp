// Chooses the backend of a calibration: the simulator must know its protocol.
#pragma once

#include <cstdint>

#include "options/plugin_choice.hpp"

namespace inferbench::calibration {

/// Whether the simulator serves the path of a backend's endpoint.
enum class knowledge : std::uint8_t {
  yes,
  no,
  untold  // the backend has no option for the path, or chooses the path itself
};

/// If the simulator does not serve the path of the backend's endpoint, the endpoint becomes the
/// backend's default path. Returns what is known about the path after that.
[[nodiscard]] knowledge adapt_endpoint(options::plugin_choice& backend);

/// The default backend with its default options, except that it takes over the options of the
/// replaced backend `other` that describe a request. Throws base::error if the default backend is
/// not installed.
[[nodiscard]] options::plugin_choice default_instead_of(const options::plugin_choice& other);

/// Whether the answers of the backend have no generated text.
[[nodiscard]] bool is_pooling(const options::plugin_choice& backend);

}  // namespace inferbench::calibration
