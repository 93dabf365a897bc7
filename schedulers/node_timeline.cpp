#include "schedulers/node_timeline.hpp"

namespace weft::schedulers {

NodeTimeline::NodeTimeline(const NodeInfo& node, std::int64_t begin)
    : bin_count_(std::min(node.gpu_count, kMaxBins)) {
  steps_.push_back(Step{
      begin, static_cast<std::int32_t>(node.gpu_count), 0, node.cpus.raw(), node.memory.raw()});
}

// The step that holds t, or the first one if all are later.
std::size_t NodeTimeline::step_at(std::int64_t t) const {
  const auto after =
      std::upper_bound(steps_.begin(), steps_.end(), t, [](std::int64_t time, const Step& step) {
        return time < step.begin;
      });
  return after == steps_.begin() ? 0 : static_cast<std::size_t>(after - steps_.begin()) - 1;
}

std::size_t NodeTimeline::split_at(std::int64_t t) {
  const std::size_t at = step_at(t);
  if (steps_[at].begin >= t) {
    return at;
  }
  Step copy = steps_[at];
  copy.begin = t;
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at) + 1, copy);
  if (!bins_.empty()) {
    const auto row = static_cast<std::ptrdiff_t>(at * bin_count_);
    const std::vector<std::uint16_t> same(bins_.begin() + row, bins_.begin() + row + bin_count_);
    bins_.insert(bins_.begin() + row + bin_count_, same.begin(), same.end());
  }
  return at + 1;
}

void NodeTimeline::erase(std::size_t first, std::size_t last) {
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(first),
               steps_.begin() + static_cast<std::ptrdiff_t>(last));
  if (!bins_.empty()) {
    bins_.erase(bins_.begin() + static_cast<std::ptrdiff_t>(first * bin_count_),
                bins_.begin() + static_cast<std::ptrdiff_t>(last * bin_count_));
  }
}

bool NodeTimeline::equal(std::size_t a, std::size_t b) const {
  const Step& x = steps_[a];
  const Step& y = steps_[b];
  if (x.gpus != y.gpus || x.jobs != y.jobs || x.cpus != y.cpus || x.memory != y.memory) {
    return false;
  }
  return bins_.empty() ||
         std::equal(bins_.begin() + static_cast<std::ptrdiff_t>(a * bin_count_),
                    bins_.begin() + static_cast<std::ptrdiff_t>((a + 1) * bin_count_),
                    bins_.begin() + static_cast<std::ptrdiff_t>(b * bin_count_));
}

// Joins equal neighbours at the ends of the steps [first, last) that were changed alike.
void NodeTimeline::merge(std::size_t first, std::size_t last) {
  if (last < steps_.size() && last > 0 && equal(last - 1, last)) {
    erase(last, last + 1);
  }
  if (first > 0 && first < steps_.size() && equal(first - 1, first)) {
    erase(first, first + 1);
  }
}

void NodeTimeline::change(const Piece& piece,
                          std::int64_t from,
                          std::int64_t to,
                          std::int32_t sign) {
  if (from >= to) {
    return;
  }
  if (piece.bin != kNoBin && bins_.empty()) {
    bins_.assign(steps_.size() * bin_count_, 0);
  }
  const std::size_t first = split_at(from);
  const std::size_t last = split_at(to);
  for (std::size_t i = first; i < last; ++i) {
    Step& step = steps_[i];
    step.gpus -= sign * static_cast<std::int32_t>(piece.gpus);
    step.jobs += sign;
    step.cpus -= sign * piece.amounts.cpus.raw();
    step.memory -= sign * piece.amounts.memory.raw();
    if (piece.bin != kNoBin) {
      std::uint16_t& used = bins_[i * bin_count_ + piece.bin];
      const bool held = used > 0;
      used = static_cast<std::uint16_t>(used + sign * static_cast<std::int32_t>(piece.share));
      if (held != (used > 0)) {
        step.gpus -= sign;
      }
    }
  }
  merge(first, last);
}

void NodeTimeline::forget_before(std::int64_t now) {
  const std::size_t at = step_at(now);
  if (at > 0) {
    erase(0, at);
  }
}

NodeTimeline::Window NodeTimeline::window(std::int64_t from, std::int64_t to) const {
  std::size_t i = step_at(from);
  Window least{steps_[i].gpus, steps_[i].jobs, steps_[i].cpus, steps_[i].memory};
  for (++i; i < steps_.size() && steps_[i].begin < to; ++i) {
    least.gpus = std::min(least.gpus, steps_[i].gpus);
    least.jobs = std::max(least.jobs, steps_[i].jobs);
    least.cpus = std::min(least.cpus, steps_[i].cpus);
    least.memory = std::min(least.memory, steps_[i].memory);
  }
  return least;
}

NodeTimeline::BinUse NodeTimeline::bin_use(std::uint32_t bin,
                                           std::uint32_t share,
                                           std::int64_t from,
                                           std::int64_t to) const {
  BinUse use;
  for (std::size_t i = step_at(from); i < steps_.size(); ++i) {
    if (i > 0 && steps_[i].begin >= to) {
      break;
    }
    use.fits = use.fits && bin_fits(i, bin, share);
    if (!bins_.empty()) {
      use.most = std::max<std::uint32_t>(use.most, bins_[i * bin_count_ + bin]);
    }
  }
  return use;
}

}  // namespace weft::schedulers
