package scan_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

func TestRefined(t *testing.T) {
	tests := []struct {
		text string
		want scan.Entity
	}{
		{"10.0.0.1", scan.PrivateIP},
		{"172.16.0.1", scan.PrivateIP},
		{"172.32.0.1", scan.PublicIP},
		{"192.168.0.1", scan.PrivateIP},
		{"100.64.0.1", scan.PrivateIP},
		{"100.128.0.1", scan.PublicIP},
		{"52.1.2.3", scan.PublicIP},
		{"0.0.0.0", scan.SpecialIP},
		{"127.0.0.1", scan.SpecialIP},
		{"169.254.169.254", scan.SpecialIP},
		{"224.0.0.1", scan.SpecialIP},
		{"240.0.0.1", scan.SpecialIP},
		{"255.255.255.255", scan.SpecialIP},
		{"10.0.0.0/8", scan.PrivateCIDR},
		{"52.0.0.0/8", scan.PublicCIDR},
		{"0.0.0.0/0", scan.SpecialCIDR},
		{"10.0.0.0/0", scan.SpecialCIDR},
		{"127.0.0.0/8", scan.SpecialCIDR},
		{"10.1.2.3/4", scan.SpecialCIDR}, // its network is 0.0.0.0
		{"::1", scan.SpecialIP},
		{"fe80::1", scan.SpecialIP},
		{"ff02::fb1", scan.SpecialIP},
		{"fd00::1", scan.PrivateIP},
		{"2001:db8::1", scan.PublicIP},
		{"fd00::/8", scan.PrivateCIDR},
		{"2001:db8::/32", scan.PublicCIDR},
		{"::/0", scan.SpecialCIDR},
		{"[::]", scan.SpecialIP},
		{"::ffff:10.0.0.1", scan.PrivateIP},
		{"cloudg://assets/x", scan.ResourceName},
		{"cloudg://datasets/x", scan.DatasetName},
		{"tenant: 3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f", scan.AzureTenant},
		{"subscription: 3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f", scan.AzureSubscription},
	}
	engine := scan.New(nil)
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			found := engine.Append(nil, []byte(tt.text))
			if len(found) != 1 || found[0].Entity != tt.want {
				t.Errorf("got %s, want one %v", listed(tt.text, found), tt.want)
			}
		})
	}
}

// TestWanted: what is not wanted occupies nothing, one entity of a detector or all.
func TestWanted(t *testing.T) {
	text := "10.0.0.1 52.1.2.3 https://10.0.0.1 arn:aws:iam::123456789012:role/x"
	tests := []struct {
		name string
		want func(scan.Kind, scan.Entity) bool
		list string
	}{
		{"one entity", func(_ scan.Kind, e scan.Entity) bool { return e == scan.PublicIP }, `[9:17] public_ip "52.1.2.3", `},
		{"inside a kept one", func(k scan.Kind, _ scan.Entity) bool { return k == scan.AWSAccountID }, `[48:60] aws_account_id "123456789012", `},
		{"nothing", func(scan.Kind, scan.Entity) bool { return false }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := listed(text, scan.New(tt.want).Append(nil, []byte(text))); got != tt.list {
				t.Errorf("got %s, want %s", got, tt.list)
			}
		})
	}
}

func TestOptionalKindsAreOff(t *testing.T) {
	text := []byte("card 4111 1111 1111 1111, DE89370400440532013000, phone +1 555 123 4567, ssn 123-45-6789")
	if found := scan.New(nil).Append(nil, text); len(found) != 0 {
		t.Errorf("found %s", listed(string(text), found))
	}
	if found := everything().Append(nil, text); len(found) != 4 {
		t.Errorf("found %s, want 4", listed(string(text), found))
	}
}
