// Which column of a sacct dump is which, and where a row's cells are when a text column holds the
// delimiter. Internal to formats/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/delimited.hpp"
#include "formats/job_reader.hpp"
#include "formats/time_zone.hpp"

namespace weft::formats {

enum class SacctColumn : std::uint8_t {
  kJobId,
  kJobIdRaw,
  kJobName,
  kPartition,
  kAccount,
  kUser,
  kQos,
  kSubmit,
  kEligible,
  kStart,
  kEnd,
  kElapsed,
  kElapsedRaw,
  kTimelimit,
  kTimelimitRaw,
  kState,
  kNNodes,
  kAllocNodes,
  kReqNodes,
  kNCpus,
  kAllocCpus,
  kReqCpus,
  kReqMem,
  kReqTres,
  kAllocTres,
  kReqGres,
  kAllocGres,
  kNodeList
};
constexpr std::size_t kSacctColumns = 28;
[[nodiscard]] std::string_view to_string(SacctColumn column);  // as sacct prints it

// A row with more cells than the header: which text columns take how many cells more than one.
// Empty for the usual row.
struct ExtraCells {
  struct Taken {
    std::size_t column = 0;
    std::size_t cells = 0;
  };
  std::vector<Taken> taken;

  [[nodiscard]] std::size_t before(std::size_t column) const;  // cells taken by earlier columns
  [[nodiscard]] std::size_t of(std::size_t column) const;
};

class SacctColumns {
 public:
  SacctColumns() = default;
  explicit SacctColumns(const std::vector<Cell>& header);

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_.names(); }
  [[nodiscard]] bool has(SacctColumn column) const { return position(column).has_value(); }
  // Where the row's cell of this column starts; nothing if the dump has no such column.
  [[nodiscard]] std::optional<std::size_t> index_in_row(SacctColumn column,
                                                        const ExtraCells& fix) const;
  // How many cells more than one this column takes.
  [[nodiscard]] std::size_t extra_of(SacctColumn column, const ExtraCells& fix) const {
    return has(column) ? fix.of(*position(column)) : 0;
  }
  // Null if the dump has no such column.
  [[nodiscard]] const Cell* cell(SacctColumn column,
                                 const std::vector<Cell>& row,
                                 const ExtraCells& fix) const;
  // Cells of a row, without the empty one behind the closing delimiter of sacct --parsable (where
  // the header has it too).
  [[nodiscard]] std::size_t cell_count(const std::vector<Cell>& row) const;
  [[nodiscard]] std::vector<MissingColumn> missing() const;
  // Which text columns hold the delimiter, so that every other column looks as it should; nothing
  // if there is no such explanation. Of several, the one with the delimiters furthest right.
  [[nodiscard]] std::optional<ExtraCells> explain_extra_cells(const std::vector<Cell>& row,
                                                              std::size_t cells,
                                                              Calendar& calendar) const;

 private:
  enum class Look : std::uint8_t { kText, kNumber, kDuration, kExitCode, kKnown, kAny };
  struct Kind {
    Look look = Look::kAny;
    SacctColumn column{};  // kKnown: one that is read
  };
  [[nodiscard]] static Kind kind_of(std::string_view name);
  [[nodiscard]] static bool looks_right(const Kind& kind,
                                        std::string_view text,
                                        Calendar& calendar);

  [[nodiscard]] const std::optional<std::size_t>& position(SacctColumn column) const {
    return position_[static_cast<std::size_t>(column)];
  }
  ColumnNames names_;
  bool closed_ = false;  // lines end in a delimiter
  std::array<std::optional<std::size_t>, kSacctColumns> position_{};
  std::vector<Kind> kinds_;  // by column
};

}  // namespace weft::formats
