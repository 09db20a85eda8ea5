#include "gate/host/child.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "gate/device/device.hpp"
#include "gate/host/child_plan.hpp"
#include "gate/host/fault_report.hpp"
#include "gate/host/floating_point.hpp"
#include "gate/host/guarded.hpp"
#include "gate/host/kernel_library.hpp"
#include "gate/host/protocol.hpp"
#include "gate/host/shared_memory.hpp"

namespace driftgate::gate::host {
namespace {

// A mapping of inherited memory. It is never unmapped in the end: the process ends first.
struct mapping {
  std::byte* data = nullptr;
  std::size_t bytes = 0;

  void map(int descriptor, std::size_t size, int protection) {
    if (size == bytes) return;
    if (data != nullptr) munmap(data, bytes);
    void* start = mmap(nullptr, size, protection, MAP_SHARED, descriptor, 0);
    if (start == MAP_FAILED)
      throw std::system_error(errno, std::generic_category(), "mmap of the tensors' memory");
    data = static_cast<std::byte*>(start);
    bytes = size;
  }
};

class child {
 public:
  child(std::string plugin, unsigned patience, const kernel_table& in_tree)
      : plugin_(std::move(plugin)), patience_(patience), in_tree_(in_tree) {}

  int serve() {
    std::vector<std::uint64_t> packet(max_packet / 8);
    for (;;) {
      const ssize_t size = recv(socket_descriptor, packet.data(), max_packet, 0);
      if (size < 0 && errno == EINTR) continue;
      if (size == 0) return 0;  // the gate is gone
      if (size < static_cast<ssize_t>(sizeof(command))) return lost_socket_status;

      command order;
      std::memcpy(&order, static_cast<const void*>(packet.data()), sizeof order);
      // Should the gate die while a kernel hangs, nobody else would end this process.
      alarm(patience_);
      const bool sent = answer(order, word_reader(packet.data() + sizeof order / 8));
      alarm(0);
      if (!sent) return lost_socket_status;
    }
  }

 private:
  bool answer(const command& order, word_reader payload) {
    current_fault_context = {order.nonce, tensors_, tensors_bytes_};
    reply result;
    std::string text;
    const floating_point_control before = read_floating_point();
    try {
      obey(order, payload, result, text);
    } catch (const unusable_table& reason) {
      result.kind = reply_kind::refused;
      text = reason.what();
    } catch (const device::failure& failed) {
      result.kind = reply_kind::device_failed;
      text = failed.what();
    } catch (const uncapturable& reason) {
      result.kind = reply_kind::uncapturable;
      text = reason.what();
    } catch (const kernel_exception& thrown) {
      result.kind = reply_kind::threw;
      text = thrown.what;
    } catch (const std::exception& own) {
      result.kind = reply_kind::unable;
      text = own.what();
    }
    if (!(read_floating_point() == before)) {
      result.environment_kept = 0;
      restore_floating_point(before);
    }
    result.nonce = order.nonce;
    return send_reply(result, text);
  }

