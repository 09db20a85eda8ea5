// Calls what no library has.
#include "tests/gate/host/plugins/plugin.hpp"

extern "C" int dg_nobody_has_written_this(const dg_step*, void*);

static const dg_kernel kernels[] = {plugin::kernel("lacking", dg_nobody_has_written_this)};

EXPORT_KERNELS(kernels)
