// The version of this SDK. The build fails if it differs from the version of the project.
#pragma once

#define INFERBENCH_SDK_VERSION "0.1.0"
