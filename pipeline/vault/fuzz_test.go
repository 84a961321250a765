package vault_test

import (
	"bytes"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func FuzzReversal(f *testing.F) {
	v := open(f, vault.Options{})
	for _, tt := range shapes {
		name := issue(f, v, tt.entity, tt.value)
		f.Add([]byte(name))
		f.Add([]byte("https://" + name + "%2F" + name + ":" + name))
		f.Add([]byte("::" + name + "." + name + "/" + name + "%"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		out, n, err := v.AppendOriginals([]byte("> "), "ada", text)
		if err != nil || !bytes.HasPrefix(out, []byte("> ")) {
			t.Fatalf("%q: %v", text, err)
		}
		if n == 0 && !bytes.Equal(out[2:], text) {
			t.Errorf("%q became %q", text, out)
		}
		if out, n, err := v.AppendOriginals(nil, "ada", bytes.ToValidUTF8(nil, nil)); len(out) != 0 || n != 0 || err != nil {
			t.Error("nothing is something")
		}
	})
}

func FuzzIssue(f *testing.F) {
	for _, tt := range shapes {
		f.Add(tt.entity, []byte(tt.value))
	}
	f.Fuzz(func(t *testing.T, entity string, value []byte) {
		v := open(t, vault.Options{})
		name, ok := v.AppendPseudonym(nil, "ada", entity, value)
		if !ok {
			if n := len(value); n > 0 && n <= 4096 {
				t.Errorf("no name for %s %q", entity, value)
			}
			return
		}
		if again, ok := v.AppendPseudonym(nil, "ada", entity, value); !ok || !bytes.Equal(name, again) {
			t.Errorf("%q is %q, then %q", value, name, again)
		}
		back, _, err := v.AppendOriginals(nil, "ada", name)
		if err == nil && !bytes.Equal(back, value) {
			t.Errorf("%s %q is %q, which turns back to %q", entity, value, name, back)
		}
	})
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x01\x00\x00\x00\xfe\xff\xff\xffx"))
	f.Add([]byte("\x01KEYIDKEY\x01\x06person\x01\x00\x01\x02\x03\x04\x00\x00\x00\x01\x02abc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := vault.LoadFrames(data); err == nil && len(data) > 0 && len(data) < 8 {
			t.Error("less than a frame was read")
		}
		pieces, err := vault.LoadPiece(data)
		if err != nil {
			return
		}
		for _, piece := range pieces {
			if _, err := vault.LoadPiece(piece); err != nil {
				t.Errorf("%q was read and written as %q: %v", data, piece, err)
			}
		}
	})
}
