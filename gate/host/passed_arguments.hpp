// What one call into a kernel is given: a dg_step whose arrays lie in memory of their own, which is
// gone when the call is over. A kernel that kept a pointer to them, or changes them, shows.
#pragma once

#include <cstddef>
#include <vector>

#include "driftgate/kernel.h"
#include "gate/host/shape.hpp"

namespace driftgate::gate::host {

class passed_arguments {
 public:
  // Copies of all that is given; the names are not copied. The lists point into `tensors`, and
  // those into `shapes`.
  passed_arguments(const dg_step& step, const std::vector<dg_tensors>& lists,
                   const std::vector<DLTensor>& tensors, const std::vector<shape>& shapes,
                   const std::vector<dg_scalar>& scalars);
  ~passed_arguments();
  passed_arguments(const passed_arguments&) = delete;
  passed_arguments& operator=(const passed_arguments&) = delete;

  const dg_step* step() const { return step_.data(); }
  // Nothing has been changed since.
  bool intact() const { return image() == before_; }

 private:
  std::vector<std::byte> image() const;

  std::vector<dg_step> step_;
  std::vector<dg_tensors> lists_;
  std::vector<DLTensor> tensors_;
  std::vector<shape> shapes_;
  std::vector<dg_scalar> scalars_;
  std::vector<std::byte> before_;
};

}  // namespace driftgate::gate::host
