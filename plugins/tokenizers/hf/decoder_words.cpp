#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "decoder_steps.hpp"
#include "metaspace.hpp"
#include "pattern.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

void append_replaced(std::string& to, std::string_view text, std::string_view what,
                     std::string_view with) {
  if (what.empty()) {
    // An empty text matches before each character, and at the end.
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = character_at(text, at).size;
      to += with;
      to += text.substr(at, size);
      at += size;
    }
    to += with;
    return;
  }
  std::size_t done = 0;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, done)) {
    to += text.substr(done, at - done);
    to += with;
    done = at + what.size();
  }
  to += text.substr(done);
}

/// Joins English words as they are usually written: no space before a full stop, and "do not"
/// becomes "don't".
void clean_up(std::string& token) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> rules = {{
      {" .", "."},
      {" ?", "?"},
      {" !", "!"},
      {" ,", ","},
      {" ' ", "'"},
      {" n't", "n't"},
      {" 'm", "'m"},
      {" do not", " don't"},
      {" 's", "'s"},
      {" 've", "'ve"},
      {" 're", "'re"},
  }};
  for (const auto& [what, with] : rules) {
    if (token.find(what) == std::string::npos) continue;
    std::string clean;
    append_replaced(clean, token, what, with);
    token = std::move(clean);
  }
}

class metaspace_decoder final : public decoder {
 public:
  explicit metaspace_decoder(metaspace settings) : settings_(std::move(settings)) {}

  void decode(const token_list& from, token_list& to) const override {
    const bool drops_first = settings_.scheme != metaspace::prepend::never;
    for (std::size_t i = 0; i < from.size(); ++i) {
      append_replaced(to.open(), from[i], settings_.replacement, i == 0 && drops_first ? "" : " ");
      to.close();
    }
  }

 private:
  metaspace settings_;
};

class word_piece final : public decoder {
 public:
  word_piece(std::string_view prefix, bool cleans_up) : prefix_(prefix), cleans_up_(cleans_up) {}

  void decode(const token_list& from, token_list& to) const override {
    std::string token;
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::string_view is = from[i];
      token.clear();
      if (i > 0) {
        if (is.starts_with(prefix_))
          is.remove_prefix(prefix_.size());
        else
          token += ' ';
      }
      token += is;
      if (cleans_up_) clean_up(token);
      to.add(token);
    }
  }

 private:
  std::string prefix_;
  bool cleans_up_;
};

class bpe_decoder final : public decoder {
 public:
  explicit bpe_decoder(std::string_view suffix) : suffix_(suffix) {}

  void decode(const token_list& from, token_list& to) const override {
    for (std::size_t i = 0; i < from.size(); ++i) {
      append_replaced(to.open(), from[i], suffix_, i + 1 == from.size() ? "" : " ");
      to.close();
    }
  }

 private:
  std::string suffix_;
};

class ctc final : public decoder {
 public:
  ctc(std::string_view pad, std::string_view word_end, bool cleans_up)
      : pad_(pad), word_end_(word_end), cleans_up_(cleans_up) {}

  void decode(const token_list& from, token_list& to) const override {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (i > 0 && from[i] == from[i - 1]) continue;
      std::string token;
      append_replaced(token, from[i], pad_, "");
      if (cleans_up_) {
        clean_up(token);
        std::string spaced;
        append_replaced(spaced, token, word_end_, " ");
        token = std::move(spaced);
      }
      if (!token.empty()) to.add(token);
    }
  }

 private:
  std::string pad_;
  std::string word_end_;
  bool cleans_up_;
};

/// Removes a character from both ends of every token, at most a given number of times.
class strip_decoder final : public decoder {
 public:
  strip_decoder(std::string_view what, std::size_t start, std::size_t stop)
      : what_(what), start_(start), stop_(stop) {}

  void decode(const token_list& from, token_list& to) const override {
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::string_view is = from[i];
      for (std::size_t n = 0; n < start_ && is.starts_with(what_); ++n)
        is.remove_prefix(what_.size());
      for (std::size_t n = 0; n < stop_ && is.ends_with(what_); ++n)
        is.remove_suffix(what_.size());
      to.add(is);
    }
  }

 private:
  std::string what_;
  std::size_t start_;
  std::size_t stop_;
};

class replace_decoder final : public decoder {
 public:
  replace_decoder(pattern what, std::string_view with) : what_(std::move(what)), with_(with) {}

  void decode(const token_list& from, token_list& to) const override {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::string_view is = from[i];
      std::size_t done = 0;
      what_.for_each(is, [&](std::size_t begin, std::size_t end) {
        to.open() += is.substr(done, begin - done);
        to.open() += with_;
        done = end;
      });
      to.open() += is.substr(done);
      to.close();
    }
  }

 private:
  pattern what_;
  std::string with_;
};

class fuse final : public decoder {
 public:
  void decode(const token_list& from, token_list& to) const override { to.add(from.text()); }
};

}  // namespace

decoder_ptr read_metaspace_decoder(const node& from) {
  return std::make_unique<metaspace_decoder>(read_metaspace_settings(from));
}

decoder_ptr read_word_piece_decoder(const node& from) {
  return std::make_unique<word_piece>(from.at("prefix").text(), from.at("cleanup").boolean());
}

decoder_ptr read_bpe_decoder(const node& from) {
  return std::make_unique<bpe_decoder>(from.at("suffix").text());
}

decoder_ptr read_ctc_decoder(const node& from) {
  return std::make_unique<ctc>(from.at("pad_token").text(), from.at("word_delimiter_token").text(),
                               from.at("cleanup").boolean());
}

decoder_ptr read_strip_decoder(const node& from) {
  const node content = from.at("content");
  if (count_characters(content.text()) != 1) content.fail("expected one character");
  return std::make_unique<strip_decoder>(content.text(), from.at("start").u32(),
                                         from.at("stop").u32());
}

decoder_ptr read_replace_decoder(const node& from) {
  return std::make_unique<replace_decoder>(pattern(from.at("pattern")), from.at("content").text());
}

decoder_ptr make_fuse_decoder() { return std::make_unique<fuse>(); }

}  // namespace tokenizers::hf
