// AdamW: Adam with decoupled weight decay. The mathematics, once, as a template over the number
// type.
//
// Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (arXiv:1711.05101), algorithm 2,
// in the form of PyTorch's documentation of torch.optim.AdamW: the decay is lr * weight_decay (the
// paper's schedule multiplier times its own decay), and amsgrad keeps the maximum of the
// uncorrected second moment (Reddi et al., arXiv:1904.09237, keep it without correction too).
#pragma once

#include <array>
#include <cstddef>

#include "oracles/rules/evaluation.hpp"

namespace driftgate::rules {

struct adamw {
  enum role_index { param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq, role_count };
  static constexpr std::array<std::size_t, 4> outputs{exp_avg, exp_avg_sq, max_exp_avg_sq, param};
  enum coefficient_index {
    beta1,
    one_minus_beta1,
    beta2,
    one_minus_beta2,
    correction1,  // 1 - beta1^t
    correction2,  // 1 - beta2^t
    one_over_correction1,
    one_over_correction2,
    root_correction2,
    one_over_root_correction2,
    lr,
    weight_decay,
    lr_decay,          // lr * weight_decay
    keep,              // 1 - lr * weight_decay
    step_size,         // lr / correction1
    paper_step_size,   // lr * root_correction2 / correction1
    paper_correction,  // root_correction2 / correction1
    eps,
    paper_eps,  // eps * root_correction2
    coefficient_count
  };
  // From which end of [old mean, new value] the mean may be interpolated: lerp starts at the old
  // end where the weight 1 - beta is below 1/2, at the new end above. From the other end it would
  // lose the operand that weighs more (at beta = 0 the mean has to be the new value).
  struct lerp_ends {
    bool from_old;
    bool from_new;
    bool float_beta;  // float holds beta: then fma(-beta, x, x) is (1 - beta) x, rounded once
  };
  struct switches {
    bool amsgrad;
    bool maximize;
    lerp_ends first;   // of exp_avg
    lerp_ends second;  // of exp_avg_sq
  };

