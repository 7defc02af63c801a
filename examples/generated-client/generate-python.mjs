/**
 * Generates `models.py`, Python classes for the schemas of an OpenAPI document, with quicktype:
 *
 *     node generate-python.mjs openapi.json models.py
 */
import { readFileSync, writeFileSync } from "node:fs";
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from "quicktype-core";

const [documentPath = "openapi.json", modelsPath = "models.py"] = process.argv.slice(2);
/** The schemas that the client uses. Schemas that they refer to are generated too. */
const names = ["SubmissionItem", "SubmissionAccepted", "TaskRecord", "Problem"];

// Dates and times stay text: the classes would otherwise need the package python-dateutil.
const withoutTimes = (key, value) => (key === "format" && ["date", "date-time"].includes(value) ? undefined : value);
const document = JSON.parse(readFileSync(documentPath, "utf8"));
const schema = JSON.parse(JSON.stringify(document, withoutTimes));
schema.$ref = undefined;
schema.type = "object";
schema.properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));

const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
await input.addSource({ name: "Schemas", schema: JSON.stringify(schema) });
const inputData = new InputData();
inputData.addInput(input);
const { lines } = await quicktype({ inputData, lang: "python", rendererOptions: { "python-version": "3.7" } });
writeFileSync(modelsPath, lines.join("\n"));
