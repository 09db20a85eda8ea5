#include "gate/host/passed_arguments.hpp"

#include <cstring>

namespace driftgate::gate::host {
namespace {

template <class Visit, class... Vectors>
void for_each_bytes(const Visit& visit, Vectors&... all) {
  (visit(reinterpret_cast<const std::byte*>(all.data()), all.size() * sizeof(*all.data())), ...);
}

}  // namespace

passed_arguments::passed_arguments(const dg_step& step, const std::vector<dg_tensors>& lists,
                                   const std::vector<DLTensor>& tensors,
                                   const std::vector<shape>& shapes,
                                   const std::vector<dg_scalar>& scalars)
    : step_{step}, lists_(lists), tensors_(tensors), shapes_(shapes), scalars_(scalars) {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    tensors_[i].shape = shapes_[i % shapes_.size()].extents.data();
  }
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    lists_[i].tensors = tensors_.data() + i * shapes_.size();
  }
  step_.front().lists = lists_.data();
  step_.front().scalars = scalars_.data();
  before_ = image();
}

passed_arguments::~passed_arguments() {
  const auto erase = [](const std::byte* data, std::size_t bytes) {
    if (bytes > 0) explicit_bzero(const_cast<std::byte*>(data), bytes);
  };
  for_each_bytes(erase, step_, lists_, tensors_, shapes_, scalars_);
}

std::vector<std::byte> passed_arguments::image() const {
  std::vector<std::byte> bytes;
  const auto append = [&](const std::byte* data, std::size_t count) {
    bytes.insert(bytes.end(), data, data + count);
  };
  for_each_bytes(append, step_, lists_, tensors_, shapes_, scalars_);
  return bytes;
}

}  // namespace driftgate::gate::host
