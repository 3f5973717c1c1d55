#include <inferbench/plugin.hpp>

#include "by_template.hpp"

INFERBENCH_PLUGINS(ifb::backend<templates::by_template>);
