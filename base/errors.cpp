#include "base/errors.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace weft {

Source whole_file(std::string file) {
  return Source{std::make_shared<const std::string>(std::move(file)), 0, 0};
}

std::string to_string(const InputError& error) {
  std::string text;
  if (error.at.file) {
    text += *error.at.file;
    text += ':';
    if (error.at.line > 0) {
      text += std::to_string(error.at.line) + ':';
      if (error.at.column > 0) {
        text += std::to_string(error.at.column) + ':';
      }
    }
    text += ' ';
  }
  if (!error.key.empty()) {
    text += error.key + ": ";
  }
  text += "found " + (error.found.empty() ? std::string("nothing") : error.found);
  if (!error.allowed.empty()) {
    text += ", allowed " + error.allowed;
  }
  return text;
}

namespace {
std::string all_lines(const std::vector<InputError>& errors) {
  std::string text;
  for (const InputError& error : errors) {
    if (!text.empty()) {
      text += '\n';
    }
    text += to_string(error);
  }
  return text;
}
}  // namespace

InputErrors::InputErrors(std::vector<InputError> errors)
    : errors_(std::move(errors)), text_(all_lines(errors_)) {}

void Diagnostics::error(InputError error) {
  ++error_count_;
  if (errors_.size() < kMaxErrors) {
    errors_.push_back(std::move(error));
  }
}

void Diagnostics::warning(InputError warning) {
  if (warnings_.size() < kMaxErrors) {
    warnings_.push_back(std::move(warning));
  }
}

void Diagnostics::throw_if_errors() const {
  if (ok()) {
    return;
  }
  std::vector<InputError> all = errors_;
  if (error_count_ > all.size()) {
    InputError rest;
    rest.at.file = all.back().at.file;
    rest.found = std::to_string(error_count_ - all.size()) + " more errors";
    all.push_back(std::move(rest));
  }
  throw InputErrors(std::move(all));
}

namespace {
// Damerau-Levenshtein distance (optimal string alignment): insert, delete, change, swap cost 1.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}
}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kLongestWord = 100;  // nobody mistypes a longer one into a known word
  if (word.size() > kLongestWord) {
    return {};
  }
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string allowed_words(std::string_view word, const std::vector<std::string_view>& known) {
  std::string text;
  for (const std::string_view candidate : known) {
    text += (text.empty() ? "" : ", ") + std::string(candidate);
  }
  if (const std::string_view guess = nearest(word, known); !guess.empty() && guess != word) {
    text += " (did you mean '" + std::string(guess) + "'?)";
  }
  return text;
}

void assertion_failed(const char* condition,
                      const char* file,
                      int line,
                      const std::string& message) {
  std::fprintf(stderr,
               "weft: internal error at %s:%d: %s is false: %s\n"
               "This is a fault of weft, not of your input. Please report it with this line.\n",
               file,
               line,
               condition,
               message.c_str());
  std::abort();
}

}  // namespace weft
