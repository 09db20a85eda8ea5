#include "gate/records/record_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace driftgate::gate {
namespace {

// Locks of this open file on two bytes that need not exist: the first is held as long as a run
// lives (shared; exclusive only where there is no other), the second while a line is written.
// Where a file system has no locks, nothing is locked and every run appends.
enum locked_byte : off_t { alive, writing };

bool lock(int file, locked_byte byte, short kind, int command) {
  struct flock range {};
  range.l_type = kind;
  range.l_whence = SEEK_SET;
  range.l_start = byte;
  range.l_len = 1;
  while (fcntl(file, command, &range) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

struct write_lock {
  explicit write_lock(int to) : file(to) { lock(file, writing, F_WRLCK, F_OFD_SETLKW); }
  ~write_lock() { lock(file, writing, F_UNLCK, F_OFD_SETLK); }
  write_lock(const write_lock&) = delete;
  write_lock& operator=(const write_lock&) = delete;
  int file;
};

}  // namespace

record_file::record_file(const std::filesystem::path& path) : path_(path) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) fail(error.value());
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail(errno);
  file_ = host::file_descriptor(file, "open");
  if (lock(file, alive, F_WRLCK, F_OFD_SETLK) && ftruncate(file, 0) != 0 && errno != EINVAL) {
    fail(errno);
  }
  // Waits while another run, which begins at this moment, has the byte for itself: without a lock
  // of its own this run's lines would be taken for those of one that is over.
  lock(file, alive, F_RDLCK, F_OFD_SETLKW);
}

void record_file::write(const nlohmann::json& record) {
  using handler = nlohmann::json::error_handler_t;
  const std::string line = record.dump(-1, ' ', false, handler::replace) + "\n";
  const write_lock mine(file_.get());
  struct stat before {};
  fstat(file_.get(), &before);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t size = ::write(file_.get(), line.data() + done, line.size() - done);
    if (size < 0 && errno == EINTR) continue;
    if (size > 0) {
      done += static_cast<std::size_t>(size);
      continue;
    }
    const int error = errno;
    // No half line: a reader takes every line for a record.
    if (done > 0 && ftruncate(file_.get(), before.st_size) != 0) fail(errno);
    fail(error);
  }
}

void record_file::fail(int error) const {
  throw std::system_error(error, std::generic_category(),
                          "cannot write the records " + path_.string());
}

}  // namespace driftgate::gate
