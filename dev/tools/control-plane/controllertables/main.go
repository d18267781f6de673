// Program controllertables exports the cases of Kubernetes' own controller tests as JSON.
//
// It copies the packages of the deployment, replicaset, endpoints and endpointslice controllers out of the Go modules
// that the control plane is built from, into a temporary module. In the copy, every decision function is wrapped: the
// wrapper writes the function's arguments and results down, with the name of the test that called it. Then Kubernetes'
// tests run. They must pass, so every recorded call is a case whose outcome Kubernetes' own tests have approved.
//
// Usage, in the module's folder: go run ./controllertables FOLDER [FLAG...]
//
// The flags are those of go build with which the control plane was built. With others, Go compiles all of Kubernetes again.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const localModule = "controllertables.local"

//go:embed record.go.txt
var recorderSource string

func main() {
	if len(os.Args) < 2 {
		fail("usage: controllertables FOLDER [FLAG...]")
	}
	out, err := filepath.Abs(os.Args[1])
	check(err)
	check(os.MkdirAll(out, 0o755))
	work, err := os.MkdirTemp("", "controllertables")
	check(err)
	defer os.RemoveAll(work)
	createModule(work)
	for _, p := range packages {
		copyPackage(work, p)
	}
	runTests(work, out, os.Args[2:])
}

func createModule(work string) {
	module, err := os.ReadFile("go.mod")
	check(err)
	first, rest, _ := bytes.Cut(module, []byte("\n"))
	if !bytes.HasPrefix(first, []byte("module ")) {
		fail("go.mod does not start with the module's name; run this in the module's folder")
	}
	write(filepath.Join(work, "go.mod"), append([]byte("module "+localModule+"\n"), rest...))
	sums, err := os.ReadFile("go.sum")
	check(err)
	write(filepath.Join(work, "go.sum"), sums)
	write(filepath.Join(work, "record", "record.go"), []byte(recorderSource))
}

// copyPackage copies the Go files of a package, with the functions wrapped that are to be recorded.
func copyPackage(work string, p pkg) {
	source := packageFolder(p.path)
	target := filepath.Join(work, filepath.FromSlash(p.local))
	files, err := filepath.Glob(filepath.Join(source, "*.go"))
	check(err)
	r := rewriter{pkg: p, wanted: map[string]bool{}}
	for _, name := range p.functions {
		r.wanted[name] = true
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		write(filepath.Join(target, filepath.Base(file)), r.rewrite(file, string(text)))
	}
	copyData(filepath.Join(source, "testdata"), filepath.Join(target, "testdata"))
	if len(r.wanted) > 0 {
		fail("%s has no functions %v; the list of this program is out of date", p.path, r.wanted)
	}
	if p.hooks != "" {
		write(filepath.Join(target, "recorded_hooks.go"), []byte(p.hooks))
	}
}

// copyData copies the files that the tests of a package read, if there are any.
func copyData(source, target string) {
	files, err := filepath.Glob(filepath.Join(source, "*"))
	check(err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		check(err)
		write(filepath.Join(target, filepath.Base(file)), content)
	}
}

func packageFolder(path string) string {
	folder, err := command("", "go", "list", "-mod=readonly", "-f", "{{.Dir}}", path).Output()
	check(err)
	return strings.TrimSpace(string(folder))
}

// runTests runs the copied tests one package after the other, as all of them write into the same folder.
func runTests(work, out string, flags []string) {
	for _, p := range packages {
		name := strings.ReplaceAll(p.local, "/", "-")
		arguments := []string{"test", "-mod=mod", "-count=1", "-vet=off", "-p=2", "-timeout=40m", "-skip=" + skippedTests}
		arguments = append(append(arguments, flags...), "./"+p.local)
		run := command(work, "go", arguments...)
		run.Env = append(run.Env, "CONTROLLER_TABLES="+filepath.Join(out, name+".jsonl"))
		answer, err := run.CombinedOutput()
		if err != nil {
			fail("the tests of %s fail:\n%s", p.path, answer)
		}
		fmt.Printf("%s", answer)
	}
}

func command(folder, name string, arguments ...string) *exec.Cmd {
	c := exec.Command(name, arguments...)
	c.Dir = folder
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	return c
}

func write(file string, content []byte) {
	check(os.MkdirAll(filepath.Dir(file), 0o755))
	check(os.WriteFile(file, content, 0o644))
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "controllertables: "+format+"\n", arguments...)
	os.Exit(1)
}
