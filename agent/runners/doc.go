// Package runners has a runner for each agent program that can work without a person: one file a
// program. Each starts the program's own headless mode, reads the events that it prints, and gives
// its answer, its usage and its session. Package agenttest holds all of them to the same contract.
package runners
