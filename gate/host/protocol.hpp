// What the gate and its child say to each other: one packet there, one packet back, in turn.
//
// A packet is one of the two structs below and, after it, a payload: words for a command, text for
// a reply. What is larger, the layout of the jobs, lies in a second shared memory, the script,
// which the child can only read.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace driftgate::gate::host {

// The child's command line: program, verb, plugin or "", seconds until a call is given up.
inline constexpr const char* child_verb = "__kernel-host";

// Where the child finds what it inherits.
inline constexpr int socket_descriptor = 3;
inline constexpr int script_descriptor = 4;
inline constexpr int arena_descriptor = 5;

// The exit status of a child that could not answer: a kernel closed its socket.
inline constexpr int lost_socket_status = 97;

inline constexpr std::size_t max_packet = 64 * 1024;

enum class verb : std::uint32_t {
  greet,     // reply: nothing; the process is there, and no kernel has run in it yet
  load,      // reply: code 0 and the number of kernels, or `refused` and the reason
  describe,  // argument: the kernel; reply: seven strings, each with its NUL, and value = has_*
  begin,     // payload: bytes of the script, of the arena, and where that lies on a device its
             // handle. Maps both and sets the fences
  measure,   // argument: a layout in the script; payload: arguments; reply: bytes of workspace
  prepare,   // the same; makes plan `plan`
  step,      // argument: how (a calling); payload: arguments; on a device the reply's text is a
             // device::observation
  release,
  error,  // argument: a code; reply: the kernel's sentence
};

struct command {
  std::uint64_t nonce = 0;  // the reply must repeat it, so that no stray write passes for a reply
  verb what = verb::greet;
  std::uint32_t plan = 0;
  std::uint64_t argument = 0;
};

// `refused` is the plugin's fault, `threw` and `fault` are the kernel's, `unable` is nobody's of
// them: memory or descriptors that the child itself lacks. `device_failed`: work on the device
// ended with an error, and nothing more can be done there. `uncapturable`: a step did what cannot
// be captured.
enum class reply_kind : std::uint32_t {
  done,
  refused,
  threw,
  fault,
  unable,
  device_failed,
  uncapturable
};
enum class access : std::uint32_t { unknown, read, write };

struct reply {
  std::uint64_t nonce = 0;
  reply_kind kind = reply_kind::done;
  std::int32_t code = 0;    // what the kernel returned
  std::uint64_t value = 0;  // of a fault: its address, inside the arena from the arena's start
  std::uint32_t environment_kept = 1;  // floating point
  std::uint32_t in_arena = 0;
  access touched = access::unknown;
  std::uint32_t arguments_kept = 1;  // what the dg_step points to
};

// A tensor that has no address.
inline constexpr std::uint64_t no_data = ~std::uint64_t{0};

// Numbers and text as 64-bit words.
class word_writer {
 public:
  void number(std::uint64_t value) { words_.push_back(value); }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view value) {
    number(value.size());
    const std::size_t at = words_.size();
    words_.resize(at + value.size() / 8 + 1);  // at least one NUL behind it
    std::memcpy(&words_[at], value.data(), value.size());
  }
  void clear() { words_.clear(); }
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

class word_reader {
 public:
  explicit word_reader(const std::uint64_t* at) : at_(at) {}

  std::uint64_t number() { return *at_++; }
  double real() { return std::bit_cast<double>(number()); }
  // Lives as long as the words.
  const char* text() {
    const std::uint64_t size = number();
    const char* value = reinterpret_cast<const char*>(at_);
    at_ += size / 8 + 1;
    return value;
  }
  std::span<const std::uint64_t> numbers(std::size_t count) {
    const std::span<const std::uint64_t> values(at_, count);
    at_ += count;
    return values;
  }

 private:
  const std::uint64_t* at_;
};

}  // namespace driftgate::gate::host
