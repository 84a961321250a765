package mcplayer_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// readModule reads the Go files of this module, whatever their build tags.
func readModule(t *testing.T) []goPackage {
	t.Helper()
	var packages []goPackage
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name != "." && passedOver(name) {
			return filepath.SkipDir
		}
		p, err := readPackage(name)
		if len(p.files) > 0 {
			packages = append(packages, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

// passedOver reports whether a directory holds no package of this module.
func passedOver(dir string) bool {
	base := filepath.Base(dir)
	if base[0] == '.' || base[0] == '_' || base == "testdata" || base == "node_modules" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func readPackage(dir string) (goPackage, error) {
	p := goPackage{dir: strings.TrimPrefix(filepath.ToSlash(dir), ".")}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		f, err := readFile(name)
		if err != nil {
			return p, err
		}
		p.files = append(p.files, f)
	}
	return p, err
}

func readFile(name string) (goFile, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return goFile{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return goFile{}, err
	}
	f := goFile{
		name:      filepath.Base(name),
		test:      strings.HasSuffix(name, "_test.go"),
		comment:   tree.Doc != nil,
		generated: ast.IsGenerated(tree),
		lines:     bytes.Count(src, []byte("\n")),
	}
	byName := map[string]string{} // the paths of the imports
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return f, err
		}
		f.imports = append(f.imports, imported)
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		byName[local] = imported
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil {
				f.funcs = append(f.funcs, n.Name.Name)
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && byName[pkg.Name] != "" {
				f.calls = append(f.calls, byName[pkg.Name]+"."+n.Sel.Name)
			}
		}
		return true
	})
	return f, nil
}

func TestArchitectureReads(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.go")
	src := "// Package x is wrong.\npackage x\n\nimport (\n\tstop \"os\"\n\t\"log\"\n)\n\n" +
		"func init() { stop.Exit(1) }\n\nfunc f() { log.Fatal() }\n"
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := readFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f.imports = append(f.imports, modulePath)
	const want = "calls os.Exit, calls log.Fatal, has a func init"
	if got := strings.Join(fileFaults("result", f, true), ", "); got != "imports "+modulePath+", "+want {
		t.Errorf("faults: %s", got)
	}
	if !f.comment || f.test || f.lines != 11 {
		t.Errorf("read %+v", f)
	}
}
