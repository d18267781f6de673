package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// rewriter changes the files of one package: imports of copied packages, wrappers of recorded functions, and names of
// tests.
type rewriter struct {
	pkg    pkg
	wanted map[string]bool
}

func (r *rewriter) rewrite(file, text string) []byte {
	for _, change := range r.pkg.changes {
		if strings.HasSuffix(file, "/"+change.file) {
			if strings.Count(text, change.from) != 1 {
				fail("%s does not have the line %q once; the list of this program is out of date", file, change.from)
			}
			text = strings.Replace(text, change.from, change.to, 1)
		}
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
	check(err)
	redirectImports(parsed)
	var added bytes.Buffer
	if strings.HasSuffix(file, "_test.go") {
		ast.Inspect(parsed, nameTest)
	} else {
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && r.wanted[qualifiedName(f)] {
				delete(r.wanted, qualifiedName(f))
				added.WriteString(r.wrapper(files, f))
			}
		}
	}
	var out bytes.Buffer
	check(format.Node(&out, files, parsed))
	result := out.String()
	if usesRecorder.MatchString(result) || added.Len() > 0 {
		head, tail, _ := strings.Cut(result, "\npackage "+parsed.Name.Name+"\n")
		result = head + "\npackage " + parsed.Name.Name + "\n\nimport recorded \"" + localModule + "/record\"\n" + tail
	}
	return []byte(result + added.String())
}

var usesRecorder = regexp.MustCompile(`\brecorded\.[A-Z]`)

func redirectImports(file *ast.File) {
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		for _, p := range packages {
			if p.path == path {
				if i.Name == nil {
					i.Name = ast.NewIdent(path[strings.LastIndex(path, "/")+1:])
				}
				i.Path.Value = `"` + localModule + "/" + p.local + `"`
			}
		}
	}
}

// nameTest makes every function that takes a *testing.T tell the recorder its name first.
func nameTest(node ast.Node) bool {
	var parameters *ast.FieldList
	var body *ast.BlockStmt
	switch f := node.(type) {
	case *ast.FuncDecl:
		if f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
			parameters, body = f.Type.Params, f.Body
		}
	case *ast.FuncLit:
		parameters, body = f.Type.Params, f.Body
	}
	if body == nil || len(parameters.List) != 1 || len(parameters.List[0].Names) != 1 {
		return true
	}
	name := parameters.List[0].Names[0].Name
	if expression, ok := parameters.List[0].Type.(*ast.StarExpr); ok && name != "_" {
		if s, ok := expression.X.(*ast.SelectorExpr); ok && s.Sel.Name == "T" && fmt.Sprint(s.X) == "testing" {
			body.List = append([]ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{
				Fun:  ast.NewIdent("recorded.Test"),
				Args: []ast.Expr{ast.NewIdent(name + ".Name()")},
			}}}, body.List...)
		}
	}
	return true
}

// qualifiedName is Name for a function and Type.Name for a method.
func qualifiedName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return receiverType(f) + "." + f.Name.Name
}

func receiverType(f *ast.FuncDecl) string {
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	return t.(*ast.Ident).Name
}

// wrapper renames a function and returns the source of one with its old name, which records a call of it.
func (r *rewriter) wrapper(files *token.FileSet, f *ast.FuncDecl) string {
	name := f.Name.Name
	renamed := "original" + strings.ToUpper(name[:1]) + name[1:]
	var recorded, forwarded []string
	index := 0
	for _, p := range f.Type.Params.List {
		if len(p.Names) == 0 {
			p.Names = []*ast.Ident{ast.NewIdent("_")}
		}
		for _, n := range p.Names {
			if n.Name == "_" {
				n.Name = fmt.Sprintf("unnamed%d", index)
			}
			index++
			argument := n.Name
			if _, variadic := p.Type.(*ast.Ellipsis); variadic {
				argument += "..."
			} else if isData(p.Type) {
				recorded = append(recorded, fmt.Sprintf("%q, %s", n.Name, n.Name))
			}
			forwarded = append(forwarded, argument)
		}
	}
	var results []string
	if f.Type.Results != nil {
		for _, p := range f.Type.Results.List {
			for range max(1, len(p.Names)) {
				results = append(results, fmt.Sprintf("result%d", len(results)))
			}
		}
	}
	var b strings.Builder
	prefix, target := "", renamed
	if f.Recv != nil {
		prefix = "(recorder0 " + source(files, f.Recv.List[0].Type) + ") "
		target = "recorder0." + renamed
	}
	fmt.Fprintf(&b, "\nfunc %s%s%s {\n", prefix, name, strings.TrimPrefix(source(files, f.Type), "func"))
	fmt.Fprintf(&b, "\tcall := recorded.Start(%q, %s)\n", r.pkg.local+"."+qualifiedName(f), strings.Join(recorded, ", "))
	if f.Recv != nil {
		fmt.Fprintf(&b, "\trecordBefore(call, recorder0)\n")
	}
	if len(results) > 0 {
		fmt.Fprintf(&b, "\t%s := ", strings.Join(results, ", "))
	} else {
		b.WriteString("\t")
	}
	fmt.Fprintf(&b, "%s(%s)\n", target, strings.Join(forwarded, ", "))
	if f.Recv != nil {
		fmt.Fprintf(&b, "\trecordAfter(call, recorder0)\n")
	}
	fmt.Fprintf(&b, "\tcall.End(%s)\n", strings.Join(results, ", "))
	if len(results) > 0 {
		fmt.Fprintf(&b, "\treturn %s\n", strings.Join(results, ", "))
	}
	b.WriteString("}\n")
	f.Name.Name = renamed
	return b.String()
}

// isData tells parameters to write down from contexts, loggers, functions, and clients.
func isData(t ast.Expr) bool {
	switch e := t.(type) {
	case *ast.FuncType:
		return false
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "Context", "Logger", "Interface", "DeploymentLister", "ServiceLister", "Indexer", "PassiveClock", "Selector", "ReplicaSetInterface":
			return false
		}
	}
	return true
}

func source(files *token.FileSet, node any) string {
	var b bytes.Buffer
	check(format.Node(&b, files, node))
	return b.String()
}
