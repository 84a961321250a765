package jsondoc_test

import (
	"bytes"
	"testing"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// mentions replaces, wherever it stands, what some member called "name" holds.
type mentions struct{ names [][]byte }

func (*mentions) Wants() jsondoc.Kind { return jsondoc.String }

func (m *mentions) Look(v *jsondoc.Value) error {
	if string(v.Key()) == "name" {
		m.names = append(m.names, bytes.Clone(v.Text()))
		v.Drop() // is forgotten
	}
	return nil
}

func (m *mentions) Do(v *jsondoc.Value) error {
	for _, name := range m.names {
		if bytes.Contains(v.Text(), name) {
			v.SetText(bytes.ReplaceAll(v.Text(), name, []byte("N")))
		}
	}
	return nil
}

func TestLook(t *testing.T) {
	m := &mentions{}
	var r jsondoc.Run
	r.SetSteps(m)
	var got []string
	for _, doc := range []string{`{"text":"web is up, db too","in":{"name":"web"},"s":"{\"name\":\"db\"}"}`, `["web"]`} {
		d, err := jsondoc.Open([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Look(&r); err != nil {
			t.Fatal(err)
		}
		out, _, err := d.Apply(&r)
		if err != nil {
			t.Fatal(err)
		}
		d.Close()
		got = append(got, string(out))
	}
	if want := `{"text":"N is up, N too","in":{"name":"N"},"s":"{\"name\":\"N\"}"}`; got[0] != want || got[1] != `["N"]` {
		t.Errorf("got %s", got)
	}
}
