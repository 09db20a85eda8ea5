// The host's child is this very program.
#include <gtest/gtest.h>

#include "gate/host/child.hpp"
#include "tests/gate/host/host_fixture.hpp"
#include "tests/gate/host/plugins/plugin.hpp"

namespace driftgate::gate::host {

kernel_source plugin_source(const std::string& name) {
  return {std::filesystem::path(PLUGIN_FOLDER) / (name + ".so")};
}

}  // namespace driftgate::gate::host

int main(int argc, char** argv) {
  const dg_kernel own = plugin::kernel("own", plugin::descend);
  driftgate::gate::host::run_if_child(argc, argv, [&] { return std::vector{&own}; });
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
