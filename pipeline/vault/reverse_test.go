package vault_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func TestReversal(t *testing.T) {
	v := open(t, vault.Options{})
	res := issue(t, v, "resource_name", "web-1")
	spaced := issue(t, v, "resource_name", "my web/1")
	guid := issue(t, v, "azure_subscription_id", "3F2504E0-4F89-41D3-9A0C-0305E82C3301")
	account := issue(t, v, "aws_account_id", "123456789012")
	id := issue(t, v, "resource_name", "i-0123456789abcdef0")
	mail := issue(t, v, "email", "ada@corp.example")
	host := issue(t, v, "hostname", "db.corp.internal")
	private := issue(t, v, "private_ip", "10.1.2.3")
	public := issue(t, v, "public_ip", "52.1.2.3")
	mapped := issue(t, v, "private_ip", "::ffff:10.7.7.7")
	six := issue(t, v, "private_ip", "fd12:3456::7")
	cidr := issue(t, v, "private_cidr", "192.168.7.0/24")
	mac := issue(t, v, "mac_address", "00:1b:63:84:45:e6")
	dashed := issue(t, v, "mac_address", "00-1B-63-84-45-E7")
	key := issue(t, v, "aws_access_key_id", "AKIA"+"IOSFODNN7EXAMPLE")
	custom := issue(t, v, "Badge-Number", "B 7")
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "the quick brown fox, 10.0.0.1 and res-0123456789", "the quick brown fox, 10.0.0.1 and res-0123456789"},
		{"empty", "", ""},
		{"whole", res, "web-1"},
		{"free text", "restart " + res + " and " + private + ".", "restart web-1 and 10.1.2.3."},
		{"punctuation", "(" + res + ") \"" + res + "\" '" + res + "' <" + res + "> [" + res + "], " + res + "; " + res + "!", `(web-1) "web-1" 'web-1' <web-1> [web-1], web-1; web-1!`},
		{"markdown", "**" + res + "** __" + res + "__ `" + res + "` _" + res + "_ -" + res + "-", "**web-1** __web-1__ `web-1` _web-1_ -web-1-"},
		{"possessive", res + "'s disk", "web-1's disk"},
		{"fence", "⟦untrusted⟧ " + res + " ⟦/untrusted⟧", "⟦untrusted⟧ web-1 ⟦/untrusted⟧"},
		{"key and value", "name=" + res + "&ip=" + private, "name=web-1&ip=10.1.2.3"},
		{"in a longer word", "x" + res + " " + res + "0 my-" + res, "x" + res + " " + res + "0 my-" + res},
		{"capitals", strings.ToUpper(res) + " " + strings.ToUpper(host) + " " + strings.ToUpper(mail), "web-1 db.corp.internal ada@corp.example"},
		{"small letters", strings.ToLower(guid) + " " + strings.ToLower(dashed), "3F2504E0-4F89-41D3-9A0C-0305E82C3301 00-1B-63-84-45-E7"},
		{"GUID in braces", "{" + guid + "}", "{3F2504E0-4F89-41D3-9A0C-0305E82C3301}"},
		{"ARN never issued", "arn:aws:ec2:eu-west-3:" + account + ":instance/" + id, "arn:aws:ec2:eu-west-3:123456789012:instance/i-0123456789abcdef0"},
		{"Azure id never issued", "/subscriptions/" + guid + "/resourceGroups/x/providers/Microsoft.Web/sites/" + res, "/subscriptions/3F2504E0-4F89-41D3-9A0C-0305E82C3301/resourceGroups/x/providers/Microsoft.Web/sites/web-1"},
		{"encoded ARN", "arn%3Aaws%3Aec2%3A%3A" + account + "%3Ainstance%2F" + id, "arn%3Aaws%3Aec2%3A%3A123456789012%3Ainstance%2Fi-0123456789abcdef0"},
		{"mail in text", "to: " + mail + ", mailto:" + mail + "?x", "to: ada@corp.example, mailto:ada@corp.example?x"},
		{"mail in brackets", "Ada <" + mail + ">.", "Ada <ada@corp.example>."},
		{"encoded mail", "q=" + strings.Replace(mail, "@", "%40", 1) + "&r", "q=ada%40corp.example&r"},
		{"mail before something encoded", mail + "%20" + res, "ada@corp.example%20web-1"},
		{"host in a URL", "https://" + host + ":8443/" + res + "?a=" + account, "https://db.corp.internal:8443/web-1?a=123456789012"},
		{"host at the end", "on " + host + ".", "on db.corp.internal."},
		{"longer host", host + ".com", host + ".com"},
		{"resource URI", "cloudg://assets/" + res, "cloudg://assets/web-1"},
		{"segment", "cloudg://assets/" + spaced + "/tags", "cloudg://assets/my%20web%2F1/tags"},
		{"not a URI", "see " + spaced, "see my web/1"},
		{"port", private + ":8080 " + public + ":ssh " + private + ":", "10.1.2.3:8080 52.1.2.3:ssh 10.1.2.3:"},
		{"range", private + "-" + public, "10.1.2.3-52.1.2.3"},
		{"address with a length", private + "/32 " + private + "/x", "10.1.2.3/32 10.1.2.3/x"},
		{"longer address", private + ".9 9." + private, private + ".9 9." + private},
		{"network", cidr + " " + cidr + ".", "192.168.7.0/24 192.168.7.0/24."},
		{"encoded network", strings.Replace(cidr, "/", "%2f", 1), "192.168.7.0%2F24"},
		{"IPv6", "[" + six + "]:443 " + six + ", " + six + ".", "[fd12:3456::7]:443 fd12:3456::7, fd12:3456::7."},
		{"encoded IPv6", strings.ReplaceAll(six, ":", "%3A"), "fd12%3A3456%3A%3A7"},
		{"mapped IPv6", "at " + mapped + "!", "at ::ffff:10.7.7.7!"},
		{"MAC", "mac " + mac + ", " + strings.ToUpper(mac), "mac 00:1b:63:84:45:e6, 00:1b:63:84:45:e6"},
		{"access key", key + ";" + key, "AKIA" + "IOSFODNN7EXAMPLE;AKIA" + "IOSFODNN7EXAMPLE"},
		{"own entity", "(" + custom + ")", "(B 7)"},
		{"not UTF-8", "\xff" + res + "\xfe", "\xffweb-1\xfe"},
		{"bad encoding", "%" + res + " %2", "%web-1 %2"},
		{"around", "%2F" + res + "%2F", "%2Fweb-1%2F"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := reverse(t, v, tt.text); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestReversalCounts(t *testing.T) {
	v := open(t, vault.Options{})
	arn := issue(t, v, "aws_arn", "arn:aws:iam::123456789012:role/admin")
	out, n, err := v.AppendOriginals([]byte("> "), "eve", []byte(arn+" and "+arn))
	if string(out) != "> arn:aws:iam::123456789012:role/admin and arn:aws:iam::123456789012:role/admin" || n != 4 || err != nil {
		t.Errorf("got %s, %d, %v", out, n, err)
	}
}

// TestAmbiguousName shows what happens where a real value looks like a pseudonym
// that was issued: neither is guessed.
func TestAmbiguousName(t *testing.T) {
	v := open(t, vault.Options{})
	name := issue(t, v, "private_ip", "10.1.2.3")
	issue(t, v, "private_ip", name)
	_, _, err := v.AppendOriginals(nil, "ada", []byte("stop "+name))
	if !errors.Is(err, vault.ErrAmbiguous) || !strings.HasPrefix(err.Error(), "the name '"+name+"' is refused: it is ambiguous") {
		t.Errorf("got %v", err)
	}
	if _, err := v.Reveal("ada", name); !errors.Is(err, vault.ErrAmbiguous) {
		t.Errorf("reveal: %v", err)
	}
}

// TestOwnNamesStay: what was transformed is transformed again where a handler passes on
// what another one answered.
func TestOwnNamesStay(t *testing.T) {
	for entity, value := range map[string]string{
		"resource_name": "web-1", "aws_account_id": "123456789012", "hostname": "db.corp.internal", "email": "bob@acme.com", "uuid": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
		"aws_arn": "arn:aws:ec2:eu-central-1:123456789012:instance/i-0123456789abcdef0", "public_ip": "8.8.4.4", "public_cidr": "52.1.2.0/24", "ip_address": "2a00:1450:4001:81b::200e", "mac_address": "00:1a:2b:3c:4d:5e",
		"azure_resource_id": "/subscriptions/7c9e6679-7425-40de-944b-e07fc1f90ae7/resourceGroups/prod/providers/Microsoft.Compute/virtualMachines/vm1",
		"person":            "Ada Lovelace", "dataset_name": "billing", "aws_unique_id": "AIDAJQABLZS4A3QDU576Q", "cloud_account": "acme-prod",
	} {
		v := open(t, vault.Options{TTLSeconds: 3600})
		name := issue(t, v, entity, value)
		if name == value {
			t.Errorf("%s: %s has no pseudonym", entity, value)
		}
		for _, again := range []string{entity, "resource_name"} {
			if got := issue(t, v, again, name); got != name {
				t.Errorf("%s: %s is %s, and that is %s as %s", entity, value, name, got, again)
			}
		}
		if back, err := v.Reveal("ada", name); err != nil || back != value {
			t.Errorf("%s: then %s is %s: %v", entity, name, back, err)
		}
		if got, _ := v.AppendPseudonym(nil, "eve", entity, []byte(name)); string(got) != name {
			t.Errorf("%s: %s is %s for somebody else in the same namespace", entity, name, got)
		}
	}
}

// TestKnownValueIsNoPseudonym shows that no name is issued that is known to be
// real.
func TestKnownValueIsNoPseudonym(t *testing.T) {
	would := issue(t, open(t, vault.Options{}), "resource_name", "web-1")
	v := open(t, vault.Options{})
	issue(t, v, "resource_name", would)
	if got := issue(t, v, "resource_name", "web-1"); got == would {
		t.Errorf("%s is real and was issued", got)
	}
	if got := v.Stats().Collisions; got != 1 {
		t.Errorf("%d collisions", got)
	}
}

func TestReveal(t *testing.T) {
	v := open(t, vault.Options{})
	arn := issue(t, v, "aws_arn", "arn:aws:iam::123456789012:role/admin")
	if got, err := v.Reveal("ada", arn); got != "arn:aws:iam::123456789012:role/admin" || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := v.Reveal("ada", "res-0123456789"); got != "" || !errors.Is(err, vault.ErrUnknown) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestGrowthIsBounded(t *testing.T) {
	v := open(t, vault.Options{})
	name := issue(t, v, "resource_name", strings.Repeat("x", 4000))
	_, _, err := v.AppendOriginals(nil, "ada", []byte(strings.Repeat(name+" ", 5000)))
	if !errors.Is(err, vault.ErrTooLong) {
		t.Errorf("got %v", err)
	}
}

// TestNamesThatAreValues: in a dense network the name of one address may be another one.
// It is refused in whichever order the two came, from whichever goroutine, and after the
// vault was read again.
func TestNamesThatAreValues(t *testing.T) {
	const count, share = 4000, 1000
	store := vault.NewMemory()
	v := open(t, vault.Options{Store: store})
	value := func(i int) string { return fmt.Sprintf("192.168.%d.%d", i*7%256, i/16) }
	names := make([]string, count)
	var work sync.WaitGroup
	for from := 0; from < count; from += share {
		work.Go(func() {
			for i := from; i < from+share; i++ {
				name, _ := v.AppendPseudonym(nil, "ada", "private_ip", []byte(value(i)))
				names[i] = string(name)
			}
		})
	}
	work.Wait()
	values := map[string]bool{}
	for i := range count {
		values[value(i)] = true
	}
	check := func(v *vault.Vault) (refused int) {
		t.Helper()
		for i, name := range names {
			out, _, err := v.AppendOriginals(nil, "ada", []byte(name))
			switch mixed := values[name] && name != value(i); {
			case mixed && !errors.Is(err, vault.ErrAmbiguous):
				t.Errorf("%s for %s is the name of another machine: got %s, %v", name, value(i), out, err)
			case mixed:
				refused++
			case err != nil || string(out) != value(i):
				t.Errorf("%s for %s: got %s, %v", name, value(i), out, err)
			}
		}
		return refused
	}
	first := check(v)
	if first < 100 {
		t.Errorf("only %d names are values", first)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if again := check(open(t, vault.Options{Store: store})); again != first {
		t.Errorf("refused %d names, now %d", first, again)
	}
}
