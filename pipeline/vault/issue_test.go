package vault_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func TestPartsAreShared(t *testing.T) {
	const guid, account = "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "123456789012"
	for _, tt := range []struct{ name, entity, whole, partEntity, part string }{
		{"account of an ARN", "aws_arn", "arn:aws:ec2:eu-west-3:123456789012:instance/i-0123456789abcdef0", "aws_account_id", account},
		{"id of an ARN", "aws_arn", "arn:aws:ec2:eu-west-3:123456789012:instance/i-0123456789abcdef0", "resource_name", "i-0123456789abcdef0"},
		{"bucket of an ARN", "aws_arn", "arn:aws:s3:::ledger", "resource_name", "ledger"},
		{"bucket of a host", "hostname", "ledger.s3.amazonaws.com", "resource_name", "ledger"},
		{"account of a host", "hostname", "123456789012.dkr.ecr.eu-west-3.amazonaws.com", "resource_name", account},
		{"subscription", "azure_resource_id", "/subscriptions/" + guid + "/resourceGroups/prod", "azure_subscription_id", guid},
		{"VM", "azure_resource_id", "/subscriptions/" + guid + "/resourceGroups/a/providers/Microsoft.Compute/virtualMachines/web", "resource_name", "web"},
		{"project", "gcp_resource_name", "projects/pay-1/topics/t", "gcp_project_id", "pay-1"},
		{"project number", "gcp_resource_name", "projects/4711/topics/t", "gcp_project_number", "4711"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := open(t, vault.Options{})
			whole, part := issue(t, v, tt.entity, tt.whole), issue(t, open(t, vault.Options{}), tt.partEntity, tt.part)
			if !strings.Contains(whole, part) {
				t.Errorf("%s does not hold %s", whole, part)
			}
			if back := reverse(t, v, part); back != tt.part {
				t.Errorf("the part alone turns back to %s", back)
			}
		})
	}
}

func TestOneNameForADomain(t *testing.T) {
	v := open(t, vault.Options{})
	a, b := issue(t, v, "email", "ada@corp.example"), issue(t, v, "email", "grace@Corp.example")
	_, domain, _ := strings.Cut(a, "@")
	if !strings.HasSuffix(b, "@"+domain) || a == b {
		t.Errorf("got %s and %s", a, b)
	}
	if back := reverse(t, v, "to all@"+domain); back != "to all@corp.example" {
		t.Errorf("the domain turns back to %s", back)
	}
}

func commonBits(a, b netip.Addr) int {
	for n := a.BitLen(); ; n-- {
		if p, _ := a.Prefix(n); p.Contains(b) {
			return n
		}
	}
}

func TestPrefixesAreKept(t *testing.T) {
	v := open(t, vault.Options{})
	r := rand.New(rand.NewPCG(1, 2))
	named := func(a netip.Addr) netip.Addr { return netip.MustParseAddr(issue(t, v, "private_ip", a.String())) }
	for range 2000 {
		a := netip.AddrFrom4([4]byte{10, byte(r.IntN(4)), byte(r.IntN(4)), byte(r.IntN(256))})
		b := netip.AddrFrom4([4]byte{10, byte(r.IntN(4)), byte(r.IntN(4)), byte(r.IntN(256))})
		if want, got := commonBits(a, b), commonBits(named(a), named(b)); got != want {
			t.Fatalf("%v and %v have %d bits in common, their names %d", a, b, want, got)
		}
		net := netip.PrefixFrom(a, 8+r.IntN(25)).Masked()
		if fake := netip.MustParsePrefix(issue(t, v, "private_cidr", net.String())); !fake.Contains(named(a)) || fake != fake.Masked() {
			t.Fatalf("%v in %v: the name %v is not in %v", a, net, named(a), fake)
		}
	}
}

