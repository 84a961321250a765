package detect_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// TestDetectors pins the list: names, what they find and how sure they are.
func TestDetectors(t *testing.T) {
	addresses := "ip_address [private_ip public_ip special_ip private_cidr public_cidr special_cidr] network 0.9"
	want := []string{
		"cloudg_uri resource_name [resource_name dataset_name] identifier 0.99",
		"private_key private_key [private_key] secret 1",
		"jwt jwt [jwt] secret 0.95",
		"url_credentials password [password] secret 0.95",
		"connection_string_secret password [password] secret 0.95",
		"aws_secret_access_key aws_secret_access_key [aws_secret_access_key] secret 0.95",
		"secret_assignment secret_value [secret_value] secret 0.85",
		"authorization_header authorization_header [authorization_header] secret 0.9",
		"github_token api_token [api_token] secret 0.99",
		"slack_token api_token [api_token] secret 0.99",
		"google_api_key api_token [api_token] secret 0.99",
		"stripe_key api_token [api_token] secret 0.99",
		"azure_sas_signature azure_sas_signature [azure_sas_signature] secret 0.95",
		"azure_storage_key azure_storage_key [azure_storage_key] secret 0.8",
		"high_entropy_secret high_entropy_secret [high_entropy_secret] secret 0.5",
		"aws_access_key_id aws_access_key_id [aws_access_key_id] credential 0.99",
		"aws_unique_id aws_unique_id [aws_unique_id] identifier 0.95",
		"aws_arn aws_arn [aws_arn] identifier 0.99",
		"azure_resource_id azure_resource_id [azure_resource_id] identifier 0.99",
		"gcp_resource_name gcp_resource_name [gcp_resource_name] identifier 0.95",
		"azure_subscription_ref azure_subscription_id [azure_subscription_id azure_tenant_id] identifier 0.9",
		"aws_account_id aws_account_id [aws_account_id] identifier 0.7",
		"uuid uuid [uuid] identifier 0.6",
		"email email [email] pii 0.95",
		"url_userinfo url_username [url_username] pii 0.9",
		"ipv6 " + addresses,
		"ipv4 " + addresses,
		"mac_address mac_address [mac_address] network 0.8",
		"hostname hostname [hostname] network 0.7",
		"timestamp timestamp [timestamp] temporal 0.9",
		"credit_card credit_card [credit_card] pii 0.9 optional",
		"iban iban [iban] pii 0.95 optional",
		"phone phone [phone] pii 0.7 optional",
		"us_ssn us_ssn [us_ssn] pii 0.85 optional",
	}
	var got []string
	for _, d := range detect.Detectors() {
		line := fmt.Sprintf("%s %s %v %s %v", d.Name, d.Entity, d.Entities, d.Category, d.Confidence)
		if d.Optional {
			line += " optional"
		}
		got = append(got, line)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestParents(t *testing.T) {
	tests := []struct {
		entity string
		want   []string
	}{
		{"private_ip", []string{"ip_address"}},
		{"public_ip", []string{"ip_address"}},
		{"special_ip", []string{"ip_address"}},
		{"private_cidr", []string{"cidr"}},
		{"public_cidr", []string{"cidr"}},
		{"special_cidr", []string{"cidr"}},
		{"aws_unique_id", []string{"aws_access_key_id"}},
		{"azure_tenant_id", []string{"azure_subscription_id"}},
		{"gcp_project_number", []string{"gcp_project_id"}},
		{"ip_address", nil},
		{"email", nil},
		{"", nil},
	}
	for _, tt := range tests {
		if got := detect.Parents(tt.entity); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, want %v", tt.entity, got, tt.want)
		}
	}
}
