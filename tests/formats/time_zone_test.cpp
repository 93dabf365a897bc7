#include "formats/time_zone.hpp"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

std::int64_t seconds_of(Calendar calendar, std::string_view text) {
  const Parsed<std::int64_t> ns = calendar.unix_ns(text);
  return ns ? *ns / 1'000'000'000 : -1;
}

TEST(Calendar, ReadsUtcAndOffsets) {
  EXPECT_EQ(seconds_of({}, "1970-01-01T00:00:00"), 0);
  EXPECT_EQ(seconds_of({}, "2024-03-01 10:00:00"), 1'709'287'200);
  EXPECT_EQ(seconds_of({}, "2024-03-01T10:00:00Z"), 1'709'287'200);
  EXPECT_EQ(seconds_of({}, "2024-03-01T12:00:00+02:00"), 1'709'287'200);
  EXPECT_EQ(seconds_of({}, "2024-03-01T12:00"), 1'709'294'400);
  EXPECT_EQ(seconds_of(Calendar::in_zone("-0530").value(), "2024-03-01T04:30:00"), 1'709'287'200);
  EXPECT_EQ(seconds_of({}, "2024-02-29T00:00:00"), 1'709'164'800);
  Calendar utc;
  EXPECT_EQ(utc.unix_ns("2023-11-16 18:01:55.0000100").value() % 1'000'000'000, 10'000);
}

TEST(Calendar, RefusesTimesThatAreNone) {
  for (const std::string_view text : {"",
                                      "2024",
                                      "2024-03-01",
                                      "2023-02-29T00:00:00",
                                      "2024-00-01T00:00:00",
                                      "24-03-01T00:00:00",
                                      "2024-03-01T24:00:00",
                                      "2024-03-01T10:60:00",
                                      "2024-03-01T10:00:61",
                                      "2024-03-01T10:00:00.",
                                      "2024-03-01T10:00:00 PM",
                                      "1969-12-31T23:59:59",
                                      "2300-01-01T00:00:00",
                                      "1970-01-01T00:00:00+02:00",
                                      "2024-03-01T10:00:00+25:00",
                                      "2024-03-01T10:00:00+"}) {
    EXPECT_EQ(seconds_of({}, text), -1) << text;
  }
  EXPECT_FALSE(Calendar::in_zone("Middle/Earth").ok());
  EXPECT_FALSE(Calendar::in_zone("").ok());
}

TEST(Calendar, FollowsAZonesRules) {
  const Parsed<Calendar> zone = Calendar::in_zone("Europe/Stockholm");
  if (!zone) {
    GTEST_SKIP() << "no time zone data on this machine";
  }
  EXPECT_EQ(seconds_of(*zone, "2024-01-15T12:00:00"), 1'705'316'400);  // UTC+1
  EXPECT_EQ(seconds_of(*zone, "2024-07-15T12:00:00"), 1'721'037'600);  // UTC+2
  // Clocks went from 03:00 back to 02:00 on 2024-10-27: the earlier 02:30.
  EXPECT_EQ(seconds_of(*zone, "2024-10-27T02:30:00"), 1'729'989'000);
  // And from 02:00 to 03:00 on 2024-03-31: 02:30 was never shown.
  EXPECT_EQ(seconds_of(*zone, "2024-03-31T02:30:00"), 1'711'846'800);
  // The offset remembered from one time is not used beyond its range.
  Calendar calendar = *zone;
  EXPECT_EQ(calendar.unix_ns("2024-07-15T12:00:00").value() / 1'000'000'000, 1'721'037'600);
  EXPECT_EQ(calendar.unix_ns("2024-10-27T04:00:00").value() / 1'000'000'000, 1'729'998'000);
  EXPECT_EQ(calendar.unix_ns("2024-01-15T12:00:00").value() / 1'000'000'000, 1'705'316'400);
}

}  // namespace
}  // namespace weft::formats
