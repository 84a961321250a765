package bench_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
)

const (
	hex   = "0123456789abcdef"
	alnum = hex + "ghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// chars returns n characters of an alphabet that look chosen at random.
func chars(alphabet string, n int) string {
	var b strings.Builder
	for i, state := 0, uint32(len(alphabet)*1000+n); i < n; i++ {
		state = state*1664525 + 1013904223
		b.WriteByte(alphabet[int(state>>16)%len(alphabet)])
	}
	return b.String()
}

// secrets returns tokens in formats that both scanners know. They are put together
// here, so that no scanner takes them for real ones.
func secrets() []string {
	return []string{
		"glpat-" + chars(alnum, 20),
		"npm_" + chars("0123456789abcdefghijklmnopqrstuvwxyz", 36),
		"pypi-AgEI" + "cHlwaS5vcmc" + chars(alnum, 160),
		"sk-" + "ant-api03-" + chars(alnum, 93) + "AA",
		"SG." + chars(alnum, 22) + "." + chars(alnum, 43),
		"dop_v1_" + chars(hex, 64),
		"hf_" + chars("abcdefghijklmnopqrstuvwxyz", 34),
		"shpat_" + chars(hex, 32),
		"dapi" + chars(hex, 32),
		"lin_api_" + chars(alnum, 40),
		"glsa_" + chars(alnum, 32) + "_" + chars(hex, 8),
		"GR1348941" + chars(alnum, 20),
		"AGE-SECRET-KEY-1" + chars("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
		"dp.pt." + chars(alnum, 43),
		"pul-" + chars(hex, 40),
		"PMAK-" + chars(hex, 24) + "-" + chars(hex, 34),
	}
}

// planted returns a document of n assets with the secrets in descriptions, far apart.
func planted(tb testing.TB, n int) []byte {
	tb.Helper()
	doc := corpus.Assets(n, 1)
	const field = `"description":"`
	for i, secret := range secrets() {
		at := i * len(doc) / len(secrets())
		next := bytes.Index(doc[at:], []byte(field))
		if next < 0 {
			tb.Fatal("no description")
		}
		at += next + len(field)
		doc = append(doc[:at:at], append([]byte("the key "+secret+" is "), doc[at:]...)...)
	}
	return doc
}
