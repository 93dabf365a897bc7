#include "formats/time_zone.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include <date/date.h>
#include <date/tz.h>

#include "base/number.hpp"
#include "base/units.hpp"

namespace weft::formats {

namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr std::string_view kAllowedTime = "YYYY-MM-DDThh:mm:ss with a year from 1970 to 2250";

// Takes exactly `digits` digits off the front; -1 if they are not there.
int take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) {
    return -1;
  }
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') {
      return -1;
    }
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

// "Z", "+02:00", "-0530", "+02": all of the text, or false.
bool read_offset(std::string_view text, std::int64_t& seconds_east) {
  if (text == "Z" || text == "z") {
    seconds_east = 0;
    return true;
  }
  const bool west = !text.empty() && text.front() == '-';
  if (!west && !text.starts_with('+')) {
    return false;
  }
  text.remove_prefix(1);
  const int h = take_number(text, 2);
  int m = 0;
  if (!text.empty()) {
    take(text, ':');
    m = take_number(text, 2);
  }
  if (h < 0 || h > 15 || m < 0 || m > 59 || !text.empty()) {
    return false;
  }
  seconds_east = (west ? -1 : 1) * (h * 3600 + m * 60);
  return true;
}

struct LocalTime {
  std::int64_t seconds = 0;  // since 1970 on the local clock
  std::int64_t ns = 0;       // below a second
  bool has_offset = false;
  std::int64_t offset = 0;
};

bool read_local_time(std::string_view text, LocalTime& out) {
  const int year = take_number(text, 4);
  if (year < 1970 || year > 2250 || !take(text, '-')) {
    return false;
  }
  const int month = take_number(text, 2);
  if (!take(text, '-')) {
    return false;
  }
  const int day = take_number(text, 2);
  if (month < 1 || day < 1) {
    return false;
  }
  const date::year_month_day ymd = date::year(year) / month / day;
  if (!ymd.ok() || !(take(text, 'T') || take(text, ' '))) {
    return false;
  }
  const int hour = take_number(text, 2);
  if (!take(text, ':')) {
    return false;
  }
  const int minute = take_number(text, 2);
  int second = 0;
  if (take(text, ':')) {
    second = take_number(text, 2);
    if (second < 0 || second > 60) {  // 60: a leap second
      return false;
    }
    if (!text.empty() && text.front() == '.') {
      Duration fraction;
      const char* const end = text.data() + text.size();
      std::size_t digits = 1;
      while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
        ++digits;
      }
      if (digits == 1 || read_seconds(text.data(), text.data() + digits, fraction) == nullptr) {
        return false;
      }
      text = std::string_view(text.data() + digits,
                              static_cast<std::size_t>(end - text.data()) - digits);
      out.ns = fraction.raw();
    }
  }
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) {
    return false;
  }
  if (!text.empty()) {
    out.has_offset = read_offset(text, out.offset);
    if (!out.has_offset) {
      return false;
    }
  }
  const auto days = std::int64_t{date::sys_days(ymd).time_since_epoch().count()};
  out.seconds = days * kSecondsPerDay + hour * 3600 + minute * 60 + second;
  return true;
}

}  // namespace

struct Calendar::Zone {
  const date::time_zone* data = nullptr;
  date::sys_info last{};  // of the last time asked for; most times of a log share one
};

Calendar::Calendar() = default;
Calendar::Calendar(Calendar&&) noexcept = default;
Calendar& Calendar::operator=(Calendar&&) noexcept = default;
Calendar::~Calendar() = default;
Calendar::Calendar(const Calendar& other)
    : name_(other.name_),
      fixed_offset_(other.fixed_offset_),
      zone_(other.zone_ ? std::make_unique<Zone>(*other.zone_) : nullptr) {}
Calendar& Calendar::operator=(const Calendar& other) {
  *this = Calendar(other);
  return *this;
}

Parsed<Calendar> Calendar::in_zone(std::string_view name) {
  Calendar calendar;
  calendar.name_ = std::string(name);
  if (name == "UTC" || name == "utc" || name == "GMT" ||
      read_offset(name, calendar.fixed_offset_)) {
    return calendar;
  }
  try {
    calendar.zone_ = std::make_unique<Zone>();
    calendar.zone_->data = date::locate_zone(std::string(name));
  } catch (const std::exception&) {
    return Parsed<Calendar>::refused(
        "UTC, an offset such as +02:00, or a time zone this machine knows (Europe/Stockholm)");
  }
  return calendar;
}

std::int64_t Calendar::offset_seconds(std::int64_t local_seconds) {
  if (!zone_) {
    return fixed_offset_;
  }
  // An offset is valid for local times well inside its range; near its ends ask again.
  constexpr std::chrono::hours kMargin{26};
  const date::local_seconds local{std::chrono::seconds(local_seconds)};
  const date::sys_seconds as_if_utc{std::chrono::seconds(local_seconds)};
  if (zone_->last.begin + kMargin <= as_if_utc && as_if_utc < zone_->last.end - kMargin) {
    return zone_->last.offset.count();
  }
  const date::local_info found = zone_->data->get_info(local);
  if (found.result == date::local_info::nonexistent) {
    // 02:30 where the clock jumps from 02:00 to 03:00: the jump, found.first.end
    return local_seconds - found.first.end.time_since_epoch().count();
  }
  zone_->last = found.first;
  return found.first.offset.count();
}

Parsed<std::int64_t> Calendar::unix_ns(std::string_view text) {
  LocalTime local;
  if (!read_local_time(text, local)) {
    return Parsed<std::int64_t>::refused(std::string(kAllowedTime));
  }
  const std::int64_t offset = local.has_offset ? local.offset : offset_seconds(local.seconds);
  const std::int64_t utc = local.seconds - offset;
  if (utc < 0) {
    return Parsed<std::int64_t>::refused(std::string(kAllowedTime));
  }
  return utc * kNsPerSecond + local.ns;
}

}  // namespace weft::formats
