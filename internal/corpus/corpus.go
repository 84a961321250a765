// Package corpus makes large documents for benchmarks and tests. The same size
// and seed give the same bytes, on every machine.
package corpus

import (
	"fmt"
	"strconv"
)

// Assets returns a document of n cloud assets, about 720 bytes each, as an
// inventory tool returns them: identifiers, addresses, tags, a little text.
func Assets(n int, seed uint64) []byte {
	r := newDice(seed, 1)
	doc := append(make([]byte, 0, n*760), `{"assets":[`...)
	for i := range n {
		if i > 0 {
			doc = append(doc, ',')
		}
		doc = asset(doc, r, i)
	}
	return fmt.Appendf(doc, `],"total":%d,"next_cursor":null}`, n)
}

func asset(doc []byte, r *dice, i int) []byte {
	account := 100_000_000_000 + int64(r.IntN(40))*7_919_000_003
	region := pick(r, "eu-central-1", "us-east-1", "ap-southeast-2", "eu-west-3")
	name := pick(r, "web", "billing", "ledger", "search", "ingest") + "-" + pick(r, "prod", "stage", "dev") + "-" + strconv.Itoa(i)
	id := fmt.Sprintf("i-%016x", r.Uint64())
	doc = fmt.Appendf(doc, `{"id":%q,"name":%q,"asset_type":"aws_ec2_instance","provider":"aws","account_id":"%d","region":%q,`, id, name, account, region)
	doc = fmt.Appendf(doc, `"arn":"arn:aws:ec2:%s:%d:instance/%s","private_ip":"10.%d.%d.%d","public_ip":"52.%d.%d.%d","cpu":%d,"memory_gb":%d.5,"running":%t,`,
		region, account, id, r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), 1+r.IntN(64), r.IntN(256), r.IntN(4) > 0)
	doc = fmt.Appendf(doc, `"description":%q,"tags":{"owner":"%s@corp.example","env":%q,"cost_center":"cc-%d"},`,
		sentence(r, 20), pick(r, "ada", "grace", "linus", "edsger"), pick(r, "prod", "stage", "dev"), r.IntN(9000))
	doc = fmt.Appendf(doc, `"security_groups":["sg-%08x","sg-%08x"],"last_seen":"2026-0%d-1%dT08:%02d:00Z","findings":[{"id":%d,"severity":%q,"title":%q}],"encrypted":%t,"parent":null}`,
		r.Uint64()>>32, r.Uint64()>>32, 1+r.IntN(9), r.IntN(10), r.IntN(60), r.Uint64()>>32, pick(r, "low", "medium", "high"), sentence(r, 5), r.IntN(2) > 0)
	return doc
}

// Prose returns a document of about that many bytes in which nearly all is
// running text, some of it beyond ASCII.
func Prose(bytes int, seed uint64) []byte {
	r := newDice(seed, 2)
	doc := append(make([]byte, 0, bytes+1024), `{"pages":[`...)
	for i := 0; len(doc) < bytes; i++ {
		if i > 0 {
			doc = append(doc, ',')
		}
		text := sentence(r, 60)
		if i%16 == 0 {
			text += " Größe, façade, 東京の資産, Привет, שלום 🙂."
		}
		doc = fmt.Appendf(doc, `{"page":%d,"text":"%s"}`, i, text)
	}
	return append(doc, "]}"...)
}

// Hints returns a document of about that many bytes that is full of words that
// detectors look for, with nothing to find in it.
func Hints(bytes int, seed uint64) []byte {
	r := newDice(seed, 3)
	doc := append(make([]byte, 0, bytes+1024), `{"notes":[`...)
	for i := 0; len(doc) < bytes; i++ {
		if i > 0 {
			doc = append(doc, ',')
		}
		doc = append(doc, '"')
		for j := range 30 {
			if j > 0 {
				doc = append(doc, ' ')
			}
			doc = append(doc, pick(r, hintWords...)...)
		}
		doc = append(doc, '"')
	}
	return append(doc, "]}"...)
}

var hintWords = []string{
	"password", "the secret", "api key", "token", "bearer of news", "https:", "user@", "arn", "AKIA", "ignore the noise",
	"previous page", "instructions.pdf", "10.0", "2026-", "subscription", "private key", "system logs bucket", "ssh-",
}

var words = []string{
	"the", "service", "keeps", "a", "copy", "of", "every", "order", "and", "sends", "it", "to", "archive", "at", "night",
	"while", "storage", "grows", "by", "hand", "managed", "Terraform", "do", "not", "edit", "manually", "report", "shows",
}

func sentence(r *dice, n int) string {
	var text []byte
	for i := range n {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, pick(r, words...)...)
	}
	return string(append(text, '.'))
}

func pick(r *dice, from ...string) string { return from[r.IntN(len(from))] }