func TestAddressesStayInTheirNetwork(t *testing.T) {
	v := open(t, vault.Options{})
	for _, tt := range []struct{ outer, inner, form string }{
		{"52.1.0.0/16", "52.1.2.0/24", "52.1.2.%d"},
		{"2a00:1450::/32", "2a00:1450:4001::/48", "2a00:1450:4001::%x"},
	} {
		outer := netip.MustParsePrefix(issue(t, v, "public_cidr", tt.outer))
		inner := netip.MustParsePrefix(issue(t, v, "public_cidr", tt.inner))
		if !outer.Contains(inner.Addr()) {
			t.Errorf("%v is not in %v", inner, outer)
		}
		for i := 1; i < 255; i++ {
			value := fmt.Sprintf(tt.form, i)
			name := issue(t, v, "public_ip", value)
			if !inner.Contains(netip.MustParseAddr(name)) {
				t.Fatalf("%s is not in %v", name, inner)
			}
			if back := reverse(t, v, name); back != value {
				t.Fatalf("%s turns back to %s, not %s", name, back, value)
			}
		}
	}
}

func TestPublicAddressesOverflow(t *testing.T) {
	v := open(t, vault.Options{})
	block, seen := map[string]int{}, map[string]bool{}
	for i := range 140_000 {
		name := issue(t, v, "public_ip", netip.AddrFrom4([4]byte{52, byte(i >> 16), byte(i >> 8), byte(i)}).String())
		first, _, _ := strings.Cut(name, ".")
		block[first]++
		if seen[name] {
			t.Fatalf("%s was issued twice", name)
		}
		seen[name] = true
	}
	if block["198"] < 100_000 || block["198"] > 131_072 || v.Stats().Collisions == 0 {
		t.Errorf("%d of 140,000 in 198.18.0.0/15, %d collisions", block["198"], v.Stats().Collisions)
	}
}

func TestFewDigitsRunOut(t *testing.T) {
	v := open(t, vault.Options{})
	seen := map[string]bool{}
	for i := range 10 {
		name := issue(t, v, "aws_account_id", fmt.Sprint(i))
		if seen[name] {
			t.Errorf("%s was issued twice", name)
		}
		seen[name] = true
		if len(name) != 1 && !strings.HasPrefix(name, "aws_accoun-") {
			t.Errorf("got %s", name)
		}
	}
}

func TestNamespaces(t *testing.T) {
	issueTo := func(v *vault.Vault, owner string) string {
		out, ok := v.AppendPseudonym(nil, owner, "resource_name", []byte("web-1"))
		if !ok {
			t.Fatal("no pseudonym")
		}
		return string(out)
	}
	v := open(t, vault.Options{Namespace: vault.Principal})
	ada, eve := issueTo(v, "ada"), issueTo(v, "eve")
	if ada == eve {
		t.Errorf("both get %s", ada)
	}
	for _, owner := range []string{"eve", "mallory", ""} {
		if out, n, err := v.AppendOriginals(nil, owner, []byte("see "+ada)); string(out) != "see "+ada || n != 0 || err != nil {
			t.Errorf("%q gets %s, %d, %v", owner, out, n, err)
		}
		if _, err := v.Reveal(owner, ada); err == nil || v.Issued(owner, ada) {
			t.Errorf("%q may reveal the name of ada", owner)
		}
	}
	if got, err := v.Reveal("ada", ada); got != "web-1" || err != nil {
		t.Errorf("ada gets %s, %v", got, err)
	}
	global := open(t, vault.Options{})
	if a, b := issueTo(global, "ada"), issueTo(global, "eve"); a != b || a == ada {
		t.Errorf("a global vault gives %s and %s", a, b)
	}
}

func TestFullVault(t *testing.T) {
	v := open(t, vault.Options{MaxEntries: 2, Namespace: vault.Principal})
	first := issue(t, v, "person", "a")
	issue(t, v, "person", "b")
	dst := []byte("kept")
	if out, ok := v.AppendPseudonym(dst, "ada", "person", []byte("c")); ok || string(out) != "kept" {
		t.Errorf("a full vault gives %s", out)
	}
	if out, ok := v.AppendPseudonym(dst, "ada", "aws_arn", []byte("arn:aws:iam::123456789012:role/r")); ok || string(out) != "kept" {
		t.Errorf("a full vault gives %s", out)
	}
	for i := range 100 {
		if out, ok := v.AppendPseudonym(dst, fmt.Sprint(i), "person", []byte("a")); ok {
			t.Errorf("somebody else gets %s", out)
		}
	}
	if got := v.Stats().Refused; got != 102 {
		t.Errorf("%d were refused", got)
	}
	if issue(t, v, "person", "a") != first || reverse(t, v, first) != "a" {
		t.Error("what is known does not work")
	}
}

