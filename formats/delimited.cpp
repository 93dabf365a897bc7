#include "formats/delimited.hpp"

#include <algorithm>

namespace weft::formats {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return lower(x) == lower(y);
         });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

DelimitedRows::DelimitedRows(const InputFile& file, char delimiter, Quotes quotes)
    : text_(file.text()), delimiter_(delimiter), quotes_(quotes == Quotes::kRfc4180) {}

bool DelimitedRows::next() {
  cells_.clear();
  fault_.reset();
  while (at_ < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    if (!trimmed(text_.substr(at_, end - at_)).empty()) {
      read_row();
      return true;
    }
    at_ = end + 1;
    line_begin_ = at_;
    ++line_;
  }
  return false;
}

void DelimitedRows::read_row() {
  row_line_ = line_;
  while (true) {
    while (at_ < text_.size() && is_blank(text_[at_]) && text_[at_] != delimiter_) {
      ++at_;
    }
    const bool quoted = quotes_ && at_ < text_.size() && text_[at_] == '"';
    cells_.push_back(quoted ? quoted_cell() : plain_cell());
    if (at_ >= text_.size() || text_[at_] == '\n') {
      break;
    }
    ++at_;  // the delimiter
  }
  end_column_ = column();
  ++at_;
  line_begin_ = at_;
  ++line_;
}

Cell DelimitedRows::plain_cell() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') {
    ++at_;
  }
  return {trimmed(text_.substr(begin, at_ - begin)),
          line_,
          static_cast<std::uint32_t>(begin - line_begin_ + 1)};
}

// RFC 4180: a quote inside is doubled; delimiters and line ends lose their meaning.
Cell DelimitedRows::quoted_cell() {
  Cell cell{{}, line_, column()};
  const std::size_t begin = ++at_;
  bool doubled = false;
  std::size_t line_begin = line_begin_;
  std::uint32_t lines = 0;
  std::size_t p = begin;
  for (; p < text_.size(); ++p) {
    if (text_[p] == '\n') {
      ++lines;
      line_begin = p + 1;
    } else if (text_[p] == '"') {
      if (p + 1 >= text_.size() || text_[p + 1] != '"') {
        break;
      }
      doubled = true;
      ++p;
    }
  }
  if (p >= text_.size()) {
    // Most likely one stray quote: give up on this line only, so that the others are still read.
    fault_ = Fault{cell.line, cell.column, "a quote that does not close"};
    at_ = std::min(text_.find('\n', begin), text_.size());
    return cell;
  }
  cell.text = text_.substr(begin, p - begin);
  if (doubled) {
    std::string& plain = unescaped_.emplace_back();
    for (std::size_t i = 0; i < cell.text.size(); ++i) {
      plain += cell.text[i];
      i += cell.text[i] == '"' ? 1 : 0;
    }
    cell.text = plain;
  }
  line_ += lines;
  line_begin_ = line_begin;
  at_ = p + 1;
  while (at_ < text_.size() && is_blank(text_[at_]) && text_[at_] != delimiter_) {
    ++at_;
  }
  if (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') {
    fault_ = Fault{line_, column(), "text behind a closing quote"};
    while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') {
      ++at_;
    }
  }
  return cell;
}

ColumnNames::ColumnNames(const std::vector<Cell>& header) {
  for (const Cell& cell : header) {
    names_.emplace_back(cell.text);
  }
}

std::optional<std::size_t> ColumnNames::find(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (equal_ignoring_case(names_[i], name)) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace weft::formats
