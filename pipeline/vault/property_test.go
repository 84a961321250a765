package vault_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/pipeline/vault"
)

// TestRoundTrip turns 50,000 random values in random surroundings back.
func TestRoundTrip(t *testing.T) {
	around := []string{"", " ", "(", ")", "\"", "'", ",", ";", "=", "&", "\n", "`", "**", "[", "]", "{", "}", "<", ">", "|", "!", "?", "⟦", "⟧", " - ", ": ", ", ", ". "}
	v, d := open(t, vault.Options{}), newDice(1)
	refused := 0
	for i := range 50_000 {
		entity, value, single := d.value()
		name := issue(t, v, entity, value)
		before, after := around[d.IntN(len(around))], around[d.IntN(len(around))]
		if d.IntN(8) == 0 && single {
			name = otherCase(name)
		}
		got, _, err := v.AppendOriginals(nil, "ada", []byte(before+name+after))
		if ambiguous(err) {
			refused++
			continue
		}
		if want := before + value + after; err != nil || string(got) != want {
			t.Fatalf("%d: %s %q is %q\n got %q, %v\nwant %q", i, entity, value, before+name+after, got, err, want)
		}
	}
	if refused > 50 {
		t.Errorf("%d were refused", refused)
	}
}

// otherCase returns a name in capitals if it has none, or in small letters if it
// has only capitals.
func otherCase(name string) string {
	if name == strings.ToLower(name) {
		return strings.ToUpper(name)
	}
	return strings.ToLower(name)
}

// ambiguous tells the errors of addresses and numbers that are also known to be
// real; there are few of them, by chance.
func ambiguous(err error) bool {
	refusal, ok := errors.AsType[*vault.NameError](err)
	return ok && refusal.Err == vault.ErrAmbiguous && strings.Trim(refusal.Name, "0123456789./") == ""
}

// TestNothingRealRemains looks for the values of an inventory in their names.
func TestNothingRealRemains(t *testing.T) {
	v := open(t, vault.Options{})
	seen := map[string]string{}
	for _, f := range inventory(t, 40_000) {
		name := issue(t, v, f.entity, string(f.value))
		if strings.Contains(name, string(f.value)) {
			t.Errorf("%s is in %s", f.value, name)
		}
		if f.entity == "aws_arn" && strings.Contains(name, strings.Split(string(f.value), ":")[4]) {
			t.Errorf("the account of %s is in %s", f.value, name)
		}
		if other, ok := seen[name]; ok && other != string(f.value) {
			t.Errorf("%s stands for %s and %s", name, other, f.value)
		}
		seen[name] = string(f.value)
	}
}

func TestTextWithoutNames(t *testing.T) {
	v := open(t, vault.Options{})
	for _, tt := range shapes {
		issue(t, v, tt.entity, tt.value)
	}
	for name, text := range map[string][]byte{
		"assets": corpus.Assets(500, 9), "prose": corpus.Prose(1<<18, 9), "hints": corpus.Hints(1<<18, 9),
	} {
		if out, n, err := v.AppendOriginals(nil, "ada", text); !bytes.Equal(out, text) || n != 0 || err != nil {
			t.Errorf("%s: %d found, %v", name, n, err)
		}
	}
}
