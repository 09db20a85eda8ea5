// Keeps the rate that it has used where the caller's was, halved.
// law: stray_writes
#include "tests/mutants/scalar_roles_plugin.hpp"

namespace {

struct rate_written_back : driftgate::plugins::capturable {
  void count(bool skipped, const std::vector<driftgate::plugins::tensor>& list) override {
    capturable::count(skipped, list);
    const_cast<float&>(*roles.lr) *= 0.5F;
  }
};

}  // namespace

DRIFTGATE_PLUGIN(rate_written_back)
