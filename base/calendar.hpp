// Calendar instants without libc: the proleptic Gregorian calendar and fixed offsets from UTC.
// Zones by name (daylight saving) are not known here; who reads a time without an offset says
// what zone it is in. Instants are a Duration since 1970-01-01T00:00:00Z.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/quantity.hpp"
#include "base/units.hpp"

namespace weft {

struct CivilDate {
  std::int32_t year = 1970;
  std::uint8_t month = 1;  // 1..12
  std::uint8_t day = 1;    // 1..31
  friend bool operator==(const CivilDate&, const CivilDate&) = default;
};

[[nodiscard]] bool is_valid(const CivilDate& date);
// Days since 1970-01-01, negative before; and back.
[[nodiscard]] std::int64_t days_since_epoch(const CivilDate& date);
[[nodiscard]] CivilDate civil_date(std::int64_t days);
// 0 Monday .. 6 Sunday.
[[nodiscard]] int weekday(std::int64_t days);

// A time as written: what the clock on the wall shows, and its offset from UTC if one is written.
struct CalendarTime {
  Duration wall;  // since 1970-01-01T00:00:00 on the same wall
  std::optional<Duration> offset;

  // The instant, taking `default_offset` where none is written.
  [[nodiscard]] Duration since_epoch(Duration default_offset) const {
    return wall - offset.value_or(default_offset);
  }
};

// YYYY-MM-DD, 'T' or a blank, hh:mm, then optionally :ss, then .f (1 to 9 places), then Z, +hh:mm,
// +hhmm or +hh. Years 1700 to 2200. Refused: days a month does not have, hour 24, second 60,
// offsets beyond 18 hours.
[[nodiscard]] Parsed<CalendarTime> parse_calendar_time(std::string_view text);

// "2017-10-03T23:12:54Z", "2017-10-03T23:12:54.5+02:00": the fraction if there is one, trailing
// zeros cut; the offset in whole minutes.
[[nodiscard]] std::string calendar_text(Duration since_epoch, Duration offset = {});

}  // namespace weft
