/** The columns that were added to the table later, in this order: new ones go to the end. */
import { type CsvColumn, descriptionOf, repeated } from "./csv_column.ts";
import { apiImplSchema, apiRunSummarySchema, warmSchema } from "./schema.ts";

const [ofRun, ofImpl] = [apiRunSummarySchema.shape, apiImplSchema.shape];

/** Columns that follow all others. */
export const addedColumns: CsvColumn[] = [
  {
    name: "warm_ratio_qualifier",
    description: descriptionOf(warmSchema.shape.qualifier),
    value: ({ level }) => level?.warm.qualifier,
  },
  {
    name: "idle",
    description: descriptionOf(ofImpl.machine.shape.idle),
    value: ({ impl }) => impl.machine.idle,
  },
  {
    name: "sustainable_qualifier",
    description: `${descriptionOf(ofImpl.sustainableQualifier)}; ${repeated}`,
    value: ({ impl }) => impl.sustainableQualifier,
  },
  {
    name: "sustainable_missing",
    description: `${descriptionOf(ofImpl.sustainableMissing)}; ${repeated}`,
    value: ({ impl }) => impl.sustainableMissing,
  },
  {
    name: "reproduces",
    description: descriptionOf(ofRun.reproduces),
    value: ({ run }) => run.reproduces,
  },
  {
    name: "control_disturbed",
    description:
      "background load or steal time while control_cpu_seconds was measured, which is then an upper bound; empty where there was none",
    value: ({ delivery }) => delivery?.control?.disturbed,
  },
];
