#include "gate/host/plugin_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace driftgate::gate::host {
namespace {

// The structures of the ELF specification (System V ABI, chapter 4); every machine that this
// program runs on has 64 bits.
bool read_header(std::istream& file, Elf64_Ehdr& header) {
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  return file.gcount() == sizeof header;
}

// The byte behind the last one that loading the file needs.
std::uint64_t needed_bytes(std::istream& file, const Elf64_Ehdr& header) {
  std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  file.clear();
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  file.read(reinterpret_cast<char*>(segments.data()),
            static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)));
  if (!file) return end;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD) end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

std::string fault_of_contents(std::istream& file, std::uint64_t size) {
  if (size == 0) return "it is empty";
  Elf64_Ehdr header{};
  const bool whole = read_header(file, header);
  if (std::memcmp(header.e_ident, ELFMAG, std::min<std::uint64_t>(size, SELFMAG)) != 0 ||
      size < SELFMAG) {
    return "it is no shared object (its first bytes are not those of an ELF file)";
  }
  if (!whole) return fmt::format("it is cut off: it has {} bytes, less than a header", size);
  Elf64_Ehdr own{};
  std::ifstream program("/proc/self/exe", std::ios::binary);
  if (!read_header(program, own)) return "";
  if (header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
      header.e_ident[EI_DATA] != own.e_ident[EI_DATA] || header.e_machine != own.e_machine) {
    return fmt::format(
        "it is for another processor (ELF class {}, machine {}; this program: class {}, machine "
        "{})",
        header.e_ident[EI_CLASS], header.e_machine, own.e_ident[EI_CLASS], own.e_machine);
  }
  if (header.e_type != ET_DYN) {
    return fmt::format("it is an ELF file, but no shared object (type {}; link it with -shared)",
                       header.e_type);
  }
  const std::uint64_t needed = needed_bytes(file, header);
  if (size < needed) return fmt::format("it is cut off: it has {} of {} bytes", size, needed);
  return "";
}

}  // namespace

std::string fault_of_file(const std::filesystem::path& plugin) {
  std::error_code error;
  const auto status = std::filesystem::status(plugin, error);
  if (status.type() == std::filesystem::file_type::not_found) return "there is no such file";
  if (error) return error.message();
  if (status.type() == std::filesystem::file_type::directory) return "it is a folder";
  if (status.type() != std::filesystem::file_type::regular) return "it is not a regular file";
  const std::uint64_t size = std::filesystem::file_size(plugin, error);
  errno = 0;
  std::ifstream file(plugin, std::ios::binary);
  if (!file) return fmt::format("it cannot be read ({})", std::strerror(errno));
  return fault_of_contents(file, size);
}

file_identity identity_of(const std::filesystem::path& plugin) {
  struct stat about {};
  if (stat(plugin.c_str(), &about) != 0) return {};
  return {about.st_dev, about.st_ino, static_cast<std::uint64_t>(about.st_size),
          about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

}  // namespace driftgate::gate::host
