package mcplayer_test

import (
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	modulePath   = "github.com/cloudg/mcplayer"
	maxFileLines = 500
)

// archArrows tells what each part of the library may import of ours. The first part
// of a directory names it; "" is the root.
var archArrows = map[string][]string{
	"":           {"validate", "result", "internal"},
	"middleware": {"", "validate", "result", "internal"},
	"policy":     {"", "validate", "result", "internal", "pipeline"},
	"pipeline":   {"", "validate", "result", "internal"},
	"validate":   {"internal"},
	"result":     {"internal"},
	"internal":   {},
}

// aboveLibrary holds what stands above the library: it may import everything, and
// nothing of another part may import it.
var aboveLibrary = []string{"cmd", "conformance", "examples"}

// goPackage is what the rules look at: the directory from the root of the
// module, and its files.
type goPackage struct {
	dir   string
	files []goFile
}

type goFile struct {
	name      string
	test      bool
	imports   []string
	calls     []string // of other packages, as "os.Exit"
	funcs     []string // without methods
	comment   bool     // has a package comment
	generated bool
	lines     int
}

// partOf returns the part of the library that a directory belongs to.
func partOf(dir string) string {
	first, _, _ := strings.Cut(dir, "/")
	return first
}

// oursAt returns the directory of an imported package of this module.
func oursAt(imported string) (dir string, ok bool) {
	rest, ok := strings.CutPrefix(imported, modulePath)
	return strings.TrimPrefix(rest, "/"), ok && (rest == "" || rest[0] == '/')
}

// mayImport reports whether a package may import another of this module.
func mayImport(from, to string) bool {
	switch f, t := partOf(from), partOf(to); {
	case f == t && (f != "" || from == to):
		return true
	case slices.Contains(aboveLibrary, t):
		return false
	case slices.Contains(aboveLibrary, f):
		return true
	default:
		return slices.Contains(archArrows[f], t)
	}
}

// archFaults returns where packages break the rules.
func archFaults(packages []goPackage) (faults []string) {
	for _, p := range packages {
		library := !slices.Contains(aboveLibrary, partOf(p.dir))
		if _, known := archArrows[partOf(p.dir)]; library && !known {
			faults = append(faults, p.dir+": no rule says what this part may import")
		}
		product := slices.DeleteFunc(slices.Clone(p.files), func(f goFile) bool { return f.test })
		if len(product) > 0 && !slices.ContainsFunc(product, func(f goFile) bool { return f.comment }) {
			faults = append(faults, p.dir+": the package has no comment")
		}
		for _, f := range p.files {
			for _, fault := range fileFaults(p.dir, f, library) {
				faults = append(faults, path.Join(p.dir, f.name)+": "+fault)
			}
		}
	}
	return faults
}

func fileFaults(dir string, f goFile, library bool) (faults []string) {
	if library && f.lines > maxFileLines && !f.generated && !f.test {
		faults = append(faults, fmt.Sprintf("has %d lines, more than %d", f.lines, maxFileLines))
	}
	if f.test {
		return faults
	}
	for _, imported := range f.imports {
		if to, ok := oursAt(imported); ok && !mayImport(dir, to) {
			faults = append(faults, "imports "+imported)
		}
		if partOf(imported) == "testing" {
			faults = append(faults, "imports "+imported+" outside a test")
		}
	}
	if !library {
		return faults
	}
	for _, called := range f.calls {
		if called == "os.Exit" || strings.HasPrefix(called, "log.Fatal") {
			faults = append(faults, "calls "+called)
		}
	}
	if slices.Contains(f.funcs, "init") {
		faults = append(faults, "has a func init")
	}
	return faults
}

func TestArchitecture(t *testing.T) {
	for _, fault := range archFaults(readModule(t)) {
		t.Error(fault)
	}
}

// TestArchitectureSeesAllPackages keeps the reader of this test from passing
// over a package that the go command builds.
func TestArchitectureSeesAllPackages(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-e", "-f", "{{.ImportPath}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var seen []string
	for _, p := range readModule(t) {
		seen = append(seen, path.Join(modulePath, p.dir))
	}
	for listed := range strings.FieldsSeq(string(out)) {
		if !slices.Contains(seen, listed) {
			t.Errorf("%s was not looked at", listed)
		}
	}
}

func TestArchitectureCatches(t *testing.T) {
	good := goFile{name: "x.go", comment: true}
	imports := func(to string) goFile { f := good; f.imports = []string{path.Join(modulePath, to)}; return f }
	changed := func(change func(*goFile)) goFile { f := good; change(&f); return f }
	fatal := changed(func(f *goFile) { f.calls = []string{"log.Fatalf"} })
	long := changed(func(f *goFile) { f.lines = maxFileLines + 1 })
	generated := changed(func(f *goFile) { f.lines, f.generated = maxFileLines+1, true })
	for _, tt := range []struct {
		name, dir string
		file      goFile
		ok        bool
	}{
		{"root to policy", "", imports("policy"), false},
		{"root to middleware", "", imports("middleware"), false},
		{"root to a package below pipeline", "", imports("pipeline/detect"), false},
		{"root to internal", "", imports("internal/glob"), true},
		{"policy to pipeline", "policy", imports("pipeline/vault"), true},
		{"pipeline to policy", "pipeline", imports("policy"), false},
		{"pipeline to middleware", "pipeline", imports("middleware"), false},
		{"middleware to policy", "middleware", imports("policy"), false},
		{"middleware to root", "middleware", imports(""), true},
		{"validate to root", "validate", imports(""), false},
		{"validate to result", "validate", imports("result"), false},
		{"result to validate", "result", imports("validate"), false},
		{"internal to root", "internal/glob", imports(""), false},
		{"internal to result", "internal/glob", imports("result"), false},
		{"internal to internal", "internal/glob", imports("internal/jsondoc"), true},
		{"library to an example", "middleware", imports("examples/inventory/tools"), false},
		{"internal to conformance", "internal/glob", imports("conformance/serve"), false},
		{"example to conformance", "examples/wrap", imports("conformance/serve"), false},
		{"example to example", "examples/quickstart", imports("examples/inventory/tools"), true},
		{"command to policy", "cmd/mcplayer", imports("policy"), true},
		{"unknown part", "util", good, false},
		{"testing", "internal/testkit", changed(func(f *goFile) { f.imports = []string{"testing"} }), false},
		{"testing in an example", "examples/wrap", changed(func(f *goFile) { f.imports = []string{"testing/fstest"} }), false},
		{"exit", "result", changed(func(f *goFile) { f.calls = []string{"os.Exit"} }), false},
		{"fatal", "result", fatal, false},
		{"fatal in a command", "cmd/mcplayer", fatal, true},
		{"init", "result", changed(func(f *goFile) { f.funcs = []string{"init"} }), false},
		{"no package comment", "examples/wrap", goFile{name: "x.go"}, false},
		{"long file", "result", long, false},
		{"long test", "result", changed(func(f *goFile) { f.test, f.lines = true, maxFileLines+1 }), true},
		{"tests import everything", "result", changed(func(f *goFile) { f.test, f.imports = true, []string{"testing", modulePath} }), true},
		{"long generated file", "result", generated, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			faults := archFaults([]goPackage{{dir: tt.dir, files: []goFile{tt.file}}})
			if ok := len(faults) == 0; ok != tt.ok {
				t.Errorf("faults: %q", faults)
			}
		})
	}
}
