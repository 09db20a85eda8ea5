#include "gate/device/cuda/call.hpp"

namespace driftgate::gate::device {
namespace {

cudaStream_t as_stream(void* stream) {
  return static_cast<cudaStream_t>(stream);
}
cudaEvent_t as_event(void* event) {
  return static_cast<cudaEvent_t>(event);
}

void* make_event() {
  cudaEvent_t event = nullptr;
  call(cudaEventCreate(&event), "cudaEventCreate");
  return event;
}

}  // namespace

stopwatch::stopwatch() {
  cudaStream_t stream = nullptr;
  call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  stream_ = stream;
  begin_ = make_event();
  end_ = make_event();
}

stopwatch::~stopwatch() {
  if (begin_ != nullptr) cudaEventDestroy(as_event(begin_));
  if (end_ != nullptr) cudaEventDestroy(as_event(end_));
  cudaStreamDestroy(as_stream(stream_));
}

void stopwatch::start() {
  call(cudaEventRecord(as_event(begin_), as_stream(stream_)), "cudaEventRecord");
}

double stopwatch::stop() {
  call(cudaEventRecord(as_event(end_), as_stream(stream_)), "cudaEventRecord");
  call(cudaEventSynchronize(as_event(end_)), "cudaEventSynchronize");
  float milliseconds = 0;
  call(cudaEventElapsedTime(&milliseconds, as_event(begin_), as_event(end_)),
       "cudaEventElapsedTime");
  return milliseconds / 1e3;
}

void stopwatch::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  call(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, as_stream(stream_)),
       "cudaMemcpyAsync");
}

}  // namespace driftgate::gate::device
