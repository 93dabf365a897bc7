#include "base/calendar.hpp"

#include <array>

#include "base/errors.hpp"

namespace weft {

namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kNsPerDay = kSecondsPerDay * kNsPerSecond;
constexpr std::int64_t kNsPerMinute = 60 * kNsPerSecond;
constexpr std::int32_t kFirstYear = 1700;  // int64 ns since 1970 reach from 1677 to 2262
constexpr std::int32_t kLastYear = 2200;
constexpr int kMaxOffsetMinutes = 18 * 60;

bool is_leap(std::int32_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in_month(std::int32_t year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

std::int64_t floor_remainder(std::int64_t a, std::int64_t b) {
  const std::int64_t remainder = a % b;
  return remainder < 0 ? remainder + b : remainder;
}

// Reads the text from the left; once something does not fit, all that follows fails too.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // Exactly `count` digits.
  int digits(std::size_t count) {
    int value = 0;
    if (text_.size() < count) {
      ok_ = false;
      return 0;
    }
    for (const char c : text_.substr(0, count)) {
      ok_ = ok_ && c >= '0' && c <= '9';
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(count);
    return ok_ ? value : 0;
  }
  bool skip(char c) {
    if (!next_is(c)) {
      return false;
    }
    text_.remove_prefix(1);
    return true;
  }
  void need(bool condition) { ok_ = ok_ && condition; }
  [[nodiscard]] bool next_is(char c) const { return !text_.empty() && text_.front() == c; }
  [[nodiscard]] bool next_is_digit() const {
    return !text_.empty() && text_.front() >= '0' && text_.front() <= '9';
  }
  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  std::string_view text_;
  bool ok_ = true;
};

// The places after the point, in ns.
std::int64_t read_fraction(Scanner& scan) {
  std::int64_t unit = kNsPerSecond;
  std::int64_t ns = 0;
  scan.need(scan.next_is_digit());
  while (scan.next_is_digit()) {
    unit /= 10;
    scan.need(unit > 0);
    ns += scan.digits(1) * unit;
  }
  return ns;
}

Duration read_offset(Scanner& scan) {
  const bool west = scan.next_is('-');
  scan.need(scan.skip('+') || scan.skip('-'));
  int minutes = scan.digits(2) * 60;
  if (!scan.at_end()) {
    scan.skip(':');
    const int past_hour = scan.digits(2);
    scan.need(past_hour < 60);
    minutes += past_hour;
  }
  scan.need(minutes <= kMaxOffsetMinutes);
  return nanoseconds((west ? -minutes : minutes) * kNsPerMinute);
}

void append_padded(std::string& out, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  out.append(width > digits.size() ? width - digits.size() : 0, '0');
  out += digits;
}

}  // namespace

bool is_valid(const CivilDate& date) {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 &&
         date.day <= days_in_month(date.year, date.month);
}

// Years begin in March, so that the leap day ends them; eras of 400 years have 146097 days
// (Hinnant, "chrono-compatible low-level date algorithms").
std::int64_t days_since_epoch(const CivilDate& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = floor_divide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month_from_march = (date.month + 9) % 12;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

CivilDate civil_date(std::int64_t days) {
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = floor_divide(shifted, 146097);
  const std::int64_t day_of_era = shifted - era * 146097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return CivilDate{static_cast<std::int32_t>(year_of_era + era * 400 + (month <= 2 ? 1 : 0)),
                   static_cast<std::uint8_t>(month),
                   static_cast<std::uint8_t>(day_of_year - (153 * month_from_march + 2) / 5 + 1)};
}

int weekday(std::int64_t days) {
  const std::int64_t from_monday = days + 3;  // 1970-01-01 was a Thursday
  return static_cast<int>(from_monday - 7 * floor_divide(from_monday, 7));
}

Parsed<CalendarTime> parse_calendar_time(std::string_view text) {
  Scanner scan(text);
  CivilDate date;
  date.year = scan.digits(4);
  scan.need(scan.skip('-'));
  date.month = static_cast<std::uint8_t>(scan.digits(2));
  scan.need(scan.skip('-'));
  date.day = static_cast<std::uint8_t>(scan.digits(2));
  scan.need(scan.skip('T') || scan.skip(' '));
  const int hour = scan.digits(2);
  scan.need(scan.skip(':'));
  const int minute = scan.digits(2);
  int second = 0;
  std::int64_t ns = 0;
  if (scan.skip(':')) {
    second = scan.digits(2);
    if (scan.skip('.')) {
      ns = read_fraction(scan);
    }
  }
  CalendarTime time;
  if (scan.skip('Z')) {
    time.offset = Duration{};
  } else if (!scan.at_end()) {
    time.offset = read_offset(scan);
  }
  if (!scan.ok() || !scan.at_end()) {
    return Parsed<CalendarTime>::refused(
        "a date and time, for example 2024-02-29T23:59:59 or 2024-02-29 23:59:59.5+02:00");
  }
  if (!is_valid(date) || date.year < kFirstYear || date.year > kLastYear) {
    return Parsed<CalendarTime>::refused("a day that exists, in the years 1700 to 2200");
  }
  if (hour > 23 || minute > 59 || second > 59) {
    return Parsed<CalendarTime>::refused("a time of day from 00:00:00 to 23:59:59");
  }
  const std::int64_t day_seconds = hour * 3600 + minute * 60 + second;
  time.wall = seconds(days_since_epoch(date) * kSecondsPerDay + day_seconds) + nanoseconds(ns);
  return time;
}

std::string calendar_text(Duration since_epoch, Duration offset) {
  WEFT_ASSERT(offset.raw() % kNsPerMinute == 0 &&
                  offset.raw() <= kMaxOffsetMinutes * kNsPerMinute &&
                  offset.raw() >= -kMaxOffsetMinutes * kNsPerMinute,
              "an offset of " + std::to_string(offset.raw()) + " ns");
  // Days and the rest apart: adding the offset to the whole, or multiplying back, could overflow.
  std::int64_t days = floor_divide(since_epoch.raw(), kNsPerDay);
  std::int64_t in_day = floor_remainder(since_epoch.raw(), kNsPerDay) + offset.raw();
  days += floor_divide(in_day, kNsPerDay);
  in_day = floor_remainder(in_day, kNsPerDay);

  const CivilDate date = civil_date(days);
  const std::int64_t second = in_day / kNsPerSecond;
  std::string text;
  append_padded(text, date.year, 4);
  text += '-';
  append_padded(text, date.month, 2);
  text += '-';
  append_padded(text, date.day, 2);
  text += 'T';
  append_padded(text, second / 3600, 2);
  text += ':';
  append_padded(text, second / 60 % 60, 2);
  text += ':';
  append_padded(text, second % 60, 2);
  if (const std::int64_t ns = in_day % kNsPerSecond; ns != 0) {
    text += '.';
    append_padded(text, ns, 9);
    text.resize(text.find_last_not_of('0') + 1);
  }
  if (offset == Duration{}) {
    return text + 'Z';
  }
  const std::int64_t minutes = offset.raw() / kNsPerMinute;
  text += minutes < 0 ? '-' : '+';
  append_padded(text, (minutes < 0 ? -minutes : minutes) / 60, 2);
  text += ':';
  append_padded(text, (minutes < 0 ? -minutes : minutes) % 60, 2);
  return text;
}

}  // namespace weft
