package testkit_test

import (
	"log/slog"
	"slices"
	"testing"

	"github.com/cloudg/mcplayer/internal/testkit"
)

func TestLogbook(t *testing.T) {
	var book testkit.Logbook
	if book.Lines() != nil || book.Take() != nil {
		t.Error("an empty one has lines")
	}
	book.Logger().Info("a", slog.Int("b", 1))
	book.Logger().WithGroup("g").Warn("c", slog.String("time", "t"))
	want := []string{`{"level":"INFO","msg":"a","b":1}`, `{"level":"WARN","msg":"c","g":{"time":"t"}}`}
	if got := book.Lines(); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := book.Take(); !slices.Equal(got, want) || book.String() != "" {
		t.Errorf("took %q and kept %q", got, book.String())
	}
}
