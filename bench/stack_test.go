package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"sync"
	"testing"
)

// sites are the ways to serve one tool with the same work around it.
func sites() []namedSite {
	return []namedSite{
		{"layer", newOurs},
		{"layer in-process", func(tb testing.TB, o stackOptions) *site {
			s, _ := newInProcess(tb, o)
			return s
		}},
		{"go-sdk", newSDK},
		{"mcp-go", newMCPGo},
	}
}

type namedSite struct {
	name  string
	build func(testing.TB, stackOptions) *site
}

// asked are calls of which the second is the first with its arguments in another order.
func asked() []json.RawMessage {
	return []json.RawMessage{
		json.RawMessage(`{"query":"web","limit":5,"kinds":["vm","disk"]}`),
		json.RawMessage(`{"kinds": ["vm", "disk"], "limit": 5, "query": "web"}`),
		json.RawMessage(`{"query":"web","limit":6,"kinds":["vm","disk"]}`),
		json.RawMessage(`{"query":"nothing"}`),
		json.RawMessage(`{"query":"nothing"}`),
		json.RawMessage(`{"query":"db","limit":1,"kinds":[]}`),
		json.RawMessage(`{"query":"web","limit":5,"kinds":["vm","disk"]}`),
	}
}

// written keeps audit lines.
type written struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(b)
}

// lines returns the lines without what differs between runs.
func (w *written) lines(t *testing.T) (all []auditLine) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for doc := range bytes.Lines(w.buf.Bytes()) {
		var line auditLine
		if err := json.Unmarshal(doc, &line); err != nil {
			t.Fatal(err)
		}
		line.DurationMS, line.Time = 0, ""
		all = append(all, line)
	}
	return all
}

func TestStacksDoTheSame(t *testing.T) {
	var lines []auditLine
	for _, s := range sites() {
		t.Run(s.name, func(t *testing.T) {
			var log written
			site := s.build(t, stackOptions{audit: &log, cached: 100})
			var texts []string
			for _, args := range asked() {
				text, failed := site.call(args)
				texts = append(texts, fmt.Sprint(text, " ", failed))
			}
			want := []string{"found web false", "found web false", "found web false", "nothing found true", "nothing found true", "found db false", "found web false"}
			if !reflect.DeepEqual(texts, want) {
				t.Errorf("%q", texts)
			}
			if got, want := site.counts(), (siteCounts{calls: 7, errors: 2, hits: 2}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			site.close()
			got := log.lines(t)
			if lines == nil {
				lines = got
			}
			if len(got) != 7 || !reflect.DeepEqual(got, lines) {
				t.Errorf("\n got %v\nwant %v", got, lines)
			}
		})
	}
}

// BenchmarkStacks is a call with nothing around the tool, one that is answered by it
// and one that is answered by the cache. A cache of one result never has that of two
// calls by turns.
func BenchmarkStacks(b *testing.B) {
	for _, form := range []struct {
		name string
		stackOptions
		calls []json.RawMessage
	}{
		{"bare", stackOptions{bare: true, audit: io.Discard}, asked()[:1]},
		{"miss", stackOptions{audit: io.Discard, cached: 1}, []json.RawMessage{asked()[0], asked()[2]}},
		{"hit", stackOptions{audit: io.Discard, cached: 100}, asked()[:1]},
	} {
		for _, s := range sites() {
			b.Run(form.name+"/"+s.name, func(b *testing.B) {
				site := s.build(b, form.stackOptions)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, failed := site.call(form.calls[i%len(form.calls)]); failed {
						b.Fatal("failed")
					}
				}
			})
		}
	}
}
