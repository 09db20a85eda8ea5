#include "gate/device/cuda/call.hpp"

namespace driftgate::gate::device {

struct stopwatch::state {
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;

  state() {
    call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    call(cudaEventCreate(&begin), "cudaEventCreate");
    call(cudaEventCreate(&end), "cudaEventCreate");
  }
};

stopwatch::stopwatch() : state_(std::make_unique<state>()) {}

stopwatch::~stopwatch() {
  cudaEventDestroy(state_->begin);
  cudaEventDestroy(state_->end);
  cudaStreamDestroy(state_->stream);
}

void* stopwatch::stream() const {
  return state_->stream;
}

void stopwatch::start() {
  call(cudaEventRecord(state_->begin, state_->stream), "cudaEventRecord");
}

double stopwatch::stop() {
  call(cudaEventRecord(state_->end, state_->stream), "cudaEventRecord");
  call(cudaEventSynchronize(state_->end), "cudaEventSynchronize");
  float milliseconds = 0;
  call(cudaEventElapsedTime(&milliseconds, state_->begin, state_->end), "cudaEventElapsedTime");
  return milliseconds / 1e3;
}

void stopwatch::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  call(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, state_->stream),
       "cudaMemcpyAsync");
}

}  // namespace driftgate::gate::device
