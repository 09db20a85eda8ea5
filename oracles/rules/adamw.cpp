// AdamW: its description, its coefficients, and the raw formula for the audit.
#include "oracles/rules/adamw.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include "oracles/tiers/elementwise.hpp"

namespace driftgate::rules {
namespace {

struct adamw_rule : adamw {
  using mathematics = adamw;
  static description about();

  static switches switches_of(const scalar_values& s, const arithmetic& how) {
    // Kernels compare beta or 1 - beta with 1/2 after rounding it to float, some with < and some
    // with <=. Rounding moves a number near 1/2 by at most u/2 (u = 2^-24, relative to 1/2), so
    // that within this distance either end may be taken for the nearer one, and beyond it not.
    constexpr double either = 0x1p-25;
    const auto lerp = [&](const char* name) -> lerp_ends {
      const double beta = s.at(name);
      const double weight = 1 - beta;  // exact near 1/2
      return {weight <= 0.5 + either, weight >= 0.5 - either, how.float_coefficients};
    };
    return {s.at("amsgrad") != 0, s.at("maximize") != 0, lerp("beta1"), lerp("beta2")};
  }

  static std::array<tiers::coefficient, coefficient_count> coefficients(std::int64_t t,
                                                                        const scalar_values& s) {
    using tiers::coefficient;
    const auto given = [&](const char* name) {
      return coefficient(numbers::multiprecision(s.at(name)));
    };
    const coefficient one(numbers::multiprecision(1.0));
    std::array<coefficient, coefficient_count> c;
    c[beta1] = given("beta1");
    c[beta2] = given("beta2");
    c[lr] = given("lr");
    c[weight_decay] = given("weight_decay");
    c[eps] = given("eps");
    c[one_minus_beta1] = one - c[beta1];
    c[one_minus_beta2] = one - c[beta2];
    c[correction1] = one - tiers::power(c[beta1], static_cast<std::uint64_t>(t));
    c[correction2] = one - tiers::power(c[beta2], static_cast<std::uint64_t>(t));
    c[one_over_correction1] = tiers::quotient(one, c[correction1]);
    c[one_over_correction2] = tiers::quotient(one, c[correction2]);
    c[root_correction2] = tiers::root(c[correction2]);
    c[one_over_root_correction2] =
        either(tiers::quotient(one, c[root_correction2]), tiers::root(c[one_over_correction2]));
    c[lr_decay] = c[lr] * c[weight_decay];
    c[keep] = tiers::one_minus_product(c[lr], c[weight_decay]);
    c[step_size] = either(tiers::quotient(c[lr], c[correction1]), c[lr] * c[one_over_correction1]);
    c[paper_correction] = tiers::quotient(c[root_correction2], c[correction1]);
    c[paper_step_size] = either(c[step_size] * c[root_correction2],
                                tiers::quotient(c[lr] * c[root_correction2], c[correction1]));
    c[paper_step_size] = either(c[paper_step_size], c[lr] * c[paper_correction]);
    c[paper_eps] = c[eps] * c[root_correction2];
    return c;
  }

  // The same mathematics once more, in one expression an output and with nothing of the above: what
  // the audit compares with.
  static std::array<numbers::multiprecision, role_count> exact(
      std::int64_t t, const scalar_values& s,
      const std::array<numbers::multiprecision, role_count>& x) {
    using real = numbers::multiprecision;
    const real one(1.0), b1(s.at("beta1")), b2(s.at("beta2")), rate(s.at("lr"));
    const real decay(s.at("weight_decay")), epsilon(s.at("eps"));
    const real g = s.at("maximize") != 0 ? -x[grad] : x[grad];
    const auto n = static_cast<unsigned long>(t);
    std::array<real, role_count> y = x;
    y[exp_avg] = b1 * x[exp_avg] + (one - b1) * g;
    y[exp_avg_sq] = b2 * x[exp_avg_sq] + (one - b2) * g * g;
    real v = y[exp_avg_sq];
    if (s.at("amsgrad") != 0) {
      if (v < x[max_exp_avg_sq]) v = x[max_exp_avg_sq];
      y[max_exp_avg_sq] = v;
    }
    const real m_hat = y[exp_avg] / (one - power(b1, n));
    const real v_hat = v / (one - power(b2, n));
    y[param] = x[param] - rate * decay * x[param] - rate * m_hat / (sqrt(v_hat) + epsilon);
    return y;
  }

