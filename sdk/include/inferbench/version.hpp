// The version of this SDK; the build refuses one that differs from the project's.
#pragma once

#define INFERBENCH_SDK_VERSION "0.1.0"
