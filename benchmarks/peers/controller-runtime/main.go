// The works of the benchmarks, done with controller-runtime: one subcommand for each work, one line of result.
package main

import (
	"context"
	"fmt"
	"os"
)

// A work runs against the API server of KUBECONFIG and prints its result with report.
type work func(ctx context.Context, arguments []string) error

var works = map[string]work{
	"cache":    cacheWork,
	"converge": convergeWork,
}

func main() {
	if len(os.Args) < 2 || works[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: controller-runtime WORK ARGUMENT ...; the works are those of benchmarks/README.md")
		os.Exit(2)
	}
	if err := works[os.Args[1]](context.Background(), os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
