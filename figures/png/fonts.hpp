// Draws texts with cairo's own text functions, which know a single font: characters that the usual
// font does not have are drawn with the first font of the machine that has them. Scripts whose
// letters change their form (Arabic, Devanagari) are drawn letter by letter. For one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <cairo.h>
#include <fontconfig/fontconfig.h>

namespace figures {

class font_list {
 public:
  /// The fonts of the machine in the order in which fontconfig prefers them for "sans-serif".
  font_list();
  font_list(const font_list&) = delete;
  font_list& operator=(const font_list&) = delete;
  ~font_list();

  struct piece {
    std::string text;
    std::string family;
  };
  /// The clean text in pieces, each with the font that has its characters. A character that no font
  /// has is in a piece with the usual font.
  [[nodiscard]] std::vector<piece> pieces_of(std::string_view text) const;

 private:
  [[nodiscard]] std::string family_with(char32_t code) const;

  FcFontSet* fonts_ = nullptr;  // null: fontconfig found none
};

}  // namespace figures
