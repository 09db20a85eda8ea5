#include "properties/laws/law.hpp"

namespace driftgate::properties {

const std::vector<law>& all_laws() {
  static const std::vector<law> laws{matches_oracle(), special_values(),  deterministic(),
                                     splitting(),      permuting(),       aligning(),
                                     symmetries(),     stray_writes(),    every_element_written(),
                                     influence(),      save_resume(),     many_steps(),
                                     signed_bias(),    host_and_device(), asynchronous(),
                                     capture(),        beyond_32_bits()};
  return laws;
}

const law* find_law(const std::string& name) {
  for (const law& l : all_laws()) {
    if (l.name == name) return &l;
  }
  return nullptr;
}

}  // namespace driftgate::properties
