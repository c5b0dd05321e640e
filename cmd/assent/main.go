// Command assent runs workflow scripts that stop for a person, and can prove afterwards what
// that person said yes to.
package main

import (
	"os"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

func main() { os.Exit(cli.Run(cli.Process())) }
