package vault_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

// TestLimitDenseNetworks shows the price of names that stay in their block: where
// much of a block is known, a name may be a known address too, and is refused.
func TestLimitDenseNetworks(t *testing.T) {
	for _, tt := range []struct {
		name, form   string
		fewest, most int
	}{
		{"a twentieth of 192.168/16", "192.168.%d.%d", 1, 600},
		{"one network of 10/8", "10.7.%d.%d", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, refused := open(t, vault.Options{}), 0
			var names []string
			for i := range 12 * 256 {
				names = append(names, issue(t, v, "private_ip", fmt.Sprintf(tt.form, i*21>>8, i*21&255)))
			}
			for _, name := range names {
				if _, _, err := v.AppendOriginals(nil, "ada", []byte(name)); err != nil {
					refused++
				}
			}
			if refused < tt.fewest || refused > tt.most {
				t.Errorf("%d of %d are refused", refused, len(names))
			}
		})
	}
}

// TestLimitAddressesTwice shows that a private address is not taken for the pseudonym that
// it also is.
func TestLimitAddressesTwice(t *testing.T) {
	for entity, value := range map[string]string{"private_ip": "10.1.2.3", "private_cidr": "10.1.2.0/24", "gcp_project_number": "12345"} {
		v := open(t, vault.Options{})
		name := issue(t, v, entity, value)
		if again := issue(t, v, entity, name); again == name {
			t.Errorf("%s stays", name)
		}
		if _, err := v.Reveal("ada", name); !errors.Is(err, vault.ErrAmbiguous) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestLimitOrder shows that names in small blocks, and those of addresses inside
// networks, depend on the order of issue.
func TestLimitOrder(t *testing.T) {
	a, b := open(t, vault.Options{}), open(t, vault.Options{})
	first := issue(t, a, "public_ip", "52.1.2.3")
	net := netip.MustParsePrefix(issue(t, a, "public_cidr", "52.1.2.0/24"))
	if net.Contains(netip.MustParseAddr(first)) {
		t.Errorf("%s, issued before %v, is in it", first, net)
	}
	net = netip.MustParsePrefix(issue(t, b, "public_cidr", "52.1.2.0/24"))
	if second := issue(t, b, "public_ip", "52.1.2.3"); second == first || !net.Contains(netip.MustParseAddr(second)) {
		t.Errorf("%s, issued after %v, is not in it", second, net)
	}
}

// TestLimitLongerWords shows that a name inside a longer word is none.
func TestLimitLongerWords(t *testing.T) {
	v := open(t, vault.Options{})
	text := "backup-of-" + issue(t, v, "resource_name", "web-1")
	if got := reverse(t, v, text); got != text {
		t.Errorf("got %s", got)
	}
}

// TestLimitSpelling shows that all spellings of an IPv6 address come back, but that
// of three only two have one address as their name.
func TestLimitSpelling(t *testing.T) {
	v := open(t, vault.Options{})
	var names []netip.Addr
	for _, value := range []string{"fd12::7", "fd12:0:0:0:0:0:0:7", "fd12::0:7"} {
		name := issue(t, v, "private_ip", value)
		if back := reverse(t, v, name); back != value {
			t.Errorf("%s turns back to %s, not %s", name, back, value)
		}
		names = append(names, netip.MustParseAddr(name))
	}
	if names[0] != names[1] || names[1] == names[2] {
		t.Errorf("got %v", names)
	}
}

// TestLimitKeptWords shows that words which name a type, a service or a region stay
// even where somebody uses them as a name.
func TestLimitKeptWords(t *testing.T) {
	v := open(t, vault.Options{})
	if got := issue(t, v, "aws_arn", "arn:aws:iam::aws:role/instance"); !strings.HasSuffix(got, ":role/instance") {
		t.Errorf("got %s", got)
	}
}

// TestForgetBesideOthers: a full vault forgets what expired while others issue and look up
// addresses of a dense network, whose names often are values, too.
func TestForgetBesideOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := open(t, vault.Options{MaxEntries: 6_000, TTLSeconds: 2})
		var work sync.WaitGroup
		for g := range 4 {
			work.Go(func() {
				for round := range 8 {
					for i := range 4_000 {
						n := (g*8+round)*4_000 + i
						value := fmt.Appendf(nil, "192.168.%d.%d", n/256%256, n%256)
						name, ok := v.AppendPseudonym(nil, "ada", "private_ip", value)
						if !ok {
							continue // full until other names expire
						}
						out, _, err := v.AppendOriginals(nil, "ada", name)
						if !errors.Is(err, vault.ErrAmbiguous) && (err != nil || string(out) != string(value)) {
							t.Errorf("%s: got %s, %v", value, out, err)
						}
					}
					time.Sleep(time.Second)
				}
			})
		}
		work.Wait()
		if got := v.Stats(); got.Entries > 6_000 || got.Refused == 0 {
			t.Errorf("%+v", got)
		}
	})
}
