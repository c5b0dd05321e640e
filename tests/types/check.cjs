// Holds scripts against assent.d.ts with the TypeScript compiler. Standard input is JSON:
//
//   { "typescript": folder of the compiler, "declarations": text of assent.d.ts,
//     "libraries": ["lib.esnext.d.ts", …], "scripts": [{ "name", "text", "ambient"? }] }
//
// What is wrong is printed a line each: name:line:column: TSnnnn: message. ambient declares, on one line, names that a part
// of a script takes as given. The declarations are checked as well.
//
// A script's body may return at its top level, which no module may. So it is checked as the body of an async
// function, whose braces stand on lines that are there already; header and imports stay outside of it.
"use strict";
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const ts = require(input.typescript);

const options = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: input.libraries,
  types: [],
  strict: true,
  // What a JavaScript file cannot say need not be said.
  noImplicitAny: false,
  useUnknownInCatchVariables: false,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

// asModule gives the text that is checked, and where its columns are shifted, and by how much.
function asModule(name, text, ambient) {
  // What an editor is told does not bind this check.
  const told = text.replace(/@ts-nocheck/g, "@no-nocheck").replace(/^\/\/\/ <reference/gm, "//- <reference");
  const outside = (s) =>
    ts.isImportDeclaration(s) ||
    (ts.isVariableStatement(s) && s.declarationList.declarations.length === 1 && s.declarationList.declarations[0].name.getText() === "meta");
  const first = ts.createSourceFile(name, told, ts.ScriptTarget.ESNext, true).statements.find((s) => !outside(s));
  if (first === undefined) return { text: told, line: -1 };
  const start = first.getStart();
  const opening = `${ambient}export default async function () {`;
  return {
    text: `${told.slice(0, start)}${opening}${told.slice(start)} }`,
    line: told.slice(0, start).split("\n").length - 1,
    column: start - (told.lastIndexOf("\n", start - 1) + 1),
    shift: opening.length,
  };
}

// All scripts are modules of one program, each in a folder of its own.
const files = new Map([["/scripts/assent.d.ts", input.declarations]]);
const from = new Map();
input.scripts.forEach((script, number) => {
  const folder = `/scripts/${number}/`;
  // Only TypeScript has declare.
  const path = folder + (script.ambient === undefined ? script.name : script.name.replace(/js$/, "ts")).replace(/^.*\//, "");
  const module = asModule(path, script.text, script.ambient ?? "");
  files.set(path, module.text);
  from.set(path, { ...module, name: script.name });
  if (module.text.includes("export const meta")) {
    files.set(folder + "meta.ts", `import { meta } from "./${path.slice(folder.length)}";\nconst checked: WorkflowMeta = meta;\n`);
    from.set(folder + "meta.ts", { line: -1, name: `${script.name} (its meta)` });
  }
});
from.set("/scripts/assent.d.ts", { line: -1, name: "assent.d.ts" });

const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.directoryExists = (directory) => /^\/scripts\/\d+$/.test(directory) || ts.sys.directoryExists(directory);
host.fileExists = (file) => files.has(file) || fileExists(file);
host.readFile = (file) => files.get(file) ?? readFile(file);
host.getSourceFile = (file, ...rest) =>
  files.has(file) ? ts.createSourceFile(file, files.get(file), rest[0], true) : getSourceFile(file, ...rest);

const found = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
for (const d of found) {
  const script = from.get(d.file?.fileName) ?? { line: -1, name: d.file?.fileName ?? "the program" };
  const at = d.file === undefined ? { line: 0, character: 0 } : d.file.getLineAndCharacterOfPosition(d.start);
  if (at.line === script.line && at.character >= script.column + script.shift) at.character -= script.shift;
  const message = ts.flattenDiagnosticMessageText(d.messageText, " ");
  process.stdout.write(`${script.name}:${at.line + 1}:${at.character + 1}: TS${d.code}: ${message}\n`);
}
process.stdout.write(`${input.scripts.length} scripts, ${found.length} mistakes\n`);