  static void check(std::int64_t t, const scalar_values& s) {
    const auto demand = [](bool holds, const char* sentence) {
      if (!holds) throw std::invalid_argument(sentence);
    };
    demand(t >= 1, "adamw: step must be at least 1");
    demand(s.at("beta1") >= 0 && s.at("beta1") < 1, "adamw: beta1 must be in [0, 1)");
    demand(s.at("beta2") >= 0 && s.at("beta2") < 1, "adamw: beta2 must be in [0, 1)");
    demand(s.at("lr") >= 0 && std::isfinite(s.at("lr")), "adamw: lr must be finite and >= 0");
    demand(s.at("eps") >= 0 && std::isfinite(s.at("eps")), "adamw: eps must be finite and >= 0");
    demand(s.at("weight_decay") >= 0 && std::isfinite(s.at("weight_decay")),
           "adamw: weight_decay must be finite and >= 0");
  }
};

description adamw_rule::about() {
  description d;
  d.name = "adamw";
  d.title = "AdamW: Adam with decoupled weight decay";
  d.source =
      "Loshchilov and Hutter, arXiv:1711.05101, algorithm 2, in the form of PyTorch's "
      "documentation of "
      "torch.optim.AdamW (decay factor 1 - lr * weight_decay; amsgrad keeps the maximum of the "
      "uncorrected second moment, as Reddi et al., arXiv:1904.09237)";
  d.equations = {
      "g  = maximize ? -grad : grad",
      "m' = beta1 m + (1 - beta1) g",
      "v' = beta2 v + (1 - beta2) g^2",
      "w' = max(w, v')                         amsgrad only; then w' stands for v' below",
      "p' = (1 - lr weight_decay) p - lr (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + eps)",
  };
  d.roles = {
      {"param",
       true,
       "p, the parameter",
       "the initial weights",
       "",
       false,
       {0, 1},
       {"param", "grad", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"}},
      {"grad", false, "the gradient", "", "", false, {1, 0}, {}},
      {"exp_avg", true, "m, the first moment", "0", "", false, {1, 0}, {"exp_avg", "grad"}},
      {"exp_avg_sq", true, "v, the second moment", "0", "", true, {2, 0}, {"exp_avg_sq", "grad"}},
      {"max_exp_avg_sq",
       true,
       "w, the largest second moment so far",
       "0",
       "amsgrad",
       true,
       {2, 0},
       {"max_exp_avg_sq", "exp_avg_sq", "grad"}},
      {"master_param",
       true,
       "p in f32, where param is a copy of it",
       "the initial weights",
       "",
       false,
       {0, 1},
       {"master_param", "grad", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
       "param"},
  };
  d.scalars = {
      {"lr", 1e-3, "[0, inf)", "learning rate", {0, 1}},
      {"beta1", 0.9, "[0, 1)", "decay of the first moment", {}},
      {"beta2", 0.999, "[0, 1)", "decay of the second moment", {}},
      {"eps", 1e-8, "[0, inf)", "added to the root of the corrected second moment", {1, 0}},
      {"weight_decay", 1e-2, "[0, inf)", "decoupled decay", {0, -1}},
      {"amsgrad", 0, "0 or 1", "switch of the option", {}},
      {"maximize", 0, "0 or 1", "switch of the option", {}},
  };
  d.options = {{"amsgrad", "divide by the largest second moment so far"},
               {"maximize", "step uphill: the gradient's sign is changed"}};
  return d;
}

const tiers::elementwise_rule<adamw_rule> instance;
const rule_registration registered(&instance);

}  // namespace
}  // namespace driftgate::rules
