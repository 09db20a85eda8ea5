// A rule whose gradient may come multiplied by a loss scale, which the step takes out first: the
// rule's own text sees the quotient, with its rounding.
#pragma once

#include <array>
#include <cstddef>

#include "oracles/rules/evaluation.hpp"

namespace driftgate::tiers {

template <class Mathematics>
struct scaled_mathematics : Mathematics {
  static constexpr std::size_t scale = Mathematics::coefficient_count;
  static constexpr std::size_t one_over_scale = scale + 1;
  static constexpr std::size_t coefficient_count = scale + 2;

  struct switches : Mathematics::switches {
    bool scaled;
  };

  template <class N, class Evaluation>
  static std::array<N, Mathematics::role_count> step(Evaluation& by, const switches& on,
                                                     const std::array<N, coefficient_count>& c,
                                                     std::array<N, Mathematics::role_count> x) {
    if (on.scaled) {
      const N g = x[Mathematics::grad];
      x[Mathematics::grad] = by.stage(
          "gradient", rules::form{"grad / grad_scale", [&] { return by.divide(g, c[scale]); }},
          rules::form{"grad (1 / grad_scale)", [&] { return g * c[one_over_scale]; }});
    }
    return Mathematics::step(by, on, c, x);
  }
};

}  // namespace driftgate::tiers
