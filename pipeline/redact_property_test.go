package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/go-json-experiment/json/jsontext"
)

// standardSteps are the steps of the ordinary policy.
func standardSteps(t testing.TB) mcplayer.Pipeline {
	t.Helper()
	p, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{
		{Type: "sanitize"}, {Type: "redact", Options: standardRedact()}, {Type: "project", Options: standardShape(120_000)}, {Type: "annotate"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// planter writes random documents with secrets in them.
type planter struct {
	*rand.Rand
	planted []string
	n       int
}

// secret returns a new secret of some kind, in a text around it, and notes the part
// that must not be seen.
func (p *planter) secret() string {
	random := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[p.IntN(len(alphabet))]
		}
		return string(b)
	}
	const alnum = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	var secret, text string
	switch p.IntN(6) {
	case 0:
		secret = "gh" + "p_" + random(alnum, 36)
		text = secret
	case 1:
		secret = random(alnum, 20)
		text = "password=" + secret
	case 2:
		secret = random(alnum, 14)
		text = "postgres://app:" + secret + "@db.example.com/x"
	case 3:
		secret = random(alnum, 64)
		text = "-----BEGIN RSA PRIV" + "ATE KEY-----\n" + secret + "\n-----END RSA PRIV" + "ATE KEY-----"
	case 4:
		secret = "AK" + "IA" + random("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
		text = secret
	default:
		secret = random(alnum, 30)
		text = "Authorization: Bearer " + secret
	}
	p.planted = append(p.planted, secret)
	return text
}

// text returns a text, often with a secret.
func (p *planter) text() string {
	words := []string{"", "the instance ", "é ", "see \"x\" ", "⟦untrusted⟧ a ", "10.1.2.3 ", "\t", "a\\b "}
	text := words[p.IntN(len(words))]
	if p.IntN(2) == 0 {
		text += p.secret()
	}
	return text + " " + words[p.IntN(len(words))]
}

func quote(s string) string {
	q, _ := jsontext.AppendQuote(nil, s)
	return string(q)
}

func (p *planter) value(depth int) string {
	kinds := 8
	if depth > 4 {
		kinds = 4
	}
	switch p.IntN(kinds) {
	case 0, 1:
		return quote(p.text())
	case 2:
		return fmt.Sprint(p.IntN(1_000_000))
	case 3:
		return "null"
	case 4, 5:
		members := make([]string, p.IntN(4))
		for i := range members {
			members[i] = p.member(depth)
		}
		return "{" + strings.Join(members, ",") + "}"
	case 6:
		return quote("[" + p.value(depth+1) + "]") // JSON in a string
	default:
		return "[" + p.value(depth+1) + "," + p.value(depth+1) + "]"
	}
}

func (p *planter) member(depth int) string {
	p.n++
	name := fmt.Sprintf("k%d", p.n)
	switch p.IntN(6) {
	case 0:
		name = p.text() + name
	case 1:
		secret := fmt.Sprintf("hunter%dx%d", p.n, p.IntN(1e9))
		p.planted = append(p.planted, secret)
		return quote("db_password_"+fmt.Sprint(p.n)) + ":" + [...]string{quote(secret), "[" + quote(secret) + "]", `{"a":` + quote(secret) + "}", quote(`{"a":` + quote(secret) + "}")}[p.IntN(4)]
	}
	return quote(name) + ":" + p.value(depth+1)
}

// TestNoPlantedSecretIsSeen leads random documents with secrets through the steps of
// the ordinary policy, as JSON and as text.
func TestNoPlantedSecretIsSeen(t *testing.T) {
	ordinary := standardSteps(t)
	strict := buildWith(t, &namesInMemory{}, "redact", strictRedact())
	for seed := range uint64(2000) {
		p := &planter{Rand: rand.New(rand.NewPCG(seed, 7))}
		doc := "{" + p.member(0) + "," + p.member(0) + "," + p.member(0) + "}"
		for name, steps := range map[string]mcplayer.Pipeline{"ordinary": ordinary, "strict": strict} {
			pass := steps.Begin(t.Context(), mcplayer.CallInfo{})
			out, err := pass.JSON([]byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			text, err := pass.Text(doc)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range p.planted {
				if strings.Contains(string(out), secret) || strings.Contains(text, secret) {
					t.Fatalf("%s, seed %d: %s is in\n%s\nof\n%s", name, seed, secret, out, doc)
				}
			}
		}
	}
}

// FuzzRedact checks that redaction leaves valid JSON without new duplicates, and
// that it does nothing to what it made.
func FuzzRedact(f *testing.F) {
	f.Add([]byte(`{"password":"hunter22","a":["10.1.2.3",{"tags":[{"Key":"owner","Value":"x"}]}],"s":"{\"token\":1}"}`))
	f.Add([]byte(`{"10.1.2.3":1,"10.1.2.4":2,"private_ip!":3,"name":"web-1","arn":"arn:aws:s3:::x","note":"web-1 111122223333"}`))
	f.Add([]byte("[\"password=\xff\", \"⟦untrusted⟧ a@b.example ⟦/untrusted⟧\", 111122223333, \"2026-03-01T08:00:00Z db.example.com\"]"))
	f.Add([]byte(`{"name":"web-1","id":12345,"region":"x","s":"\"q\"","by":{"web-1":["web-1 is"]},"members":["web-1"]}`))
	vault := &namesInMemory{}
	all := map[string]mcplayer.Pipeline{
		"standard": build(f, "redact", standardRedact()), "showing": build(f, "redact", showing(nil)), "strict": buildWith(f, vault, "redact", strictRedact()),
		"hash": build(f, "redact", options{"strategies": options{"secret": "hash", "identifier": "hash", "network": "hash", "pii": "hash"}}),
		"mask": build(f, "redact", options{"strategies": options{"secret": "mask", "aws_account_id": "mask", "credential": options{"strategy": "mask", "keep_first": 4}}}),
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		for name, p := range all {
			out, err := p.Begin(t.Context(), mcplayer.CallInfo{}).JSON(doc)
			if err != nil {
				continue
			}
			if !out.IsValid(jsontext.AllowDuplicateNames(true)) {
				t.Fatalf("%s: %q became %q", name, doc, out)
			}
			if jsontext.Value(doc).IsValid() && !out.IsValid() {
				t.Fatalf("%s: %q has no duplicate names, %q has", name, doc, out)
			}
			again, err := p.Begin(t.Context(), mcplayer.CallInfo{}).JSON(out)
			if err != nil || string(again) != string(out) {
				t.Fatalf("%s: %q became %q and then %q, %v", name, doc, out, again, err)
			}
		}
	})
}
