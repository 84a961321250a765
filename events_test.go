package mcplayer_test

import (
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
)

func TestChangeEvents(t *testing.T) {
	var j journal
	l := newLab(t, mcplayer.Options{Filter: mcplayer.Filter{ExcludeTools: []string{"hid*"}}}, returning("get", nil), returning("hidden", nil))
	note := func(c mcplayer.Change) { j.add(fmt.Sprint(c.Kind, ":", c.URI)) }
	stop := l.OnChange(note)
	steps := []struct {
		name string
		do   func()
		want string
	}{
		{"add", func() { returning("put", nil)(l.reg) }, "tool:"},
		{"replace", func() { mcplayer.AddTool(l.reg, mcplayer.Tool{Name: "put", Replace: true}, rawEcho) }, "tool:"},
		{"a mistake changes nothing", func() { returning("put", nil)(l.reg) }, ""},
		{"remove", func() { l.reg.Remove(mcplayer.KindTool, "put") }, "tool:"},
		{"remove what is not there", func() { l.reg.Remove(mcplayer.KindTool, "put") }, ""},
		{"add what is filtered out", func() { returning("hidden2", nil)(l.reg) }, ""},
		{"notify of a list", func() { l.NotifyChange(mcplayer.KindPrompt, "") }, "prompt:"},
		{"notify of a resource", func() { l.NotifyChange(mcplayer.KindResource, "x://y") }, "resource:x://y"},
		{"merge", func() {
			other := mcplayer.NewRegistry()
			returning("a", nil)(other)
			returning("b", nil)(other)
			l.reg.Merge(other)
		}, "tool:"},
		{"stopped", func() { stop(); stop(); l.NotifyChange(mcplayer.KindTool, "") }, ""},
	}
	for _, s := range steps {
		j.events = nil
		s.do()
		if got := j.String(); got != s.want {
			t.Errorf("%s: got %q, want %q", s.name, got, s.want)
		}
	}
}

func TestAChangeListenerThatPanics(t *testing.T) {
	var j journal
	l := newLab(t, mcplayer.Options{})
	l.OnChange(func(mcplayer.Change) { panic("hunter2") })
	l.OnChange(func(mcplayer.Change) { j.add("second") })
	l.NotifyChange(mcplayer.KindTool, "")
	returning("get", nil)(l.reg)
	same(t, j.String(), "second second")
	if records := l.log.find(t, "panic"); len(records) != 2 || records[0]["in"] != "OnChange" || records[0]["value"] != "hunter2" || records[0]["stack"] == nil {
		t.Errorf("logged %v", records)
	}
}

func TestAChangeListenerMayStopAndChange(t *testing.T) {
	var j journal
	l := newLab(t, mcplayer.Options{})
	var stop func()
	stop = l.OnChange(func(mcplayer.Change) {
		j.add("first")
		stop()
		returning("more", nil)(l.reg)
	})
	l.OnChange(func(mcplayer.Change) { j.add("second") })
	returning("get", nil)(l.reg)
	same(t, j.String(), "first second second")
	l.call(t, "more", nil)
}
