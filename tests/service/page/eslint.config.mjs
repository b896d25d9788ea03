/** Rules for the page's code, next to its types. */
import js from "../../typescript/node_modules/@eslint/js/src/index.js";
import ts from "../../typescript/node_modules/typescript/lib/typescript.js";

const FOLDER = import.meta.dirname;
const { config } = ts.readConfigFile(`${FOLDER}/tsconfig.json`, ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, FOLDER);
const program = ts.createProgram(fileNames, options);
const types = program.getTypeChecker();

/** Whether a key can only be a number or one of the names in the code. */
const isKnown = (type) =>
  type.isUnion()
    ? type.types.every(isKnown)
    : Boolean(type.flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.StringLiteral));

/** Whether a node looks for a name in a plain object, where names such as `constructor` are inherited. */
function looksUp(node) {
  if (ts.isBindingElement(node))
    return node.propertyName && ts.isComputedPropertyName(node.propertyName);
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.InKeyword && !ts.isStringLiteral(node.left);
  if (!ts.isElementAccessExpression(node)) return false;
  const object = types.getNonNullableType(types.getTypeAtLocation(node.expression));
  return (
    !types.isArrayType(object) &&
    !types.isTupleType(object) &&
    !(object.flags & ts.TypeFlags.StringLike) &&
    !isKnown(types.getTypeAtLocation(node.argumentExpression))
  );
}

const dictionaries = {
  create: (context) => ({
    Program(whole) {
      const file = program.getSourceFile(context.filename);
      if (!file)
        return context.report({ node: whole, message: "tsconfig.json does not know this file." });
      const visit = (node) => {
        if (looksUp(node)) {
          const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
          context.report({
            loc: { line: line + 1, column: character },
            message:
              "A name that others chose: own() of own.mjs, or a Map, finds no inherited member.",
          });
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    },
  }),
};

export default [
  { ignores: ["**/vendor/**"] },
  js.configs.recommended,
  {
    plugins: { fogg: { rules: { dictionaries } } },
    rules: {
      "fogg/dictionaries": "error",
      "no-undef": "off", // the types' business
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "What others have written is text, never HTML." },
        { property: "outerHTML", message: "What others have written is text, never HTML." },
      ],
    },
  },
  { files: ["**/own.mjs"], rules: { "fogg/dictionaries": "off" } },
  // A language is one file: tests/service/page/test_served.py limits each of its parts instead.
  { files: ["**/texts/*.mjs"], rules: { "max-lines": "off" } },
];
