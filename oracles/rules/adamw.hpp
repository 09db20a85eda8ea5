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
    lr_decay,         // lr * weight_decay
    keep,             // 1 - lr * weight_decay
    step_size,        // lr / correction1
    paper_step_size,  // lr * root_correction2 / correction1
    eps,
    paper_eps,  // eps * root_correction2
    coefficient_count
  };
  struct switches {
    bool amsgrad;
    bool maximize;
    bool lerp_from_old;  // PyTorch's lerp starts from the nearer end: the old value where 1 - beta
                         // < 1/2
    bool lerp_from_new;
    bool lerp2_from_old;
    bool lerp2_from_new;
  };

  // mean <- beta mean + (1 - beta) x, by lerp from the end that is admissible at this beta.
  template <class N, class Evaluation>
  static N lerp(Evaluation& by, const N& mean, const N& x, const N& beta, const N& one_minus_beta,
                bool from_old, bool from_new) {
    if (from_old && from_new) {
      return by.stage(
          "lerp",
          form{"mean + (1 - beta) (x - mean)",
               [&] { return by.multiply_add(one_minus_beta, x - mean, mean); }},
          form{"x - beta (x - mean)", [&] { return by.multiply_add(-beta, x - mean, x); }});
    }
    return from_old ? by.multiply_add(one_minus_beta, x - mean, mean)
                    : by.multiply_add(-beta, x - mean, x);
  }

  template <class N, class Evaluation>
  static std::array<N, role_count> step(Evaluation& by, const switches& on,
                                        const std::array<N, coefficient_count>& c,
                                        const std::array<N, role_count>& x) {
    std::array<N, role_count> y;
    const N g = on.maximize ? -x[grad] : x[grad];
    y[grad] = x[grad];

    y[exp_avg] = by.stage(
        "exp_avg",
        form{"beta1 m + (1 - beta1) g",
             [&] { return by.sum_of_products(c[beta1], x[exp_avg], c[one_minus_beta1], g); }},
        form{"lerp(m, g, 1 - beta1)", [&] {
               return lerp(by, x[exp_avg], g, c[beta1], c[one_minus_beta1], on.lerp_from_old,
                           on.lerp_from_new);
             }});

    y[exp_avg_sq] = by.stage(
        "exp_avg_sq",
        form{
            "beta2 v + ((1 - beta2) g) g",
            [&] { return by.sum_of_products(c[beta2], x[exp_avg_sq], c[one_minus_beta2] * g, g); }},
        form{
            "beta2 v + (1 - beta2) (g g)",
            [&] { return by.sum_of_products(c[beta2], x[exp_avg_sq], c[one_minus_beta2], g * g); }},
        form{"lerp(v, g g, 1 - beta2)", [&] {
               return lerp(by, x[exp_avg_sq], g * g, c[beta2], c[one_minus_beta2],
                           on.lerp2_from_old, on.lerp2_from_new);
             }});

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
        form{"lr (m (1 / (1 - beta1^t)))", [&] { return c[lr] * (c[one_over_correction1] * m); }});

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
        form{"lr ((m / (1 - beta1^t)) / denominator)",
             [&] { return c[lr] * by.divide(by.divide(m, c[correction1]), denominator); }},
        form{"(lr sqrt(1 - beta2^t) / (1 - beta1^t)) m / (sqrt(v) + eps sqrt(1 - beta2^t))",
             [&] { return by.divide(c[paper_step_size] * m, paper_denominator()); }},
        form{"(lr sqrt(1 - beta2^t) / (1 - beta1^t)) (m / (sqrt(v) + eps sqrt(1 - beta2^t)))",
             [&] { return c[paper_step_size] * by.divide(m, paper_denominator()); }});

    const N& p = x[param];
    y[param] =
        by.stage("param",
                 form{"(1 - lr weight_decay) p - update",
                      [&] { return by.multiply_add(c[keep], p, -update); }},
                 form{"(p - (lr weight_decay) p) - update",
                      [&] { return by.multiply_add(-c[lr_decay], p, p) - update; }},
                 form{"(p - lr (weight_decay p)) - update",
                      [&] { return by.multiply_add(-c[lr], c[weight_decay] * p, p) - update; }},
                 form{"p - ((lr weight_decay) p + update)",
                      [&] { return p - by.multiply_add(c[lr_decay], p, update); }},
                 form{"p - lr (weight_decay p + update / lr)",
                      [&] { return p - (c[lr] * (c[weight_decay] * p) + update); }});
    return y;
  }
};

}  // namespace driftgate::rules
