// Calendar times of logs: "2021-02-11T22:36:19" in a time zone, to nanoseconds since 1970 (UTC).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/quantity.hpp"

namespace weft::formats {

// Reads "YYYY-MM-DD", a blank or T, "hh:mm[:ss[.fraction]]" and an own offset if there is one
// ("Z", "+02:00"), which wins over the zone. Years 1970 to 2250. A time that a clock set back
// shows twice is the earlier one; one that a clock set forward skips is that of the jump.
class Calendar {
 public:
  Calendar();  // UTC
  Calendar(Calendar&&) noexcept;
  Calendar& operator=(Calendar&&) noexcept;
  Calendar(const Calendar& other);
  Calendar& operator=(const Calendar& other);
  ~Calendar();

  // "UTC", "Z", "+02:00", "-0530", or a name of the system's time zone data ("Europe/Stockholm").
  [[nodiscard]] static Parsed<Calendar> in_zone(std::string_view name);

  [[nodiscard]] Parsed<std::int64_t> unix_ns(std::string_view text);
  [[nodiscard]] const std::string& zone_name() const { return name_; }

 private:
  struct Zone;  // of the system's data, with the offset found last; null: fixed_offset_
  [[nodiscard]] std::int64_t offset_seconds(std::int64_t local_seconds);

  std::string name_ = "UTC";
  std::int64_t fixed_offset_ = 0;  // seconds east of UTC
  std::unique_ptr<Zone> zone_;
};

}  // namespace weft::formats
