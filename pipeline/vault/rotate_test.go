package vault_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func TestRotation(t *testing.T) {
	path, names := filled(t, 100)
	fresh := issueMany(t, open(t, vault.Options{Key: otherKey}), 0, 100)
	v, err := vault.New(&vault.Options{Key: otherKey, PreviousKeys: [][]byte{testKey}, File: path})
	if err != nil {
		t.Fatal(err)
	}
	checkNames(t, v, names)
	if got := issueMany(t, v, 0, 100); strings.Join(got, " ") != strings.Join(fresh, " ") {
		t.Error("new names do not come from the new key")
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	v = open(t, vault.Options{Key: otherKey, File: path}) // the old key is no longer needed
	checkNames(t, v, names)
	checkNames(t, v, fresh)
	if got := v.Stats().Entries; got != 200 {
		t.Errorf("%d entries", got)
	}
}

func TestRotateAndInspect(t *testing.T) {
	path, names := filled(t, 100)
	if err := vault.Rotate(path, otherKey, testKey); err != nil {
		t.Fatal(err)
	}
	v, err := vault.New(&vault.Options{Key: otherKey, File: path})
	if err != nil {
		t.Fatal(err)
	}
	checkNames(t, v, names)
	issue(t, v, "aws_arn", "arn:aws:iam::123456789012:role/admin")
	if _, err := vault.Inspect(path, otherKey); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("inspected while in use: %v", err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	data := read(t, path)
	got, err := vault.Inspect(path, otherKey)
	if err != nil {
		t.Fatal(err)
	}
	want := &vault.Inspection{
		File: path, Bytes: int64(len(data)), KeyID: v.KeyID(), Entries: 102, Namespaces: 1,
		Entities: map[string]int{"resource_name": 101, "aws_account_id": 1},
		Keys:     map[string]int{v.KeyID(): 2, open(t, vault.Options{}).KeyID(): 100},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !bytes.Equal(read(t, path), data) {
		t.Error("inspection changed the file")
	}
}

func TestRotateRefuses(t *testing.T) {
	path, names := filled(t, 10)
	data := read(t, path)
	if err := vault.Rotate(path, otherKey); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("without the old key: %v", err)
	}
	if _, err := vault.Inspect(path); err == nil {
		t.Error("inspected without a key")
	}
	if !bytes.Equal(read(t, path), data) {
		t.Error("the file was changed")
	}
	checkNames(t, open(t, vault.Options{File: path}), names)
	none := filepath.Join(t.TempDir(), "none")
	if err := vault.Rotate(none, otherKey, testKey); err == nil {
		t.Error("a file that is not there was rotated")
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("it was made")
	}
}