  bool send_reply(const reply& result, const std::string& text) {
    const std::size_t size = std::min(text.size(), max_packet - sizeof result);
    iovec parts[2] = {{const_cast<reply*>(&result), sizeof result},
                      {const_cast<char*>(text.data()), size}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    return sendmsg(socket_descriptor, &message, MSG_NOSIGNAL) > 0;
  }

  void obey(const command& order, word_reader payload, reply& result, std::string& text) {
    switch (order.what) {
      case verb::greet:
        break;
      case verb::load:
        kernels_ = load_kernels(plugin_, in_tree_);
        result.value = kernels_.size();
        break;
      case verb::describe: {
        const dg_kernel& kernel = kernels_.at(order.argument);
        text = words_of(kernel);
        result.value = kernel.workspace_bytes != nullptr;
        break;
      }
      case verb::begin:
        begin(payload);
        break;
      case verb::measure: {
        child_plan measured = layout_at(order.argument);
        result.value = measured.measure(payload);
        result.arguments_kept = measured.arguments_kept();
        finish();
        break;
      }
      case verb::prepare: {
        const auto plan = plans_.insert_or_assign(order.plan, layout_at(order.argument)).first;
        result.code = plan->second.prepare(payload);
        result.arguments_kept = plan->second.arguments_kept();
        finish();
        break;
      }
      case verb::step: {
        device::observation seen;
        const auto how = static_cast<properties::calling>(order.argument);
        child_plan& plan = plans_.at(order.plan);
        result.code = plan.step(payload, how, seen);
        result.arguments_kept = plan.arguments_kept();
        finish();
        if (on_device_) text.assign(reinterpret_cast<const char*>(&seen), sizeof seen);
        break;
      }
      case verb::release:
        plans_.at(order.plan).release();
        finish();
        plans_.erase(order.plan);
        break;
      case verb::error: {
        const auto function = kernels_.at(order.plan).error;
        const char* sentence = function == nullptr ? nullptr : guarded([&] {
          return function(static_cast<int>(order.argument));
        });
        if (sentence != nullptr) text = sentence;
        break;
      }
    }
  }

  void begin(word_reader payload) {
    plans_.clear();
    script_.map(script_descriptor, payload.number(), PROT_READ);
    const std::uint64_t arena_bytes = payload.number();
    if (payload.number() != 0) return begin_on_device(payload, arena_bytes);
    if (has_fences_ && mprotect(arena_.data, arena_.bytes, PROT_READ | PROT_WRITE) != 0) {
      throw std::system_error(errno, std::generic_category(), "mprotect of the old guard pages");
    }
    arena_.map(arena_descriptor, arena_bytes, PROT_READ | PROT_WRITE);
    tensors_ = arena_.data;
    tensors_bytes_ = arena_bytes;
    word_reader script(reinterpret_cast<const std::uint64_t*>(script_.data));
    const auto fences = script.numbers(script.number());
    for (const std::uint64_t page : fences) {
      if (mprotect(arena_.data + page, page_bytes(), PROT_NONE) != 0) {
        throw std::system_error(errno, std::generic_category(), "mprotect of a guard page");
      }
    }
    const auto read_only = script.numbers(script.number());
    for (std::size_t i = 0; i < read_only.size(); i += 2) {
      if (mprotect(arena_.data + read_only[i], read_only[i + 1], PROT_READ) != 0) {
        throw std::system_error(errno, std::generic_category(), "mprotect of a gradient");
      }
    }
    has_fences_ = !fences.empty() || !read_only.empty();
  }

  void begin_on_device(word_reader payload, std::uint64_t bytes) {
    if (!on_device_) on_device_.emplace();
    device::handle shared;
    for (std::uint64_t& word : shared) word = payload.number();
    tensors_ = on_device_->open(shared, bytes);
    tensors_bytes_ = bytes;
  }

  // What a kernel has put on the device is part of the call that put it there.
  void finish() {
    if (on_device_) on_device_->finish();
  }

  child_plan layout_at(std::uint64_t word) {
    return {kernels_, word_reader(reinterpret_cast<const std::uint64_t*>(script_.data) + word),
            tensors_, on_device_ ? &*on_device_ : nullptr};
  }

  std::string plugin_;
  unsigned patience_;
  const kernel_table& in_tree_;
  std::vector<dg_kernel> kernels_;
  std::map<std::uint32_t, child_plan> plans_;
  mapping script_, arena_;
  std::optional<device::guest> on_device_;
  // The arena, here or on the device.
  std::byte* tensors_ = nullptr;
  std::size_t tensors_bytes_ = 0;
  bool has_fences_ = false;
};

}  // namespace

void run_if_child(int argc, char** argv, const kernel_table& in_tree) {
  if (argc != 4 || std::string_view(argv[1]) != child_verb) return;
  // What the gate has open is none of a kernel's business, even where it forgot to say so.
  close_range(arena_descriptor + 1, ~0u, 0);
  for (const int own : {socket_descriptor, script_descriptor, arena_descriptor}) {
    fcntl(own, F_SETFD, FD_CLOEXEC);  // a program that a kernel starts gets none of them
  }
  const rlimit no_core_file{0, 0};
  setrlimit(RLIMIT_CORE, &no_core_file);
  // A gate that is killed takes its child along, even in the midst of a kernel that hangs. (Linux
  // means the thread that started it, which here is the gate's only one.)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  report_faults();
  const auto patience = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
  // Not through exit: a plugin's destructors are not under test.
  _exit(child(argv[2], patience, in_tree).serve());
}

}  // namespace driftgate::gate::host
