package policy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Environment is the variable that names the policy when the program does not.
const Environment = "CLOUDG_MCP_POLICY"

// LoadDocument reads a document with all that it extends. The source is the name of a built-in
// profile ([Profiles]; - and _ are alike), the path of a file, or the document itself as a JSON
// object. Without a source it is what the variable CLOUDG_MCP_POLICY holds, else the profile
// standard.
func LoadDocument(source string) (*Document, error) {
	for _, s := range []string{source, os.Getenv(Environment), "standard"} {
		if source = strings.TrimSpace(s); source != "" {
			break
		}
	}
	if strings.HasPrefix(source, "{") {
		return LoadDocumentBytes([]byte(source), "")
	}
	l := loader{open: openFile, join: joinFile}
	n, err := l.extended(source, "", nil)
	if err != nil {
		return nil, err
	}
	return decode(n, source, nil)
}

// LoadDocumentBytes reads a document, YAML or JSON, with all that it extends. The name is that
// of the file it comes from; extended files are looked for beside it.
func LoadDocumentBytes(data []byte, name string) (*Document, error) {
	l := loader{open: openFile, join: joinFile}
	n, err := l.document(data, name, name, []string{name})
	if err != nil {
		return nil, err
	}
	return decode(n, name, nil)
}

// LoadDocumentFS reads a document of fsys with all that it extends: profiles and files of fsys.
func LoadDocumentFS(fsys fs.FS, name string) (*Document, error) {
	l := loader{
		open: fsys.Open,
		join: func(base, name string) string { return path.Join(path.Dir(base), name) },
	}
	n, err := l.file(name, nil)
	if err != nil {
		return nil, err
	}
	return decode(n, name, nil)
}

// resolved returns the document with what it extends.
func (d *Document) resolved() (*Document, error) {
	if d.Extends == "" {
		return d, nil
	}
	name := ""
	if d.source != nil {
		name = d.source.name
	}
	l := loader{open: openFile, join: joinFile}
	n, err := l.resolve(d.node(), name, []string{name})
	if err != nil {
		return nil, err
	}
	return decode(n, name, nil)
}

func openFile(name string) (fs.File, error) { return os.Open(filepath.Clean(name)) }

func joinFile(base, name string) string {
	if filepath.IsAbs(name) || base == "" {
		return filepath.Clean(name)
	}
	return filepath.Join(filepath.Dir(base), name)
}

// loader reads documents and what they extend.
type loader struct {
	open func(name string) (fs.File, error)
	join func(base, name string) string // name, as written in base
}

// extended reads the profile or the file of a name that stands in base. The chain is what
// leads there.
func (l loader) extended(name, base string, chain []string) (*node, error) {
	if profile := profileName(name); profile != "" {
		data, err := profiles.ReadFile("profiles/" + profile + ".yaml")
		if err != nil {
			return nil, err
		}
		return l.document(data, profile, "profile "+profile, chain)
	}
	return l.file(l.join(base, name), chain)
}

func (l loader) file(name string, chain []string) (*node, error) {
	if err := circular(chain, name); err != nil {
		return nil, err
	}
	f, err := l.open(name)
	if err != nil {
		return nil, fmt.Errorf("policy %q: no profile of this name (there are %s), and no such file: %w", name, strings.Join(Profiles(), ", "), err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("policy %q: %w", name, err)
	}
	return l.document(data, name, name, append(slices.Clone(chain), name))
}

// maxChain bounds how many documents extend each other.
const maxChain = 32

func circular(chain []string, name string) error {
	switch {
	case slices.Contains(chain, name):
		return errors.New("goes round in circles: " + strings.Join(chain, " -> ") + " -> " + name)
	case len(chain) >= maxChain:
		return fmt.Errorf("leads through more than %d documents", maxChain)
	}
	return nil
}

// document reads a document and tells all that is wrong with it, and with what it extends,
// before they are merged.
func (l loader) document(data []byte, name, shown string, chain []string) (*node, error) {
	n, bad := readNode(data, shown)
	_, err := decode(n, name, bad)
	if n == nil {
		return nil, err
	}
	merged, inherited := l.resolve(n, name, chain)
	if all := slices.Concat(Problems(err), Problems(inherited)); len(all) > 0 {
		return nil, problems(all).err()
	}
	return merged, nil
}

// resolve merges a document with what it extends.
func (l loader) resolve(n *node, base string, chain []string) (*node, error) {
	extends := n.member("extends")
	if extends == nil || extends.text == "" {
		return n, nil
	}
	parent, err := l.extended(extends.text, base, chain)
	switch {
	case err == nil:
		return merge(parent, n), nil
	case Problems(err) != nil:
		return nil, err
	}
	return nil, problems{{extends.at.file, extends.at.line, "extends", err.Error()}}
}
