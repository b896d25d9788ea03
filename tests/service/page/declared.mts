// What fold.d.ts and client.d.ts declare is what there is: checked by tsc, never run.
import type * as declaredClient from "../../../service/page/client.js";
import type * as declaredFold from "../../../service/page/fold.js";
import * as client from "../../../service/page/client.mjs";
import * as fold from "../../../service/page/fold.mjs";

client satisfies typeof declaredClient;
fold satisfies typeof declaredFold;
