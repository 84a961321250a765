package policy_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
)

// twoAssets is an EC2 instance, an Azure VM and the name of a dataset.
const twoAssets = `{"assets":[` +
	`{"id":"i-0abcdef1234567890","name":"web-prod-1","account_id":"123456789012","arn":"arn:aws:ec2:eu-west-1:123456789012:instance/i-0abcdef1234567890"},` +
	`{"id":"vm-7","name":"billing-vm","account_id":"6b29fc40-ca47-1067-b31d-00dd010662da",` +
	`"resource_id":"/subscriptions/6b29fc40-ca47-1067-b31d-00dd010662da/resourceGroups/prod/providers/Microsoft.Compute/virtualMachines/billing-vm"}],` +
	`"dataset":"prod-inventory"}`

func TestStrictCounts(t *testing.T) {
	d := newDesk(t, "strict", mcplayer.Hints{})
	shown, wire := d.show(t, twoAssets)
	const want = `"pseudonymized":{"aws_account_id":1,"aws_arn":1,"azure_resource_id":1,"azure_subscription_id":1,"dataset_name":1,"resource_name":4}`
	if !strings.Contains(wire, want) || !strings.Contains(wire, `"transformed":{"pseudonymized":9}`) {
		t.Errorf("reported %s\nwant %s, 9 in all", wire, want)
	}
	const note = `"note":"Identifiers are pseudonyms; pass them back unchanged and tools resolve the real resources."`
	if !strings.Contains(wire, note) {
		t.Errorf("%s is not in %s", note, wire)
	}
	same(t, d.ask(t, shown), twoAssets)
}

func TestStrictHidesAndTurnsBack(t *testing.T) {
	for _, tt := range []struct {
		name, doc, stays string
		open             bool // nothing is hidden
	}{
		{"tags", `{"tags":{"owner":"Ada Lovelace","env":"prod","app":"shop"}}`, `"env":"prod"`, false},
		{"list of tags", `{"Tags":[{"Key":"owner","Value":"Ada Lovelace"},{"Key":"Env","Value":"prod"}]}`, `{"Key":"Env","Value":"prod"}`, false},
		{"a GUID that refers to something", `{"resource_id":"123e4567-e89b-42d3-a456-426614174000"}`, "", false},
		{"a GUID alone", `{"request":"123e4567-e89b-42d3-a456-426614174000"}`, "123e4567-e89b-42d3-a456-426614174000", true},
		{"an ARN as a name", `{"resource_name":"arn:aws:s3:::ledger"}`, `"arn:aws:s3:::res-`, false},
		{"a mention", `{"name":"web-1","region":"eu-west-1","description":"web-1 is up"}`, ` is up"`, false},
		{"a number", `{"account_id":123456789012}`, "", false},
		{"a text with JSON", `{"config":"{\"account_id\":\"123456789012\",\"n\":[\"10.1.2.3\"]}"}`, `\"n\":[\"10.`, false},
		{"loopback", `{"address":"127.0.0.1","net":"10.1.2.0/24"}`, "127.0.0.1", false},
		{"addresses that end as IPv4", `{"a":"0:0:0:0:0:ffff:10.1.2.3","b":"on 2a00:1450:1:2:3:4:5.6.7.8"}`, `"b":"on `, false},
		{"a day", `{"seen":"2026-03-01T08:00:00Z"}`, "2026-03-01T08:00:00Z", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, "strict", mcplayer.Hints{})
			shown, _ := d.show(t, tt.doc)
			if !strings.Contains(shown, tt.stays) {
				t.Errorf("%s is not in %s", tt.stays, shown)
			}
			if hides := shown != tt.doc; hides == tt.open {
				t.Errorf("shows %s", shown)
			}
			same(t, d.ask(t, shown), tt.doc)
		})
	}
}

// TestStrictNamesWorkEverywhere passes what one call gave on to calls of all kinds.
func TestStrictNamesWorkEverywhere(t *testing.T) {
	const arn = "arn:aws:ec2:eu-west-1:123456789012:instance/web-1"
	d := newDesk(t, "strict", mcplayer.Hints{})
	shown, _ := d.show(t, `{"account_id":"123456789012","arn":"`+arn+`"}`)
	names, as := parts(t, shown), mcplayer.As(d.who)

	if _, err := d.ReadResource(t.Context(), "assets://"+names["account_id"]+"/"+names["arn"], as); err != nil {
		t.Error(err)
	}
	same(t, d.asked, `{"account":"123456789012","id":"`+arn+`"}`)
	if _, err := d.ReadResource(t.Context(), "assets://"+names["account_id"]+"/"+url.PathEscape(names["arn"]), as); err != nil {
		t.Error(err)
	}
	same(t, d.asked, `{"account":"123456789012","id":"`+arn+`"}`)
	if _, err := d.GetPrompt(t.Context(), "explain", map[string]string{"asset": "the asset " + names["arn"] + "."}, as); err != nil {
		t.Error(err)
	}
	same(t, d.asked, `{"asset":"the asset `+arn+`."}`)

	d.shows = `["` + arn + `"]`
	in := mcplayer.CompletionInput{Argument: "id", Value: names["arn"], Context: map[string]string{"account": names["account_id"]}}
	res, err := d.Complete(t.Context(), mcplayer.CompletionRef{Kind: mcplayer.KindResourceTemplate, Name: "assets://{account}/{+id}"}, in, as)
	if err != nil {
		t.Fatal(err)
	}
	same(t, d.asked, `{"Argument":"id","Value":"`+arn+`","Context":{"account":"123456789012"}}`)
	if wire := told(res, nil); !strings.Contains(wire, names["arn"]) || strings.Contains(wire, "web-1") {
		t.Errorf("proposed %s", wire)
	}
}

func TestStrictInAURI(t *testing.T) {
	d := newDesk(t, "strict", mcplayer.Hints{})
	shown, _ := d.show(t, `{"ref":"cloudg://assets/web 1","name":"Ledger of EMEA/1","region":"x"}`)
	names := parts(t, shown)
	same(t, d.ask(t, `{"uri":"`+names["ref"]+`"}`), `{"uri":"cloudg://assets/web 1"}`)
	same(t, d.ask(t, `{"uri":"https://console.example/?q=`+names["name"]+`"}`), `{"uri":"https://console.example/?q=Ledger%20of%20EMEA%2F1"}`)
}

func TestHintsUnderStrict(t *testing.T) {
	const doc = `{"account_id":"123456789012"}`
	for _, tt := range []struct {
		name         string
		hints        mcplayer.Hints
		hides, turns bool
	}{
		{"none", mcplayer.Hints{}, true, true},
		{"a tool that is turned back for shows no values", mcplayer.Hints{Pseudonymize: new(false)}, true, true},
		{"one that is not may", mcplayer.Hints{Pseudonymize: new(false), Depseudonymize: new(false)}, false, false},
		{"nor without redact", mcplayer.Hints{Skip: []string{"redact"}}, true, true},
		{"not turned back", mcplayer.Hints{Depseudonymize: new(false)}, true, false},
		{"skipped on the way in", mcplayer.Hints{SkipInput: []string{"depseudonymize"}}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hidden, _ := newDesk(t, "strict", mcplayer.Hints{}).show(t, doc)
			d := newDesk(t, "strict", tt.hints)
			shown, _ := d.show(t, doc)
			if hides := shown == hidden; hides != tt.hides || !hides && shown != doc {
				t.Errorf("shows %s", shown)
			}
			if turns := d.ask(t, hidden) == doc; turns != tt.turns && tt.hides {
				t.Errorf("its handler got %s", d.asked)
			}
		})
	}
}
