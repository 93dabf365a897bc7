// The page's behaviour: theme, legends, buttons, and drawing every chart again when the theme, the
// width or the medium (screen, paper) changes. The charts themselves are in report_charts.js.
(() => {
  "use strict";
  const C = WeftCharts;
  const data = JSON.parse(document.getElementById("weft-data").textContent);
  const root = document.documentElement;
  const state = { unit: "hours", hidden: new Set(), ganttBy: "size", printing: false };
  const PRINT_WIDTH = 668, PRINT_THIRD = 208;  // CSS pixels inside a figure between A4's margins

  // Theme --------------------------------------------------------------------------------------

  const wanted = new URLSearchParams(location.search).get("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => { try { return localStorage.getItem("weft-theme"); } catch (e) { return null; } };
  let theme = [wanted, remembered()].find((t) => t === "dark" || t === "light") || null;
  const isDark = () => !state.printing && (theme ? theme === "dark" : system.matches);
  function applyTheme() {
    root.dataset.theme = isDark() ? "dark" : "light";
    const button = document.getElementById("theme");
    button.textContent = isDark() ? "Light theme" : "Dark theme";
  }

  // Black or white, whichever reads better on `colour` (relative luminance, WCAG 2).
  function on(colour) {
    const n = parseInt(colour.slice(1), 16);
    const linear = [n >> 16, (n >> 8) & 255, n & 255].map((c) => { const s = c / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18 ? "#111" : "#fff";
  }
  function look(width) {
    const style = getComputedStyle(root), colour = (name) => style.getPropertyValue(name).trim();
    return { dark: isDark(), width, narrow: width < 520, ink: colour("--ink"), muted: colour("--muted"), grid: colour("--line"),
             card: colour("--card"), font: style.fontFamily || "sans-serif", on };
  }

  // Charts -------------------------------------------------------------------------------------

  const charts = [];
  // height: CSS pixels, from the look. Crowded charts are drawn as pixels, the others as vectors.
  function chart(id, height, option, renderer) {
    const element = document.getElementById(id);
    if (element) charts.push({ element, height, option, renderer: renderer || "svg", drawn: null, width: 0 });
  }
  function draw(entry) {
    const width = !state.printing ? entry.element.clientWidth : entry.element.closest(".row") ? PRINT_THIRD : PRINT_WIDTH;
    if (!width) return;
    const l = look(width);
    const height = entry.height(l);
    entry.element.style.height = height + "px";
    if (entry.drawn) entry.drawn.dispose();
    entry.drawn = echarts.init(entry.element, null, { renderer: entry.renderer, width, height,
      devicePixelRatio: Math.max(2, window.devicePixelRatio || 1) });
    entry.drawn.setOption(entry.option(Object.assign(l, { ganttHeight: height - 92 })));
    const svg = entry.element.querySelector("svg");
    if (svg) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);  // paper scales it
    entry.width = width;
  }
  const drawAll = () => charts.forEach(draw);
  const redraw = (prefix) => charts.filter((c) => c.element.id.startsWith(prefix)).forEach(draw);

  const runs = data.runs.length;
  chart("plot-accounts", () => (runs === 1 ? 156 : 60 + 44 * runs), (l) => C.accountsChart(data, l, state.unit));
  chart("plot-timeline", (l) => (runs > 1 ? 226 * runs + 22 : (l.narrow ? 220 : 280) + 76), (l) => C.timelineChart(data, l, state.hidden));
  chart("plot-queue", (l) => 26 + 3 * ((l.narrow ? 130 : 150) + 50), (l) => C.queueChart(data, l));
  chart("plot-power", (l) => 26 + (l.narrow ? 130 : 150) + 50, (l) => C.powerChart(data, l));
  chart("plot-wait", () => 250, (l) => C.curveChart(data, l, "wait", "wait", true));
  chart("plot-turnaround", () => 250, (l) => C.curveChart(data, l, "turnaround", "completion time", true));
  chart("plot-slowdown", () => 250, (l) => C.curveChart(data, l, "slowdown", "bounded slowdown", false));
  const rowHeight = Math.min(Math.max(22, 14 * runs + 8), 120);
  chart("plot-size", () => 90 + rowHeight * data.sizes.length, (l) => C.quantileChart(data, l, "bySize", data.sizes, "GPUs"));
  chart("plot-user", () => 90 + rowHeight * data.users.length, (l) => C.quantileChart(data, l, "byUser", data.users, "user"));
  data.runs.forEach((run, r) => {
    const lanes = run.gantt.lanes.length;
    const rows = run.gantt.detailed ? (run.gantt.processors ? Math.min(Math.max(run.gantt.gpus * 4, 220), 480) : Math.max(lanes * (lanes <= 16 ? 26 : 14), 120)) : Math.max(lanes * 12, 120);
    chart(`plot-gantt-${r}`, () => rows + 96, (l) => C.ganttChart(data, l, r, state.ganttBy), "canvas");
  });

  // Legends and buttons ------------------------------------------------------------------------

  function legend(id, items, onClick) {
    const list = document.getElementById(id);
    if (!list) return;
    list.replaceChildren(...items.map(([text, colour, key]) => {
      const item = document.createElement("li"), swatch = document.createElement("i");
      swatch.style.background = colour;
      const holder = onClick ? document.createElement("button") : document.createElement("span");
      holder.append(swatch, text);
      if (onClick) {
        holder.type = "button";
        holder.setAttribute("aria-pressed", String(!state.hidden.has(key)));
        holder.title = "Show or hide";
        holder.addEventListener("click", () => { onClick(key); holder.setAttribute("aria-pressed", String(!state.hidden.has(key))); });
      }
      item.append(holder);
      return item;
    }));
  }
  const shareOf = (account) => {
    if (runs > 1) return "";
    const total = data.runs[0].ledger.reduce((s, l) => s + l.hours, 0), entry = data.runs[0].ledger.find((l) => l.account === account);
    return entry && total ? " " + C.percent(entry.hours / total) : "";
  };
  const accountItems = C.orderedAccounts(data).map((a) => [C.label(a) + shareOf(a), C.ACCOUNT_COLOURS[a], a]);
  legend("legend-accounts", accountItems);
  legend("legend-timeline", accountItems.map(([, colour, a]) => [C.label(a), colour, a]), (account) => {
    if (!state.hidden.delete(account)) state.hidden.add(account);
    redraw("plot-timeline");
  });
  const runLegends = () => document.querySelectorAll("[data-runs-legend]").forEach((list) => {
    if (runs > 1) legend(list.id, data.runs.map((run, r) => [run.name, C.runColour(r, isDark())]));
  });
  document.querySelectorAll("i.key").forEach((key) => { key.style.background = C.ACCOUNT_COLOURS[key.dataset.account]; });
  function ganttLegend() {
    const items = state.ganttBy === "user"
      ? [...data.users.slice(0, 10).map((u, i) => [u || "(no user)", C.RUN_COLOURS[i]]), ["others", C.OTHER_COLOUR]]
      : ["≤1", "2", "≤4", "≤8", "≤16", "≤32", "≤64", ">64"].map((t, i) => [t + (i ? "" : " GPU"), C.SIZE_COLOURS[i]]);
    const heat = ["0 %", "25 %", "50 %", "75 %", "100 % allocated"];
    data.runs.forEach((run, r) => legend(`legend-gantt-${r}`, run.gantt.detailed ? items
      : heat.map((t, i) => [t, C.heatColour(i / 4, { dark: isDark() })])));
  }

  // Buttons that exclude each other: <div class="choice" data-choice="unit"><button value="usd">.
  document.querySelectorAll(".choice").forEach((group) => {
    const buttons = [...group.querySelectorAll("button")];
    const key = group.dataset.choice;
    buttons.forEach((button) => {
      button.setAttribute("aria-pressed", String(button.value === state[key]));
      button.addEventListener("click", () => {
        state[key] = button.value;
        document.querySelectorAll(`.choice[data-choice="${key}"] button`).forEach((b) => b.setAttribute("aria-pressed", String(b.value === button.value)));
        if (key === "unit") redraw("plot-accounts");
        if (key === "ganttBy") { ganttLegend(); redraw("plot-gantt"); }
      });
    });
  });

  // When to draw again -------------------------------------------------------------------------

  document.getElementById("theme").addEventListener("click", () => {
    theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("weft-theme", theme); } catch (e) { /* a page from a file may not store */ }
    refresh();
  });
  function refresh() {
    applyTheme();
    runLegends();
    ganttLegend();
    drawAll();
  }
  system.addEventListener("change", refresh);
  let waiting = 0;
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      if (!state.printing) charts.filter((c) => c.element.clientWidth !== c.width).forEach(draw);
    });
  });
  addEventListener("beforeprint", () => { state.printing = true; refresh(); });
  addEventListener("afterprint", () => { state.printing = false; refresh(); });
  if (new URLSearchParams(location.search).get("print") === "1") state.printing = true;
  refresh();
  charts.forEach((c) => observer.observe(c.element));
})();
