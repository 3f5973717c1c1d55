#include "simulator/load_delay.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

// The text in front of "*active", without blanks at its end; nullopt if `text` does not end so.
std::optional<std::string_view> before_active(std::string_view text) {
  constexpr std::string_view variable = "active";
  if (!text.ends_with(variable)) return std::nullopt;
  text = base::trim(text.substr(0, text.size() - variable.size()));
  if (!text.ends_with('*')) return std::nullopt;
  return base::trim(text.substr(0, text.size() - 1));
}

// The index of the last "+" that is not the sign of an exponent, as in 1e+3; npos if there is none.
std::size_t last_plus(std::string_view text) {
  std::size_t at = text.rfind('+');
  while (at != std::string_view::npos && at > 0 && (text[at - 1] == 'e' || text[at - 1] == 'E'))
    at = text.rfind('+', at - 1);
  return at;
}

std::optional<load_delay> read(std::string_view text) {
  const auto front = before_active(base::trim(text));
  if (!front) {
    const auto alone = distributed_delay(text);
    return alone ? std::optional<load_delay>(*alone) : std::nullopt;
  }
  const std::size_t plus = last_plus(*front);
  if (plus == std::string_view::npos) return std::nullopt;
  const auto alone = distributed_delay(front->substr(0, plus));
  const auto per_active = constant_delay(front->substr(plus + 1));
  if (!alone || !per_active) return std::nullopt;
  return load_delay(*alone, *per_active);
}

// Whether only the delay in front of the part that grows is missing, as in "0.05ms*active".
bool grows_from_nothing(std::string_view text) {
  const auto front = before_active(text);
  return front && constant_delay(*front);
}

}  // namespace

load_delay parse_delays(std::string_view text, const std::string& flag) {
  if (const auto delay = read(text)) return *delay;
  const std::string what = "\"" + base::one_line(text) + "\" is not a delay";
  if (const std::string_view alone = base::trim(text); grows_from_nothing(alone))
    throw base::error(
        what, "begin with the delay without load: write 0ms + " + base::one_line(alone), {flag});
  throw base::error(what,
                    "write 50ms, uniform(40ms,60ms), lognormal(50ms,0.3) or 1ms + 0.05ms*active, "
                    "each time at most 24 hours",
                    {flag});
}

}  // namespace inferbench::simulator
