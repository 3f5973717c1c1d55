#include "fonts.hpp"

#include "../src/text.hpp"

namespace figures {
namespace {

constexpr const char* usual = "sans-serif";

}  // namespace

font_list::font_list() {
  FcPattern* const wanted = FcNameParse(reinterpret_cast<const FcChar8*>(usual));
  if (wanted == nullptr) return;
  FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
  FcDefaultSubstitute(wanted);
  FcResult result = FcResultMatch;
  // FcTrue: fonts without a character that the fonts before them lack are left out.
  fonts_ = FcFontSort(nullptr, wanted, FcTrue, nullptr, &result);
  FcPatternDestroy(wanted);
}

font_list::~font_list() {
  if (fonts_ != nullptr) FcFontSetDestroy(fonts_);
}

std::string font_list::family_with(char32_t code) const {
  for (int i = 0; fonts_ != nullptr && i < fonts_->nfont; ++i) {
    FcCharSet* has = nullptr;
    FcChar8* family = nullptr;
    if (FcPatternGetCharSet(fonts_->fonts[i], FC_CHARSET, 0, &has) != FcResultMatch ||
        FcCharSetHasChar(has, code) == FcFalse)
      continue;
    // The first font is the usual one, under the name by which cairo finds it again.
    if (i == 0 || FcPatternGetString(fonts_->fonts[i], FC_FAMILY, 0, &family) != FcResultMatch)
      return usual;
    return reinterpret_cast<const char*>(family);
  }
  return usual;
}

std::vector<font_list::piece> font_list::pieces_of(std::string_view text) const {
  std::vector<piece> out;
  while (!text.empty()) {
    const character c = first_character(text);
    // A blank has no drawing, so it needs no font of its own.
    const std::string family =
        c.code == ' ' && !out.empty() ? out.back().family : family_with(c.code);
    if (out.empty() || out.back().family != family) out.push_back({{}, family});
    out.back().text += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return out;
}

}  // namespace figures