  template <class N, class Evaluation, class Coefficients>
  static std::array<N, role_count> step(Evaluation& by, const switches& on, const Coefficients& c,
                                        const std::array<N, role_count>& x) {
    std::array<N, role_count> y;
    const N g = on.maximize ? -x[grad] : x[grad];
    y[grad] = x[grad];

    {
      const N &m = x[exp_avg], &beta = c[beta1], &weight = c[one_minus_beta1];
      y[exp_avg] = by.stage(
          "exp_avg",
          form{"beta1 m + (1 - beta1) g", [&] { return by.sum_of_products(beta, m, weight, g); }},
          form{"m + (1 - beta1) (g - m), 1 - beta1 <= 1/2",
               [&] { return by.multiply_add(weight, g - m, m); }, on.first.from_old},
          form{"(m - (1 - beta1) m) + (1 - beta1) g, 1 - beta1 <= 1/2",
               [&] { return by.multiply_add(weight, g, by.multiply_add(-weight, m, m)); },
               on.first.from_old},
          form{"g + beta1 (m - g), 1 - beta1 >= 1/2",
               [&] { return by.multiply_add(beta, m - g, g); }, on.first.from_new},
          form{"(g - beta1 g) + beta1 m, 1 - beta1 >= 1/2",
               [&] { return by.multiply_add(beta, m, by.multiply_add(-beta, g, g)); },
               on.first.from_new},
          form{"fma(-beta1, g, g) + beta1 m, coefficients=f32",
               [&] { return by.multiply_add(beta, m, by.complement(beta, weight, g)); },
               on.first.float_beta});
    }
    {
      const N &v = x[exp_avg_sq], &beta = c[beta2], &weight = c[one_minus_beta2];
      const N square = by.for_other_forms([&] { return g * g; });
      y[exp_avg_sq] = by.stage(
          "exp_avg_sq",
          form{"beta2 v + ((1 - beta2) g) g",
               [&] { return by.sum_of_products(beta, v, weight * g, g); }},
          form{"beta2 v + (1 - beta2) (g g)",
               [&] { return by.sum_of_products(beta, v, weight, square); }},
          form{"v + (1 - beta2) (g g - v), 1 - beta2 <= 1/2",
               [&] { return by.multiply_add(weight, square - v, v); }, on.second.from_old},
          form{"(v - (1 - beta2) v) + (1 - beta2) (g g), 1 - beta2 <= 1/2",
               [&] { return by.multiply_add(weight, square, by.multiply_add(-weight, v, v)); },
               on.second.from_old},
          form{"g g + beta2 (v - g g), 1 - beta2 >= 1/2",
               [&] { return by.multiply_add(beta, v - square, square); }, on.second.from_new},
          form{"(g g - beta2 (g g)) + beta2 v, 1 - beta2 >= 1/2",
               [&] { return by.multiply_add(beta, v, by.multiply_add(-beta, square, square)); },
               on.second.from_new},
          form{"fma(-beta2, g g, g g) + beta2 v, coefficients=f32",
               [&] { return by.multiply_add(beta, v, by.complement(beta, weight, square)); },
               on.second.float_beta});
    }

    y[max_exp_avg_sq] =
        on.amsgrad ? by.maximum(x[max_exp_avg_sq], y[exp_avg_sq]) : x[max_exp_avg_sq];
    const N& v = on.amsgrad ? y[max_exp_avg_sq] : y[exp_avg_sq];
    const N& m = y[exp_avg];
    const N one(1.0);

    const N root = by.square_root(v);
    const N denominator =
        by.stage("denominator",
                 form{"sqrt(v) (1 / sqrt(1 - beta2^t)) + eps",
                      [&] { return by.multiply_add(c[one_over_root_correction2], root, c[eps]); }},
                 form{"sqrt(v) / sqrt(1 - beta2^t) + eps",
                      [&] { return by.divide(root, c[root_correction2]) + c[eps]; }},
                 form{"sqrt(v / (1 - beta2^t)) + eps",
                      [&] { return by.square_root(by.divide(v, c[correction2])) + c[eps]; }},
                 form{"sqrt(v (1 / (1 - beta2^t))) + eps",
                      [&] { return by.square_root(c[one_over_correction2] * v) + c[eps]; }});

    const auto paper_denominator = [&] { return root + c[paper_eps]; };
    const N numerator = by.stage(
        "numerator", form{"(lr / (1 - beta1^t)) m", [&] { return c[step_size] * m; }},
        form{"lr (m / (1 - beta1^t))", [&] { return c[lr] * by.divide(m, c[correction1]); }},
        form{"lr (m (1 / (1 - beta1^t)))", [&] { return c[lr] * (c[one_over_correction1] * m); }},
        form{"(lr m) / (1 - beta1^t)", [&] { return by.divide(c[lr] * m, c[correction1]); }});
    const N direction =
        by.for_other_forms([&] { return by.divide(by.divide(m, c[correction1]), denominator); });

    const N update = by.stage(
        "update",
        form{"numerator / denominator", [&] { return by.divide(numerator, denominator); }},
        form{"numerator (1 / denominator)",
             [&] { return numerator * by.divide(one, denominator); }},
        form{"(lr / (1 - beta1^t)) (m / denominator)",
             [&] { return c[step_size] * by.divide(m, denominator); }},
        form{"(lr / (1 - beta1^t)) (m (1 / denominator))",
             [&] { return c[step_size] * (m * by.divide(one, denominator)); }},
        form{"((lr / (1 - beta1^t)) / denominator) m",
             [&] { return by.divide(c[step_size], denominator) * m; }},
        form{"lr ((m / (1 - beta1^t)) / denominator)", [&] { return c[lr] * direction; }},
        form{"(lr sqrt(1 - beta2^t) / (1 - beta1^t)) m / (sqrt(v) + eps sqrt(1 - beta2^t))",
             [&] { return by.divide(c[paper_step_size] * m, paper_denominator()); }},
        form{"(lr sqrt(1 - beta2^t) / (1 - beta1^t)) (m / (sqrt(v) + eps sqrt(1 - beta2^t)))",
             [&] { return c[paper_step_size] * by.divide(m, paper_denominator()); }},
        form{"lr ((sqrt(1 - beta2^t) / (1 - beta1^t)) m / (sqrt(v) + eps sqrt(1 - beta2^t)))",
             [&] { return c[lr] * by.divide(c[paper_correction] * m, paper_denominator()); }});

    const N& p = x[param];
    const N decay = by.for_other_forms([&] {
      return by.stage("decay", form{"(lr weight_decay) p", [&] { return c[lr_decay] * p; }},
                      form{"lr (weight_decay p)", [&] { return c[lr] * (c[weight_decay] * p); }},
                      form{"weight_decay (lr p)", [&] { return c[weight_decay] * (c[lr] * p); }});
    });
    y[param] = by.stage("param",
                        form{"(1 - lr weight_decay) p - update",
                             [&] { return by.multiply_add(c[keep], p, -update); }},
                        form{"(p - decay) - update", [&] { return (p - decay) - update; }},
                        form{"(p - update) - decay", [&] { return (p - update) - decay; }},
                        form{"p - (decay + update)", [&] { return p - (decay + update); }},
                        form{"p - lr (weight_decay p + (m / (1 - beta1^t)) / denominator)", [&] {
                               return by.multiply_add(
                                   -c[lr], by.multiply_add(c[weight_decay], p, direction), p);
                             }});
    return y;
  }
};

}  // namespace driftgate::rules
