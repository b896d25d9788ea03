// What client.d.ts declares is what there is: checked by tsc, never run.
import type * as declaredClient from "../../../service/page/client.js";
import * as client from "../../../service/page/client.mjs";

client satisfies typeof declaredClient;
