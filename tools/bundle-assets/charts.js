// The parts of Apache ECharts that results/assets/report_charts.js uses, and nothing else.
import { BarChart, CustomChart, LineChart } from "echarts/charts";
import {
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  TooltipComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

use([
  BarChart,
  CanvasRenderer,
  CustomChart,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  LineChart,
  SVGRenderer,
  TooltipComponent,
]);

export { init };
