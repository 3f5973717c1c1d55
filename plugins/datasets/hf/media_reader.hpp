// The images, videos and sound of a row, as the [[media]] of a recipe name them. A value is
//
//   a text            a URL, which the server fetches, or a path of a file in the data set's
//                     folder, which the server reads (file://); sound is read and sent here
//   {bytes, path}     as in the columns of images and sound of Hugging Face's library: a file, or
//                     the path of a file in the data set's folder; images are sent as JPEG, sound
//                     as WAV
//   {array, sampling_rate}   the samples of a sound
//   a list of these
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/plugin.hpp>

#include "datasets/media/part_maker.hpp"
#include "datasets/tables/attached_files.hpp"
#include "recipe.hpp"

namespace hf {

/// Recordings outside are skipped. In seconds; both bounds are allowed lengths.
struct recording_lengths {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

/// Any thread.
class media_reader {
 public:
  /// `of` must outlive the object. `files` are the files of the data set.
  media_reader(ifb::host host, const recipe& of, std::unique_ptr<tables::attached_files> files,
               recording_lengths allowed);

  /// Adds the media of the row at `position` to the sample that request_maker has made, and the
  /// length of its sound to the metadata. Returns an empty text, or the reason why the row cannot
  /// be used. The sample then points into this object and into `memory`. Throws ifb::failure:
  /// IFB_E_UNSUPPORTED if this build lacks a codec; IFB_E_IO, IFB_E_REMOTE or IFB_E_CONFIG if the
  /// hub cannot be used; IFB_E_CANCELLED.
  [[nodiscard]] std::string add(const ifb::json_value& row, std::uint64_t position,
                                ifb::arena memory, ifb_sample& out) const;

 private:
  /// The parts and fields from the columns of a row that were read.
  struct row_parts {
    std::vector<ifb_part> parts;
    std::vector<ifb_field> fields;
  };

  void read_column(const media_column& column, const ifb::json_value& row, const std::string& key,
                   ifb::arena memory, row_parts& to) const;
  void read_one(const media_column& column, const ifb::json_value& value, const std::string& key,
                ifb::arena memory, row_parts& to) const;
  void make(const media_column& column, const ifb::json_value& value, const std::string& key,
            ifb::arena memory, row_parts& to) const;
  void fetch(const media_column& column, const std::string& path) const;

  const recipe* recipe_;
  std::unique_ptr<tables::attached_files> files_;
  recording_lengths allowed_;
  row_media::part_maker maker_;
};

}  // namespace hf
