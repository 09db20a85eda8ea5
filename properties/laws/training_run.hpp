// A job of many steps, as a training run takes them, or as a careless caller does.
#pragma once

#include "properties/gen/case.hpp"

namespace driftgate::properties {

enum class numbering { counting, jumping, repeating };  // of the steps
enum class hyperparameters { constant, scheduled };
// What is new before each step: the gradient, nothing, one of its elements, every role, or every
// role as it was at first but for one element of the gradient.
enum class renewal { gradient, nothing, one_element, everything, almost_restored };

struct run_style {
  numbering steps = numbering::counting;
  hyperparameters scalars = hyperparameters::scheduled;
  renewal contents = renewal::gradient;
};

// From the case's state and step on. What is new is drawn as the case is; options stay as they are.
job training_run(const case_spec& spec, const expanded_case& data, const rules::description& about,
                 std::uint64_t steps, const run_style& style = {});

}  // namespace driftgate::properties
