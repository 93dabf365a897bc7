#include "base/calendar.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace weft {
namespace {

// Seconds since the epoch, taking UTC where no offset is written; fails the test if refused.
std::int64_t epoch_seconds(std::string_view text) {
  const auto parsed = parse_calendar_time(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? parsed->since_epoch(Duration{}).raw() / kNsPerSecond : -1;
}

TEST(Calendar, CountsDaysLikeACalendarOnTheWall) {
  // Walks day by day from 1600-01-01 (a Saturday, 135140 days before the epoch).
  CivilDate date{1600, 1, 1};
  int day_of_week = 5;
  const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (std::int64_t day = -135140; day < 120'000; ++day) {
    ASSERT_EQ(days_since_epoch(date), day);
    ASSERT_EQ(civil_date(day), date);
    ASSERT_EQ(weekday(day), day_of_week);
    ASSERT_TRUE(is_valid(date));
    const bool leap = date.year % 400 == 0 || (date.year % 4 == 0 && date.year % 100 != 0);
    const int length = month_days[date.month - 1] + (leap && date.month == 2 ? 1 : 0);
    if (++date.day > length) {
      ASSERT_FALSE(is_valid(date));
      date.day = 1;
      if (++date.month > 12) {
        ASSERT_FALSE(is_valid(date));
        date.month = 1;
        ++date.year;
      }
    }
    day_of_week = (day_of_week + 1) % 7;
  }
}

// Expected values: `date -u -d TEXT +%s` of GNU coreutils.
TEST(ParseCalendarTime, ReadsTheFormsInUse) {
  EXPECT_EQ(epoch_seconds("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(epoch_seconds("2017-10-03 23:12:54"), 1507072374);
  EXPECT_EQ(epoch_seconds("2024-02-29T23:59:59"), 1709251199);
  EXPECT_EQ(epoch_seconds("2024-02-29T23:59"), 1709251140);
  EXPECT_EQ(epoch_seconds("2023-03-26T03:30:00+02:00"), 1679794200);
  EXPECT_EQ(epoch_seconds("2023-03-26T03:30:00+0200"), 1679794200);
  EXPECT_EQ(epoch_seconds("2023-03-26T03:30:00+02"), 1679794200);
  EXPECT_EQ(epoch_seconds("2023-03-26T01:30-00:30"), 1679796000);
  EXPECT_EQ(epoch_seconds("1969-12-31T23:59:59Z"), -1);
  EXPECT_EQ(epoch_seconds("2000-02-29 00:00:00"), 951782400);
}

TEST(ParseCalendarTime, KeepsNanosecondsAndTheOffset) {
  const auto time = parse_calendar_time("1970-01-01T00:00:00.000000001+01:00");
  ASSERT_TRUE(time);
  EXPECT_EQ(time->wall, nanoseconds(1));
  EXPECT_EQ(time->offset, hours(1));
  EXPECT_EQ(time->since_epoch(hours(5)), nanoseconds(1) - hours(1));

  const auto local = parse_calendar_time("1970-01-01 06:00:00.25");
  ASSERT_TRUE(local);
  EXPECT_FALSE(local->offset);
  EXPECT_EQ(local->since_epoch(hours(5)), hours(1) + nanoseconds(250'000'000));
}

TEST(ParseCalendarTime, RefusesWhatTheCalendarDoesNotHave) {
  for (const char* text : {"2023-02-30T00:00:00",
                           "2023-02-29T00:00:00",
                           "1900-02-29T00:00:00",
                           "2023-04-31T00:00:00",
                           "2023-00-01T00:00:00",
                           "2023-13-01T00:00:00",
                           "2023-01-00T00:00:00",
                           "2023-01-01T24:00:00",
                           "2023-01-01T23:60:00",
                           "2023-01-01T23:59:60",
                           "1699-12-31T00:00:00",
                           "2201-01-01T00:00:00",
                           "2023-01-01T00:00:00+18:01",
                           "2023-01-01T00:00:00+02:60"}) {
    EXPECT_FALSE(parse_calendar_time(text)) << text;
  }
}

TEST(ParseCalendarTime, RefusesOtherForms) {
  for (const char* text : {"",
                           "2023",
                           "2023-01-01",
                           "2023-01-01T",
                           "2023-01-01T12",
                           "2023-1-1T00:00:00",
                           "23-01-01T00:00:00",
                           "2023/01/01 00:00:00",
                           "2023-01-01t00:00:00",
                           "2023-01-01T00:00:00z",
                           "2023-01-01  00:00:00",
                           "2023-01-01T00:00:00.",
                           "2023-01-01T00:00:00.1234567891",
                           "2023-01-01T00:00:00,5",
                           "2023-01-01T00:00:00 ",
                           "2023-01-01T00:00:00Zx",
                           "2023-01-01T00:00:00+2",
                           "2023-01-01T00:00:00+02:",
                           "2023-01-01T00:00:00+02:3",
                           "-023-01-01T00:00:00",
                           "2023-01-01T0a:00:00",
                           "2023-01-01T00:00:00+-2:00",
                           "Unknown",
                           "2023-01-01T00:00.5",
                           "1e9"}) {
    const auto parsed = parse_calendar_time(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.allowed().find("2024-02-29T23:59:59"), std::string::npos) << text;
  }
}

TEST(CalendarText, PrintsInUtcAndWithAnOffset) {
  EXPECT_EQ(calendar_text(Duration{}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(calendar_text(seconds(1507072374)), "2017-10-03T23:12:54Z");
  EXPECT_EQ(calendar_text(nanoseconds(500'000'000), hours(2)), "1970-01-01T02:00:00.5+02:00");
  EXPECT_EQ(calendar_text(nanoseconds(-1)), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(calendar_text(seconds(0), minutes(-90)), "1969-12-31T22:30:00-01:30");
  EXPECT_EQ(calendar_text(nanoseconds(INT64_MAX), hours(18)),
            "2262-04-12T17:47:16.854775807+18:00");
  EXPECT_EQ(calendar_text(nanoseconds(INT64_MIN), hours(-18)),
            "1677-09-20T06:12:43.145224192-18:00");
}

TEST(CalendarText, ReadsBackTheSame) {
  Rng rng(61, "calendar");
  for (int i = 0; i < 20'000; ++i) {
    // 1700 to 2200, to the second or to the nanosecond.
    const auto span = static_cast<std::uint64_t>(500LL * 365 * 86400);
    const Duration time =
        seconds(static_cast<std::int64_t>(rng.below(span)) - 8'520'000'000) +
        nanoseconds(rng.chance(0.5) ? 0 : static_cast<std::int64_t>(rng.below(1'000'000'000)));
    const Duration offset = minutes(static_cast<std::int64_t>(rng.below(2161)) - 1080);
    const std::string text = calendar_text(time, offset);
    if (text < "1700-01-01" || text > "2200-12-31") {
      continue;
    }
    const auto read = parse_calendar_time(text);
    ASSERT_TRUE(read) << text;
    ASSERT_EQ(read->since_epoch(Duration{}), time) << text;
    ASSERT_EQ(*read->offset, offset) << text;
  }
}

}  // namespace
}  // namespace weft