func TestNothingToName(t *testing.T) {
	v := open(t, vault.Options{})
	for name, value := range map[string]string{"empty": "", "long": strings.Repeat("x", 4097)} {
		if out, ok := v.AppendPseudonym(nil, "ada", "resource_name", []byte(value)); ok {
			t.Errorf("%s: got %s", name, out)
		}
	}
	long := strings.Repeat("x", 4096)
	if got := reverse(t, v, issue(t, v, "resource_name", long)); got != long {
		t.Error("4096 bytes do not come back")
	}
	if _, ok := v.Lookup(nil, "ada", "person", []byte("unknown")); ok || v.Stats().Entries != 1 {
		t.Error("a look-up issues")
	}
}

func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := open(t, vault.Options{TTLSeconds: 60, MaxEntries: 2})
		name := issue(t, v, "person", "a")
		for range 3 { // each use counts anew
			time.Sleep(60 * time.Second)
			if got := reverse(t, v, name); got != "a" {
				t.Fatalf("got %s", got)
			}
		}
		time.Sleep(61 * time.Second)
		dst, n, err := v.AppendOriginals([]byte("kept"), "ada", []byte("ask "+name+" now"))
		const want = "is refused: it has expired; ask again for what it stands for"
		if string(dst) != "kept" || n != 0 || !errors.Is(err, vault.ErrExpired) || err.Error() != "the name '"+name+"' "+want {
			t.Errorf("got %s, %d, %v", dst, n, err)
		}
		if _, ok := v.Lookup(nil, "ada", "person", []byte("a")); ok {
			t.Error("a look-up gives an expired name")
		}
		if again := issue(t, v, "person", "a"); again != name || reverse(t, v, name) != "a" {
			t.Errorf("issued again it is %s", again)
		}
		time.Sleep(61 * time.Second)
		issue(t, v, "person", "b")
		issue(t, v, "person", "c") // the vault is full: it forgets the expired
		if got := reverse(t, v, name); got != name {
			t.Errorf("a forgotten name turns back to %s", got)
		}
		if got := v.Stats().Entries; got != 2 {
			t.Errorf("%d entries", got)
		}
	})
}

func TestCollisionsAreCounted(t *testing.T) {
	v := open(t, vault.Options{})
	seen := map[string]bool{}
	for i := range 80 { // 90 names of two digits
		seen[issue(t, v, "aws_account_id", fmt.Sprintf("%02d", i))] = true
	}
	if v.Stats().Collisions == 0 || len(seen) != 80 {
		t.Errorf("%d names, %d collisions", len(seen), v.Stats().Collisions)
	}
}

func TestConcurrentUse(t *testing.T) {
	v := open(t, vault.Options{Store: vault.NewMemory()})
	var work sync.WaitGroup
	var names [4][]string
	for g := range names {
		work.Go(func() {
			for i := range 3000 {
				name, ok := v.AppendPseudonym(nil, "ada", "email", fmt.Appendf(nil, "u%d@d%d.example", i, i%50))
				if !ok {
					t.Error("no pseudonym")
				}
				names[g] = append(names[g], string(name))
				if out, _, err := v.AppendOriginals(nil, "ada", name); err != nil || string(out) != fmt.Sprintf("u%d@d%d.example", i, i%50) {
					t.Errorf("got %s, %v", out, err)
				}
				if i%1000 == 0 {
					if err := v.Flush(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	work.Wait()
	for g := range names {
		if fmt.Sprint(names[g]) != fmt.Sprint(names[0]) {
			t.Error("two goroutines got two names for one value")
		}
	}
	if got := v.Stats().Entries; got != 3050 {
		t.Errorf("%d entries", got)
	}
}
