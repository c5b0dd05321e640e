export const meta = { name: "typed-workflow", description: "TypeScript: types, enums, generics, classes" };
interface Finding { file: string; line: number }
enum Level { Low = 1, High }
type Graded = Finding & { level: Level };
const grade = <T extends Finding>(f: T): Graded => ({ ...f, level: f.line > 10 ? Level.High : Level.Low });
abstract class Report { constructor(protected readonly items: Graded[]) {} abstract text(): string }
class Plain extends Report { override text(): string { return this.items.map((i) => `${i.file}:${i.level}`).join() } }
const found = (await agent("Find", { label: "find", schema: { type: "array" } })) as Finding[];
const report = new Plain(found.map(grade));
return { text: report.text()!, name: Level[2] satisfies string };
