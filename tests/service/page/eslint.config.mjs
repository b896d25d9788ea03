/** Rules for the page's code, next to its types. */
import js from "../../typescript/node_modules/@eslint/js/src/index.js";

export default [
  { ignores: ["**/vendor/**"] },
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off", // the types' business
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "max-lines": ["error", 300],
      "no-restricted-properties": ["error",
        { property: "innerHTML", message: "What others have written is text, never HTML." },
        { property: "outerHTML", message: "What others have written is text, never HTML." }],
    },
  },
  // A language is one file: tests/service/page/test_served.py limits each of its parts instead.
  { files: ["**/texts/*.mjs"], rules: { "max-lines": "off" } },
];
