package vault_test

import (
	"net"
	"net/mail"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

const (
	guidPattern = `[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`
	accountID   = `[1-9][0-9]{11}`
	resource    = `res-[0-9a-f]{10}`
)

var shapes = []struct {
	name, entity, value, pattern string
	valid                        func(string) bool
}{
	{"account", "aws_account_id", "123456789012", accountID, nil},
	{"account with zeros", "aws_account_id", "000000000012", accountID, nil},
	{"project number", "gcp_project_number", "98765432", `[1-9][0-9]{7}`, nil},
	{"long digits", "gcp_project_number", strings.Repeat("7", 64), `[1-9][0-9]{63}`, nil},
	{"too many digits", "gcp_project_number", strings.Repeat("7", 65), `gcp_projec-[0-9a-f]{10}`, nil},
	{"cloud account of digits", "cloud_account", "4711", `[1-9][0-9]{3}`, nil},
	{"cloud account", "cloud_account", "prod-payments", `acct-[0-9a-f]{10}`, nil},
	{"project id", "gcp_project_id", "my-project-17", `acct-[0-9a-f]{10}`, nil},
	{"subscription", "azure_subscription_id", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", guidPattern, nil},
	{"subscription in upper case", "azure_subscription_id", "3F2504E0-4F89-41D3-9A0C-0305E82C3301", strings.NewReplacer("a-f", "A-F", "ab]", "AB]").Replace(guidPattern), nil},
	{"subscription in both cases", "azure_subscription_id", "3f2504E0-4f89-41d3-9a0c-0305e82c3301", guidPattern, nil},
	{"no subscription", "azure_subscription_id", "prod", `azure_subs-[0-9a-f]{10}`, nil},
	{"uuid", "uuid", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", guidPattern, nil},
	{"instance ARN", "aws_arn", "arn:aws:ec2:eu-central-1:123456789012:instance/i-0123456789abcdef0", `arn:aws:ec2:eu-central-1:` + accountID + `:instance/i-[0-9a-f]{17}`, nil},
	{"bucket ARN", "aws_arn", "arn:aws:s3:::ledger/2026/a b.txt", `arn:aws:s3:::` + resource + `/` + resource + `/` + resource, nil},
	{"role ARN", "aws_arn", "arn:aws:iam::123456789012:role/team/admin", `arn:aws:iam::` + accountID + `:role/` + resource + `/` + resource, nil},
	{"log ARN", "aws_arn", "arn:aws:logs:eu-west-3:123456789012:log-group:/aws/lambda/pay:*", `arn:aws:logs:eu-west-3:` + accountID + `:log-group:/` + resource + `/` + resource + `/` + resource + `:\*`, nil},
	{"topic ARN", "aws_arn", "arn:aws:sns:us-east-1:123456789012:alarm", `arn:aws:sns:us-east-1:` + accountID + `:` + resource, nil},
	{"managed policy ARN", "aws_arn", "arn:aws:iam::aws:policy/Admin", `arn:aws:iam::aws:policy/` + resource, nil},
	{"no ARN", "aws_arn", "arn:aws", resource, nil},
	{
		"Azure VM", "azure_resource_id", "/subscriptions/3f2504e0-4f89-41d3-9a0c-0305e82c3301/resourceGroups/prod/providers/Microsoft.Compute/virtualMachines/web-1",
		`/subscriptions/` + guidPattern + `/resourceGroups/rg-[0-9a-f]{10}/providers/Microsoft\.Compute/virtualMachines/` + resource, nil,
	},
	{"GCP instance", "gcp_resource_name", "projects/pay-1/zones/us-central1-a/instances/web", `projects/acct-[0-9a-f]{10}/zones/us-central1-a/instances/` + resource, nil},
	{"full GCP name", "gcp_resource_name", "//compute.googleapis.com/projects/123456/global/networks/n1", `//compute\.googleapis\.com/projects/[1-9][0-9]{5}/global/networks/` + resource, nil},
	{"GCP service account", "gcp_resource_name", "projects/pay-1/serviceAccounts/a@pay-1.iam.gserviceaccount.com", `projects/acct-[0-9a-f]{10}/serviceAccounts/user-[0-9a-f]{8}@d-[0-9a-f]{10}\.example`, nil},
	{"e-mail", "email", "Ada.L@corp.example", `user-[0-9a-f]{8}@d-[0-9a-f]{10}\.example`, isMail},
	{"no e-mail", "email", "@corp", `email-[0-9a-f]{10}`, nil},
	{"host", "hostname", "db.corp.internal", `host-[0-9a-f]{8}\.example`, nil},
	{"RDS host", "hostname", "ledger.c9x.eu-central-1.rds.amazonaws.com", resource + `\.` + resource + `\.eu-central-1\.rds\.amazonaws\.com`, nil},
	{"EC2 host", "hostname", "ec2-52-1-2-3.compute-1.amazonaws.com", `ec2-198-1[89]-\d+-\d+\.compute-1\.amazonaws\.com`, nil},
	{"private EC2 host", "hostname", "ip-10-1-2-3.eu-west-1.compute.internal", `ip-10-\d+-\d+-\d+\.eu-west-1\.compute\.internal`, nil},
	{"Azure host", "hostname", "acme.blob.core.windows.net", resource + `\.blob\.core\.windows\.net`, nil},
	{"host of a service", "hostname", "s3.eu-west-1.amazonaws.com", `s3\.eu-west-1\.amazonaws\.com`, nil},
	{"access key", "aws_access_key_id", "AKIA" + "IOSFODNN7EXAMPLE", `AKIA[A-Z2-7]{16}`, nil},
	{"unique id", "aws_unique_id", "AROADBQP57FF2AEXAMPLE", `AROA[A-Z2-7]{17}`, nil},
	{"no unique id", "aws_unique_id", "aroa", `aws_unique-[0-9a-f]{10}`, nil},
	{"instance id", "resource_name", "i-0123456789abcdef0", `i-[0-9a-f]{17}`, nil},
	{"old group id", "resource_name", "sg-01234567", `sg-[0-9a-f]{8}`, nil},
	{"looks like an id", "resource_name", "john-deadbeef", resource, nil},
	{"name", "resource_name", "billing-prod-7", resource, nil},
	{"name that is a GUID", "resource_name", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", guidPattern, nil},
	{"resource group", "resource_group", "prod", `rg-[0-9a-f]{10}`, nil},
	{"person", "person", "Ada Lovelace", `person-[0-9a-f]{10}`, nil},
	{"tag", "tag_value", "blue", `tag-[0-9a-f]{10}`, nil},
	{"dataset", "dataset_name", "q3 ledger", `ds-[0-9a-f]{10}`, nil},
	{"MAC", "mac_address", "00:1b:63:84:45:e6", `[0-9a-f][26ae](:[0-9a-f]{2}){5}`, isMAC},
	{"MAC in upper case", "mac_address", "00-1B-63-84-45-E6", `[0-9A-F][26AE](-[0-9A-F]{2}){5}`, isMAC},
	{"MAC with dots", "mac_address", "001b.6384.45e6", `[0-9a-f][26ae][0-9a-f]{2}\.[0-9a-f]{4}\.[0-9a-f]{4}`, isMAC},
	{"no MAC", "mac_address", "00:1b", `mac_addres-[0-9a-f]{10}`, nil},
	{"10/8", "private_ip", "10.1.2.3", `10\..*`, isAddr},
	{"172.16/12", "private_ip", "172.20.1.2", `172\.(1[6-9]|2\d|3[01])\..*`, isAddr},
	{"192.168/16", "private_ip", "192.168.7.9", `192\.168\..*`, isAddr},
	{"100.64/10", "private_ip", "100.100.1.2", `100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*`, isAddr},
	{"private network", "private_cidr", "10.1.0.0/16", `10\.\d+\.0\.0/16`, isPrefix},
	{"private block", "private_cidr", "10.0.0.0/8", `10\.0\.0\.0/8`, isPrefix},
	{"private address with length", "private_cidr", "10.1.2.3/16", `10\..*/16`, isPrefix},
	{"ULA", "private_ip", "fd12:3456::7", `fd[0-9a-f]{2}:.*`, isAddr},
	{"ULA in capitals", "private_ip", "FD12:3456::7", `FD[0-9A-F]{2}:[0-9A-F:]*`, isAddr},
	{"ULA in full", "private_ip", "fd12:3456:0:0:0:0:0:7", `fd[0-9a-f]{2}(:[0-9a-f]{4}){7}`, isAddr},
	{"ULA network", "private_cidr", "fd12:3456::/48", `fd[0-9a-f]{2}:[0-9a-f]*:[0-9a-f]*::/48`, isPrefix},
	{"mapped", "private_ip", "::ffff:10.1.2.3", `::ffff:10\..*`, isAddr},
	{"public", "public_ip", "52.1.2.3", `198\.1[89]\..*`, isAddr},
	{"public network", "public_cidr", "52.1.2.0/24", `198\.1[89]\.\d+\.0/24`, isPrefix},
	{"wide public network", "public_cidr", "52.0.0.0/10", `2[45]\d\.\d+\.0\.0/10`, isPrefix},
	{"too wide", "public_cidr", "32.0.0.0/3", `public_cid-[0-9a-f]{10}`, nil},
	{"public IPv6", "public_ip", "2a00:1450:4001::8a", `2001:db8:.*`, isAddr},
	{"public IPv6 network", "public_cidr", "2a00:1450:4001::/48", `2001:db8:[0-9a-f]*::/48`, isPrefix},
	{"wide IPv6 network", "public_cidr", "2a00:1400::/24", `3fff:[0-9a-f]*::/24`, isPrefix},
	{"loopback", "special_ip", "127.0.0.1", `127\.0\.0\.1`, nil},
	{"metadata", "special_ip", "169.254.169.254", `169\.254\.169\.254`, nil},
	{"everything", "special_cidr", "0.0.0.0/0", `0\.0\.0\.0/0`, nil},
	{"no address", "private_ip", "10.1", `private_ip-[0-9a-f]{10}`, nil},
	{"with a zone", "private_ip", "fd00::1%eth0", `private_ip-[0-9a-f]{10}`, nil},
	{"own entity", "Badge-Number", "B 7", `badge_numb-[0-9a-f]{10}`, nil},
}

func isMail(s string) bool   { _, err := mail.ParseAddress(s); return err == nil }
func isMAC(s string) bool    { _, err := net.ParseMAC(s); return err == nil }
func isAddr(s string) bool   { _, err := netip.ParseAddr(s); return err == nil }
func isPrefix(s string) bool { _, err := netip.ParsePrefix(s); return err == nil }

func TestShapes(t *testing.T) {
	for _, tt := range shapes {
		t.Run(tt.name, func(t *testing.T) {
			v := open(t, vault.Options{})
			got := issue(t, v, tt.entity, tt.value)
			if !regexp.MustCompile(`^` + tt.pattern + `$`).MatchString(got) {
				t.Errorf("got %s, not the form %s", got, tt.pattern)
			}
			if tt.valid != nil && !tt.valid(got) {
				t.Errorf("%s is not valid", got)
			}
			if back := reverse(t, v, got); back != tt.value {
				t.Errorf("%s turns back to %s", got, back)
			}
			if again := issue(t, v, tt.entity, tt.value); again != got {
				t.Errorf("the same value gets %s, then %s", got, again)
			}
			other := open(t, vault.Options{})
			if elsewhere := issue(t, other, tt.entity, tt.value); elsewhere != got {
				t.Errorf("another vault with the key gives %s, not %s", elsewhere, got)
			}
			if known, ok := other.Lookup(nil, "ada", tt.entity, []byte(tt.value)); !ok || string(known) != got {
				t.Errorf("lookup gives %s, %t", known, ok)
			}
		})
	}
}
