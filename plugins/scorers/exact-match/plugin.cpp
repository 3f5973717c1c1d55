#include <inferbench/draft/scorer.hpp>
#include <inferbench/plugin.hpp>

#include "exact_match.hpp"

INFERBENCH_PLUGINS(ifb::draft::scorer<scorers::exact_match>)
