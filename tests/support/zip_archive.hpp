// Reads ZIP archives without comment and encryption and below 4 GiB, such as Excel workbooks.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include <zlib.h>

namespace inferbench::support {

/// Reads one archive, whose bytes must outlive it.
class zip_reader {
 public:
  explicit zip_reader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> out;
    // The archive ends with the end of the central directory, which has 22 bytes.
    if (bytes_.size() < 22 || number(bytes_.size() - 22, 4) != 0x06054B50) fail("no directory");
    std::size_t at = number(bytes_.size() - 6, 4);
    for (std::size_t left = number(bytes_.size() - 12, 2); left > 0; --left) {
      if (number(at, 4) != 0x02014B50) fail("no entry");
      const std::size_t name = number(at + 28, 2);
      out.emplace(part(at + 46, name), text_of_entry(at));
      at += 46 + name + number(at + 30, 2) + number(at + 32, 2);
    }
    return out;
  }

 private:
  [[noreturn]] static void fail(const std::string& why) {
    throw std::runtime_error("not a ZIP archive: " + why);
  }
  [[nodiscard]] std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) fail("cut off");
    return bytes_.substr(at, size);
  }
  [[nodiscard]] std::size_t number(std::size_t at, std::size_t size) const {
    std::size_t out = 0;
    const std::string_view digits = part(at, size);
    for (std::size_t i = 0; i < size; ++i)
      out |= std::size_t{static_cast<unsigned char>(digits[i])} << (8 * i);
    return out;
  }

  /// The file whose entry in the central directory begins at `entry`.
  [[nodiscard]] std::string text_of_entry(std::size_t entry) const {
    const std::size_t local = number(entry + 42, 4);
    const std::size_t begin = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    const std::string_view packed = part(begin, number(entry + 20, 4));
    const std::size_t method = number(entry + 10, 2);
    if (method != 0 && method != 8) fail("unknown compression");
    std::string text = method == 0 ? std::string(packed) : inflated(packed, number(entry + 24, 4));
    const auto* const data = reinterpret_cast<const Bytef*>(text.data());
    if (crc32(0, data, static_cast<uInt>(text.size())) != number(entry + 16, 4))
      fail("wrong checksum");
    return text;
  }

  static std::string inflated(std::string_view packed, std::size_t size) {
    std::string out(size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("zlib");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int end = inflate(&stream, Z_FINISH);
    const std::size_t made = stream.total_out;
    inflateEnd(&stream);
    if (end != Z_STREAM_END || made != size) fail("damaged data");
    return out;
  }

  std::string_view bytes_;
};

/// The contents of the files of an archive, by their names. Throws std::runtime_error if the
/// archive is damaged; checksums are compared.
inline std::map<std::string, std::string> unzipped(std::string_view archive) {
  return zip_reader(archive).files();
}

}  // namespace inferbench::support
