// The works of the benchmarks, done with controller-runtime.
package main

import (
	"context"
	"fmt"
	"os"
)

// Works with arguments of their own; all others are those of the Java peers.
var works = map[string]func(ctx context.Context, arguments []string) error{}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: controller-runtime WORK ARGUMENT ...; the works are those of benchmarks/README.md")
		os.Exit(2)
	}
	run := works[os.Args[1]]
	if run == nil {
		run = func(ctx context.Context, arguments []string) error { return operate(ctx, os.Args[1], arguments) }
	}
	if err := run(context.Background(), os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
