export const meta = { name: "imports", description: "local imports" };
import { shout, LIMIT } from "./lib/words.ts";
import data from "./lib/data.json";
const said = await agent(shout(data.word), { label: "said" });
return { said, LIMIT };
