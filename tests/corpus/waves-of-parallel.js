export const meta = { name: "waves-of-parallel", description: "waves of parallel agents, each after the last" };
const waves = [["a", "b", "c"], ["d", "e"], ["f"]];
const done = [];
for (const [i, wave] of waves.entries()) {
  const results = await parallel(wave.map((name) => () => agent(`Wave ${i}: ${name}, after ${done.length}`, { label: name })));
  done.push(...results.filter((r) => r !== null));
}
return done;
