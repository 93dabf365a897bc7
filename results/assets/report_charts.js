// The charts' options: plain functions from the run's data to what the chart library draws.
// `look` holds the colours of the current theme and whether the page is narrow.
const WeftCharts = (() => {
  "use strict";

  const MINUTE = 60, HOUR = 3600, DAY = 86400;

  // Hue by group (blue: useful, orange to red: allocated, purple: idle, grey: not available), told
  // apart within a group by lightness, so that no pair rests on red against green alone.
  const ACCOUNT_COLOURS = {
    compute: "#0072b2", serving_busy: "#56b4e9",
    starting: "#f0e442", unused_allocation: "#e69f00", comm_ideal: "#fbd07a", comm_contention: "#d55e00",
    io_wait: "#a8781a", checkpoint: "#ffb480", bubble: "#8c4a00", throttled: "#ffdfb0",
    lost_work: "#a31515", serving_idle: "#c9a66b",
    no_demand: "#cfc6e0", fragmented: "#aa3377", draining: "#cc79a7", reserved: "#7b3fa0",
    policy: "#4b2a7b", scheduler_latency: "#efb3d4",
    down: "#5a5a5a", maintenance: "#8f8f8f", powered_off: "#bdbdbd",
  };
  const GROUPS = [
    ["useful", "useful", "#0072b2"],
    ["allocated_not_useful", "allocated, not useful", "#e69f00"],
    ["idle", "idle", "#aa7fbf"],
    ["not_available", "not available", "#8f8f8f"],
  ];
  const RUN_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                       "#8c4a00", "#7b3fa0", "#5a5a5a", "#a31515", "#117733", "#88ccee"];
  // The same hues, light enough for a dark page.
  const DARK_RUN_COLOURS = ["#5bb4ec", "#ff8a4c", "#3ed6a4", "#e9a3cb", "#f5bd4f", "#a6d8f7",
                            "#d39a5c", "#b98be0", "#b0b0b0", "#f07070", "#5fc27e", "#bfe3f7"];
  const runColour = (i, dark) => (dark ? DARK_RUN_COLOURS : RUN_COLOURS)[i % RUN_COLOURS.length];
  const RUN_DASHES = ["solid", [6, 3], [2, 2], [8, 3, 2, 3]];
  const SIZE_COLOURS = ["#fde725", "#a0da39", "#4ac16d", "#1fa187", "#277f8e", "#365c8d", "#46327e", "#440154"];
  const OTHER_COLOUR = "#9aa0a6";

  const html = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const label = (account) => account.replace(/_/g, " ");

  function digits(value) {
    const size = Math.abs(value);
    if (size > 0 && size < 0.01) return value.toPrecision(2);
    const decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    return Number(value.toFixed(decimals)).toLocaleString("en-US", { maximumFractionDigits: 3 });
  }
  function duration(s) {
    const size = Math.abs(s);
    if (size > 0 && size < 1) return digits(s * 1000) + " ms";
    if (size < 120) return digits(s) + " s";
    if (size < 2 * HOUR) return digits(s / MINUTE) + " min";
    if (size < 2 * DAY) return digits(s / HOUR) + " h";
    return digits(s / DAY) + " d";
  }
  const dollars = (v) => "$" + (v >= 100 ? Math.round(v).toLocaleString("en-US") : v.toFixed(2));
  const percent = (share) => (share > 0 && share < 0.001 ? "<0.1 %" : (share * 100).toFixed(1) + " %");

  function timeUnit(span) {
    if (span < 3 * MINUTE) return { size: 1, name: "seconds" };
    if (span < 3 * HOUR) return { size: MINUTE, name: "minutes" };
    if (span < 3 * DAY) return { size: HOUR, name: "hours" };
    return { size: DAY, name: "days" };
  }

  // Axes ---------------------------------------------------------------------------------------

  const axisText = (look) => ({ color: look.muted, fontSize: look.narrow ? 11 : 12 });
  const line = (look) => ({ lineStyle: { color: look.grid } });
  function axis(look, name, more) {
    return Object.assign({
      type: "value", name, nameLocation: "middle", nameGap: 28,
      nameTextStyle: axisText(look), axisLabel: axisText(look), axisLine: line(look),
      axisTick: line(look), splitLine: line(look),
    }, more);
  }
  // A value axis names itself above its end: sideways text costs width that phones lack.
  function upright(look, name, more) {
    return axis(look, name, Object.assign({
      nameLocation: "end", nameGap: 10, nameTextStyle: Object.assign({ align: "left", padding: [0, 0, 0, -34] }, axisText(look)),
      splitNumber: 4,
    }, more));
  }
  function timeAxis(look, unit, span, more) {
    return axis(look, `time since start (${unit.name})`, Object.assign({ min: 0, max: span / unit.size || 1,
      splitNumber: look.narrow ? 4 : 8, axisLabel: Object.assign({ hideOverlap: true, showMaxLabel: false,
        formatter: (v) => digits(v) }, axisText(look)), axisLine: Object.assign({ onZero: false }, line(look)), splitLine: { show: false } }, more));
  }
  // Logarithmic, drawn on the exponents so that the marks can be 1 s, 1 min, 1 h, 1 d.
  const LOG_FLOOR = 1;
  const log = (value) => Math.log10(Math.max(value, LOG_FLOOR));
  function logMarks(most, isTime) {
    const marks = isTime ? [1, 10, MINUTE, 10 * MINUTE, HOUR, 10 * HOUR, DAY, 10 * DAY, 100 * DAY, 1000 * DAY]
                         : [...Array(16).keys()].map((k) => 10 ** k);
    const last = marks.findIndex((m) => m >= most);
    return marks.slice(0, Math.max(2, last < 0 ? marks.length : last + 1));
  }
  function logAxis(look, name, most, isTime) {
    const marks = logMarks(most, isTime);
    const positions = marks.map((m) => Math.log10(m));
    const text = (v) => {
      const mark = marks.find((m) => Math.abs(Math.log10(m) - v) < 1e-6);
      if (mark === undefined) return "";
      return isTime ? (mark === 1 ? "≤1 s" : duration(mark).replace("60 s", "1 min").replace("60 min", "1 h").replace("24 h", "1 d"))
                    : mark.toLocaleString("en-US");
    };
    return axis(look, name, { min: 0, max: positions[positions.length - 1],
      axisLabel: Object.assign({ customValues: positions, formatter: text, hideOverlap: true }, axisText(look)),
      axisTick: Object.assign({ customValues: positions }, line(look)),
      splitLine: Object.assign({ customValues: positions }, line(look)) });
  }

  function frame(look, more) {
    return Object.assign({
      animation: false, backgroundColor: "transparent", color: RUN_COLOURS,
      textStyle: { fontFamily: look.font, color: look.ink },
      tooltip: { trigger: "item", confine: true, transitionDuration: 0, backgroundColor: look.card, borderColor: look.grid,
                 textStyle: { color: look.ink, fontSize: 12 }, axisPointer: { lineStyle: { color: look.muted } } },
    }, more);
  }
  const zoom = (axes) => ({ type: "inside", xAxisIndex: axes, zoomOnMouseWheel: "ctrl", moveOnMouseMove: true,
                            moveOnMouseWheel: false, filterMode: "none" });

  const runStyle = (i, look) => ({ color: runColour(i, look.dark), width: 2, type: RUN_DASHES[i % RUN_DASHES.length] });
  const swatch = (colour) => `<i style="display:inline-block;width:.7em;height:.7em;margin-right:.4em;background:${colour}"></i>`;
  const rows = (pairs) => `<table style="border-spacing:.5em 0">${pairs.map(([k, v]) =>
    `<tr><td>${k}</td><td style="text-align:right">${v}</td></tr>`).join("")}</table>`;

  // Accounts in the order of the bars: useful first.
  function orderedAccounts(data) {
    const used = new Set(data.runs.flatMap((r) => r.ledger.map((l) => l.account)));
    return GROUPS.flatMap(([group]) => Object.keys(data.accounts)
      .filter((a) => data.accounts[a].group === group && used.has(a)));
  }

  // Where the GPU time went --------------------------------------------------------------------

  function accountsChart(data, look, unit) {
    const single = data.runs.length === 1;
    const value = (entry, run) => !entry ? 0 : unit === "usd" ? entry.usd || 0
      : unit === "share" ? 100 * entry.hours / run.ledger.reduce((s, l) => s + l.hours, 0) : entry.hours;
    const shown = unit === "usd" ? dollars : unit === "share" ? (v) => v.toFixed(1) + " %" : (v) => digits(v) + " GPU-hours";
    const total = data.runs.map((run) => run.ledger.reduce((s, l) => s + value(l, run), 0));
    const width = look.width - 20;
    const most = Math.max(...total) || 1;
    const bar = (name, colour, values, meaning) => ({
      type: "bar", name, stack: "all", barWidth: single ? 44 : 30, itemStyle: { color: colour, borderColor: look.card, borderWidth: 1 },
      data: values.map((v) => (v > 0 ? v : null)),
      label: { show: true, position: "inside", fontSize: 11, color: look.on(colour), formatter: (p) => {
        const room = p.value / most * width;
        const text = percent(p.value / total[single ? 0 : p.dataIndex]);
        return room > (name.length + text.length) * 6.6 + 10 ? `${name} ${text}` : room > text.length * 6.6 + 6 ? text : "";
      } },
      tooltip: { formatter: (p) => `<b>${html(name)}</b><br>${shown(p.value)} (${percent(p.value / total[single ? 0 : p.dataIndex])})` +
        (meaning ? `<br><span style="opacity:.8">${html(meaning)}</span>` : "") },
    });
    const series = [];
    if (single) {
      const run = data.runs[0];
      for (const [group, name, colour] of GROUPS) {
        const sum = run.ledger.filter((l) => data.accounts[l.account].group === group).reduce((s, l) => s + value(l, run), 0);
        if (sum > 0) series.push(bar(name, colour, [sum, 0]));
      }
    }
    for (const account of orderedAccounts(data)) {
      const values = data.runs.map((run) => value(run.ledger.find((l) => l.account === account), run));
      series.push(bar(label(account), ACCOUNT_COLOURS[account], single ? [0, values[0]] : values, data.accounts[account].meaning));
    }
    return frame(look, {
      grid: { left: 12, right: 28, top: single ? 4 : 6, bottom: 44, containLabel: !single },
      xAxis: axis(look, unit === "usd" ? "cost ($)" : unit === "share" ? "share of GPU time (%)" : "GPU-hours",
                  { min: 0, max: most, splitNumber: 4, axisLabel: Object.assign({ showMaxLabel: false, hideOverlap: true,
                    formatter: (v) => v.toLocaleString("en-US", { maximumFractionDigits: 2 }) }, axisText(look)) }),
      yAxis: { type: "category", inverse: true, data: single ? ["groups", "accounts"] : data.runs.map((r) => r.name),
               axisLabel: Object.assign({ show: !single, width: look.narrow ? 70 : 160, overflow: "truncate" }, axisText(look)),
               axisTick: { show: false }, axisLine: { show: false } },
      series,
    });
  }

  // Over time ----------------------------------------------------------------------------------

  const spanOf = (data) => Math.max(...data.runs.map((r) => r.timeline.end - r.timeline.begin)) || 1;
  const at = (timeline, seconds) => {  // the step that holds at `seconds` since the start
    let low = 0, high = timeline.time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (timeline.time[middle] - timeline.begin <= seconds) low = middle; else high = middle - 1;
    }
    return low;
  };
  function steps(timeline, values, unit) {
    const points = timeline.time.map((t, i) => [(t - timeline.begin) / unit.size, values[i]]);
    if (points.length) points.push([(timeline.end - timeline.begin) / unit.size, values[values.length - 1]]);
    return points;
  }
  function stacked(count, height, gap) {
    return [...Array(count).keys()].map((i) => ({ left: 52, right: 14, top: 26 + i * (height + gap), height }));
  }

  function timelineChart(data, look, hidden) {
    const span = spanOf(data), unit = timeUnit(span), count = data.runs.length;
    const accounts = orderedAccounts(data).filter((a) => !hidden.has(a));
    const series = [];
    let most = 1;
    data.runs.forEach((run, r) => {
      const sums = run.timeline.time.map(() => 0);
      const layers = [];
      for (const account of accounts) {
        const values = run.timeline.accounts[account];
        if (!values) continue;
        values.forEach((v, i) => { sums[i] += v; });
        layers.push([account, sums.slice()]);
      }
      most = Math.max(most, ...sums);
      // Drawn from the top layer down, each filled to zero: the sum shows as a stack, exact at steps.
      for (const [account, values] of layers.reverse()) {
        series.push({ type: "line", name: account, xAxisIndex: r, yAxisIndex: r, step: "end", symbol: "none", silent: true,
          lineStyle: { width: 0 }, areaStyle: { color: ACCOUNT_COLOURS[account], opacity: 1 }, data: steps(run.timeline, values, unit) });
      }
    });
    const height = count > 1 ? 170 : look.narrow ? 220 : 280;
    return frame(look, {
      grid: stacked(count, height, 56),
      tooltip: Object.assign(frame(look).tooltip, { trigger: "axis", formatter: (points) => {
        if (!points.length) return "";
        const r = points[0].axisIndex, timeline = data.runs[r].timeline, seconds = points[0].axisValue * unit.size, i = at(timeline, seconds);
        const known = accounts.filter((a) => timeline.accounts[a] && timeline.accounts[a][i] > 0).reverse();
        return `<b>${html(data.runs[r].name)}</b>, ${duration(seconds)}` + rows(known.map((a) =>
          [swatch(ACCOUNT_COLOURS[a]) + label(a), digits(timeline.accounts[a][i]) + " GPUs"]));
      } }),
      xAxis: data.runs.map((r, i) => timeAxis(look, unit, span, Object.assign({ gridIndex: i }, i + 1 === count ? {} : { name: "" }))),
      yAxis: data.runs.map((r, i) => upright(look, count > 1 ? `GPUs, ${r.name}` : "GPUs", { gridIndex: i, min: 0, max: Math.ceil(most * 1000) / 1000,
        axisLabel: Object.assign({ formatter: (v) => digits(v) }, axisText(look)) })).map((a) => Object.assign(a, { z: 5 })),
      dataZoom: [zoom(data.runs.map((r, i) => i))],
      series,
    });
  }

  // Panels one above the other, a line a run: [{name, field, most}].
  function linesChart(data, look, panels) {
    const span = spanOf(data), unit = timeUnit(span);
    const series = [];
    panels.forEach((panel, p) => data.runs.forEach((run, r) => {
      const values = run.timeline[panel.field];
      if (!values.length) return;
      const shared = { type: "line", xAxisIndex: p, yAxisIndex: p, step: "end", symbol: "none", silent: true };
      if (panel.most && run.timeline.binned) {
        series.push(Object.assign({ name: run.name + " (greatest)", data: steps(run.timeline, run.timeline[panel.most].map(panel.scale), unit),
          lineStyle: Object.assign(runStyle(r, look), { width: 1, opacity: 0.45 }) }, shared));
      }
      series.push(Object.assign({ name: run.name, data: steps(run.timeline, values.map(panel.scale), unit), lineStyle: runStyle(r, look),
        areaStyle: data.runs.length === 1 ? { color: runStyle(r, look).color, opacity: 0.15 } : undefined }, shared));
    }));
    return frame(look, {
      grid: stacked(panels.length, look.narrow ? 130 : 150, 50),
      tooltip: Object.assign(frame(look).tooltip, { trigger: "axis", formatter: (points) => {
        if (!points.length) return "";
        const seconds = points[0].axisValue * unit.size;
        return duration(seconds) + rows(data.runs.flatMap((run, r) => panels.filter((p) => run.timeline[p.field].length).map((panel) =>
          [swatch(runStyle(r, look).color) + html(data.runs.length > 1 ? `${run.name}: ${panel.name}` : panel.name),
           digits(panel.scale(run.timeline[panel.field][at(run.timeline, seconds)]))])));
      } }),
      axisPointer: { link: [{ xAxisIndex: "all" }] },
      xAxis: panels.map((p, i) => timeAxis(look, unit, span, Object.assign({ gridIndex: i }, i + 1 === panels.length ? {} : { name: "" }))),
      yAxis: panels.map((p, i) => upright(look, p.name, { gridIndex: i, min: 0, axisLabel: Object.assign({ formatter: (v) => digits(v) }, axisText(look)) })),
      dataZoom: [zoom(panels.map((p, i) => i))],
      series,
    });
  }
  const same = (v) => v;
  const queueChart = (data, look) => linesChart(data, look, [
    { name: "jobs waiting", field: "queue", most: "queueMost", scale: same },
    { name: "GPUs they ask for", field: "queueGpus", scale: same },
    { name: "jobs running", field: "running", scale: same }]);
  const powerChart = (data, look) => linesChart(data, look, [{ name: "kW", field: "power", scale: (v) => v / 1000 }]);

  // Distributions ------------------------------------------------------------------------------

  function curveChart(data, look, field, name, isTime) {
    const most = Math.max(1, ...data.runs.map((r) => r[field].x[r[field].x.length - 1] || 0));
    const x = logAxis(look, name, most, isTime);
    const show = isTime ? duration : digits;
    const series = data.runs.filter((r) => r[field].x.length).map((run) => {
      const r = data.runs.indexOf(run);
      const points = run[field].x.map((v, i) => [log(v), 100 * run[field].y[i]]);
      if (points[0][0] > 0) points.unshift([0, 0], [points[0][0], 0]);
      points.push([x.max, 100]);
      return { type: "line", name: run.name, step: "end", symbol: "none", silent: true, data: points, lineStyle: runStyle(r, look) };
    });
    return frame(look, {
      grid: { left: 40, right: 18, top: 26, bottom: 46 },
      tooltip: Object.assign(frame(look).tooltip, { trigger: "axis", formatter: (points) => {
        if (!points.length) return "";
        const value = 10 ** points[0].axisValue;
        return `at most ${show(value)}` + rows(data.runs.map((run, r) => {
          const i = run[field].x.filter((v) => Math.max(v, LOG_FLOOR) <= value * 1.000001).length - 1;
          return [swatch(runStyle(r, look).color) + html(run.name), percent(i < 0 ? 0 : run[field].y[i]) + " of jobs"];
        }));
      } }),
      xAxis: x,
      yAxis: upright(look, "% of jobs", { min: 0, max: 100, interval: 25 }),
      series,
    });
  }

  // Quantile bars: whisker p5 to p95, box p25 to p75, mark at the median; a row a group and run.
  function quantileChart(data, look, field, names, title) {
    const count = data.runs.length, points = [];
    data.runs.forEach((run, r) => run[field].forEach((group, g) => {
      if (group) points.push([g, r, ...group.q.map(log)]);
    }));
    const most = Math.max(1, ...data.runs.flatMap((r) => r[field].map((g) => (g ? g.q[4] : 0))));
    const draw = (params, api) => {
      const [g, r, p5, p25, p50, p75, p95] = [...Array(7).keys()].map((d) => api.value(d));
      const band = Math.min(api.size([0, 1])[1] * 0.8, 26 * count), height = band / count;
      const y = api.coord([0, g])[1] - band / 2 + height * (r + 0.5), colour = runStyle(r, look).color;
      const x = (v) => api.coord([v, g])[0];
      const half = Math.min(height * 0.36, 9);
      const bar = (shape, style) => ({ type: "rect", shape, style });
      return { type: "group", children: [
        bar({ x: x(p5), y: y - 1, width: Math.max(x(p95) - x(p5), 1), height: 2 }, { fill: colour, opacity: 0.6 }),
        bar({ x: x(p25), y: y - half, width: Math.max(x(p75) - x(p25), 2), height: 2 * half }, { fill: colour, opacity: look.dark ? 0.65 : 0.45 }),
        bar({ x: x(p50) - 1.5, y: y - half - 2, width: 3, height: 2 * half + 4 }, { fill: look.ink }),
      ] };
    };
    return frame(look, {
      grid: { left: 6, right: 18, top: 24, bottom: 46, containLabel: true },
      tooltip: Object.assign(frame(look).tooltip, { formatter: (p) => {
        const [g, r] = p.value, group = data.runs[r][field][g];
        return `<b>${html(names[g] || "(no user)")}</b>${count > 1 ? ", " + html(data.runs[r].name) : ""}` + rows([
          ["jobs", group.jobs.toLocaleString("en-US")], ["mean wait", duration(group.mean)],
          ...["p5", "p25", "median", "p75", "p95"].map((k, i) => [k, duration(group.q[i])])]);
      } }),
      xAxis: logAxis(look, "wait", most, true),
      yAxis: { type: "category", inverse: true, data: names.map((n) => n || "(no user)"), name: title, nameLocation: "start", nameGap: 8,
               nameTextStyle: Object.assign({ align: "right" }, axisText(look)),
               axisLabel: Object.assign({ width: look.narrow ? 80 : 170, overflow: "truncate", interval: 0 }, axisText(look)),
               axisTick: { show: false }, axisLine: line(look), splitLine: { show: false } },
      series: [{ type: "custom", renderItem: draw, data: points, encode: { x: [2, 3, 4, 5, 6], y: 0 } }],
    });
  }

  // Who held which GPU -------------------------------------------------------------------------

  const sizeColour = (gpus) => SIZE_COLOURS[Math.max(0, Math.min(SIZE_COLOURS.length - 1, Math.ceil(Math.log2(Math.max(gpus, 1)))))];
  // Blue ramp of one hue, light to dark (dark to light on a dark page): reads without colour too.
  function heatColour(share, look) {
    const from = look.dark ? [34, 40, 49] : [238, 243, 248], to = look.dark ? [134, 199, 255] : [8, 64, 129];
    return `rgb(${from.map((c, i) => Math.round(c + (to[i] - c) * share)).join(",")})`;
  }
  function ganttJobColours(data, by) {
    if (by !== "user") return { of: (job) => sizeColour(job[3]) };
    const known = data.users.slice(0, 10);
    return { of: (job) => { const i = known.indexOf(job[1]); return i < 0 ? OTHER_COLOUR : RUN_COLOURS[i]; } };
  }

  function ganttChart(data, look, r, by) {
    const run = data.runs[r], gantt = run.gantt, lanes = gantt.lanes;
    const span = spanOf(data), unit = timeUnit(span), begin = run.timeline.begin;
    const heat = !gantt.detailed;
    const first = lanes.length ? lanes[0][1] : 0, last = lanes.length ? lanes[lanes.length - 1] : ["", 0, 1];
    const end = last[1] + last[2];
    const place = (lane) => (heat ? lanes.indexOf(lane) + 0.5 : lane[1] + lane[2] / 2);
    const labelled = lanes.filter((l, i) => i % Math.ceil(lanes.length * 14 / look.ganttHeight) === 0);
    const scale = (seconds) => (seconds - begin) / unit.size;
    const colours = heat ? null : ganttJobColours(data, by);
    const clip = (rect, p) => {
      const area = p.coordSys, x = Math.max(rect.x, area.x), right = Math.min(rect.x + rect.width, area.x + area.width);
      const y = Math.max(rect.y, area.y), bottom = Math.min(rect.y + rect.height, area.y + area.height);
      return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
    };
    const drawJob = (p, api) => {
      const [x0, y0] = api.coord([api.value(0), api.value(2)]), [x1, y1] = api.coord([api.value(1), api.value(3)]);
      const shape = clip({ x: x0, y: y0, width: Math.max(x1 - x0, 1), height: Math.max(y1 - y0, 0.5) }, p);
      if (!shape) return null;
      const job = gantt.jobs[api.value(4)], colour = colours.of(job);
      const edge = Math.min(shape.width, shape.height) > 3 ? 0.75 : 0;
      const rect = { type: "rect", shape, style: { fill: colour, opacity: job[3] < 1 ? 0.6 : 1, stroke: look.card, lineWidth: edge } };
      if (shape.height < 12 || shape.width < 7 * job[0].length + 8) return rect;
      return { type: "group", children: [rect, { type: "text", silent: true, style: { text: job[0], x: shape.x + 4, y: shape.y + shape.height / 2,
        verticalAlign: "middle", fontSize: 10, fill: look.on(colour) } }] };
    };
    const drawCell = (p, api) => {
      const [x0, y0] = api.coord([api.value(0), api.value(2)]), [x1, y1] = api.coord([api.value(1), api.value(2) + 1]);
      const shape = clip({ x: x0, y: y0, width: x1 - x0 + 0.5, height: y1 - y0 + (lanes.length > 12 ? 0.3 : -1) }, p);
      return shape && { type: "rect", shape, style: { fill: heatColour(api.value(3) / 100, look) } };
    };
    const points = heat
      ? gantt.share.map((s, i) => [scale(gantt.begin + (i % gantt.bins) * gantt.width), scale(gantt.begin + (i % gantt.bins + 1) * gantt.width), Math.floor(i / gantt.bins), s])
      : gantt.blocks.map(([job, gpu, n]) => [scale(gantt.jobs[job][5]), scale(gantt.jobs[job][6]), gpu, gpu + n, job]);
    const stripe = (p, api) => {
      const [x, y0] = api.coord([0, api.value(0)]), y1 = api.coord([0, api.value(1)])[1];
      return { type: "rect", silent: true, shape: { x: p.coordSys.x, y: y0, width: p.coordSys.width, height: y1 - y0 }, style: { fill: look.grid, opacity: 0.35 } };
    };
    const stripes = heat || lanes.length < 2 ? [] : lanes.filter((l, i) => i % 2).map((l) => [l[1], l[1] + l[2]]);
    return frame(look, {
      grid: { left: 8, right: 18, top: 8, bottom: 84, containLabel: true },
      tooltip: Object.assign(frame(look).tooltip, { formatter: (p) => {
        if (heat) return `<b>${html(lanes[p.value[2]][0])}</b><br>${duration(p.value[0] * unit.size)} to ${duration(p.value[1] * unit.size)}<br>${p.value[3]} % allocated`;
        const job = gantt.jobs[p.value[4]];
        return `<b>job ${html(job[0])}</b>` + rows([["user", html(job[1] || "(no user)")], ["GPUs", digits(job[3])], ["state", html(job[2])],
          ["waited", duration(job[5] - job[4])], ["started", duration(job[5] - begin)], ["ran", duration(job[6] - job[5])]]);
      } }),
      xAxis: timeAxis(look, unit, span, {}),
      yAxis: axis(look, "", { inverse: true, min: heat ? 0 : first, max: heat ? Math.max(lanes.length, 1) : Math.max(end, first + 1), splitLine: { show: false },
        axisTick: { show: false }, axisLabel: gantt.processors && !heat
          ? Object.assign({ formatter: (v) => digits(v) }, axisText(look))
          : Object.assign({ customValues: labelled.map(place), width: look.narrow ? 80 : 170, overflow: "truncate",
              formatter: (v) => { const lane = lanes.find((l) => Math.abs(place(l) - v) < 1e-6); return lane ? lane[0] : ""; } }, axisText(look)) }),
      dataZoom: [zoom([0]), { type: "slider", xAxisIndex: 0, height: 18, bottom: 10, filterMode: "none", borderColor: look.grid, fillerColor: look.dark ? "rgba(255,255,255,.12)" : "rgba(0,0,0,.08)",
        textStyle: { color: look.muted, fontSize: 10 }, labelFormatter: (v) => digits(v), showDataShadow: false, brushSelect: false }],
      series: [
        { type: "custom", renderItem: stripe, data: stripes, silent: true, encode: { x: [], y: [0, 1] }, tooltip: { show: false } },
        { type: "custom", renderItem: heat ? drawCell : drawJob, data: points, encode: { x: [0, 1], y: heat ? 2 : [2, 3] }, progressive: 0 },
      ],
    });
  }

  return { ACCOUNT_COLOURS, RUN_COLOURS, runColour, SIZE_COLOURS, OTHER_COLOUR, label, percent, heatColour, orderedAccounts,
           accountsChart, timelineChart, queueChart, powerChart, curveChart, quantileChart, ganttChart };
})();
