#include <inferbench/draft/scorer.hpp>
#include <inferbench/plugin.hpp>

#include "structured_output.hpp"

INFERBENCH_PLUGINS(ifb::draft::scorer<scorers::structured_output>)
