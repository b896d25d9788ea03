// What client.d.ts declares is what there is, and the types that all modules of the page name: checked by
// tsc, never run.
import type { components } from "fogg-api";
import type * as declaredClient from "../../../service/page/client.js";
import * as client from "../../../service/page/client.mjs";

client satisfies typeof declaredClient;

declare global {
  type API = components["schemas"];
  type Board = API["Board"];
  type Entry = API["Entry"];
  type Game = API["ListedGame"];
  type Player = API["Player"];
  type Tournament = API["Tournament"];
  type View = API["View"];
  type Address = import("../../../service/page/app.mjs").Address;
  type ChartPoint = import("../../../service/page/chart.mjs").Point;
  type ChartScale = import("../../../service/page/chart.mjs").Scale;
  type GameMap = import("../../../service/page/map/map.mjs").GameMap;
  type Lights = import("../../../service/page/map/map.mjs").Lights;
  type Space = import("../../../service/page/map/drawing.mjs").Space;
  type Table = import("../../../service/page/table.mjs").Table;
  type Tray = import("../../../service/page/play/tray.mjs").Tray;
  type Where = import("../../../service/page/map/hits.mjs").Where;
}
