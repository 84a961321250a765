package detect_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

func TestAppendKey(t *testing.T) {
	for name, want := range map[string]string{
		"apiKey": "api_key", "APIKey": "api_key", "API_KEY": "api_key", "X-Api-Key": "x_api_key", "api key": "api_key", "userIDs": "user_ids",
		"IDsOfAll": "ids_of_all", "DBPassword": "db_password", "password2": "password2", "s3Bucket": "s3_bucket", "_meta": "meta", "a--b__c": "a_b_c", "größeÄnderung": "größeÄnderung",
		"": "", "-": "", "TagSet": "tag_set", "accessKeyId": "access_key_id",
	} {
		if got := string(detect.AppendKey([]byte("_"), []byte(name))); got != "_"+want {
			t.Errorf("%q became %q, want %q", name, got[1:], want)
		}
	}
}

// rulesOf returns the names of the built-in rules that a name matches.
func rulesOf(t *testing.T, name string) string {
	t.Helper()
	k, err := detect.NewKeyRules(detect.BuiltinKeyRules())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	k.Match([]byte(name), func(r *detect.KeyRule) { names = append(names, r.Name) })
	return strings.Join(names, " ")
}

func TestSensitiveKeys(t *testing.T) {
	sensitive := "apiKey api_key API_KEY X-Api-Key openai_api_key accessToken access_token botToken client_secret user_password passwd pwd " +
		"Authorization privateKey passphrase secret SecretAccessKey refresh_token id_token session_token auth_token bearer credential credentials " +
		"authorization auth cookie Set-Cookie connection_string connStr sas_token sas signature user_data UserData primary_key secondaryKey " +
		"account_key SharedKey master_key adminPassword kubeconfig pem password1 apikey secretkey accesstoken DB_PASSWORD db-password-2 " +
		"github_token_next rds.master.password old_expired_password"
	for name := range strings.FieldsSeq(sensitive) {
		if got := rulesOf(t, name); got != "sensitive_key" {
			t.Errorf("%s matches %q", name, got)
		}
	}
	others := "turkey hockey keynote keyboard author authority compass tokenizer TOKENIZERS_PARALLELISM max_tokens promptTokens token_type " +
		"cache_key sort_key secretary passenger keyword next_token nextToken next_page_token NextContinuationToken sync_token page_token " +
		"access_key_id secret_arn token_state password_status key_usage secret_enabled password_last_used password_last_changed password_age " +
		"token_length token_count password_policy secret_rotation_rules SecretRotationEnabled password_expiry token_expires_at secret_created_at " +
		"token_date auth_time secret_version password_present password_required password_set auth_configured secret_manager auth_source " +
		"token_format signature_algorithm credential_kind secret_ref secret_location token_uri token_url auth_endpoint auth_header auth_scheme " +
		"auth_method auth_mode auth_provider token_issuer token_audience token_ttl token_lifetime credentials_exists auth_level secret_size " +
		"pem_fingerprint key_thumbprint password_hint has_password is_secret num_credentials require_auth requires_token allow_token allows_auth " +
		"enable_auth enables_auth use_token uses_credentials max_token min_password tokens passed pemberton sassy key id"
	for name := range strings.FieldsSeq(others) {
		if got := rulesOf(t, name); strings.Contains(got, "sensitive_key") {
			t.Errorf("%s is sensitive", name)
		}
	}
}

func TestKeyRules(t *testing.T) {
	for name, want := range map[string]string{
		"account_id": "account_id_key", "AccountId": "account_id_key", "ownerId": "account_id_key", "payer_account_id": "account_id_key",
		"subscriptionId": "subscription_key", "tenant_id": "tenant_key", "home_tenant_id": "tenant_key", "projectId": "gcp_project_key",
		"project_number": "gcp_project_number_key", "instance_name": "resource_name_key", "secret_name": "resource_name_key", "bucket": "resource_name_key",
		"asset_id": "resource_ref_key", "neighbors": "resource_ref_key", "from": "resource_ref_key", "path": "resource_ref_key",
		"dataset": "dataset_key", "name": "dataset_listing_name_key asset_name_key", "id": "asset_id_key", "hostname": "hostname_key",
		"db_host": "hostname_key", "public_dns_name": "hostname_key", "service_account": "", "region": "", "description": "", "valid": "",
	} {
		if got := rulesOf(t, name); got != want {
			t.Errorf("%s matches %q, want %q", name, got, want)
		}
	}
}

func TestNewKeyRulesTellsAllMistakes(t *testing.T) {
	_, err := detect.NewKeyRules([]detect.KeyRule{
		{},
		{Name: "a", Entity: "a", Category: "c"},
		{Name: "a", Category: "c", Keys: []string{"x"}},
		{Name: "b", Entity: "b", Keys: []string{"x"}},
		{Name: "d", Entity: "d", Category: "c", Keys: []string{"["}},
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`key rule "": name is missing`, `key rule "a": keys are missing`, `key rule "a": entity is missing`, `key rule "a": the name is taken`,
		`key rule "b": category is missing`, `key rule "d": pattern "["`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not told: %s\n%v", want, err)
		}
	}
}

func TestAccountEntity(t *testing.T) {
	for text, want := range map[string]string{
		"111122223333": "aws_account_id", "3f8a2d61-5b0c-4e97-a1d4-92c7be60f315": "azure_subscription_id", "3F8A2D61-5B0C-4E97-A1D4-92C7BE60F315": "azure_subscription_id",
		"petrel-prod-417203": "gcp_project_id", "417203": "gcp_project_number", "1111222233334": "gcp_project_number", "Petrel": "cloud_account",
		"abc": "cloud_account", "petrel-": "cloud_account", "": "cloud_account", "3f8a2d61-5b0c-4e97-a1d4-92c7be60f31g": "cloud_account",
	} {
		if got := detect.AccountEntity([]byte(text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestTagKeys(t *testing.T) {
	for name, want := range map[string]bool{
		"owner": true, "Owner": true, "created_by": true, "CreatedBy": true, "cost-owner": true, "team_lead": true, "teamLead": true, "email": true,
		"user": true, "manager": true, "lead": false, "team": false, "managed_by": false, "ownership": false, "authority": false,
	} {
		if got := detect.IsPersonKey([]byte(name)); got != want {
			t.Errorf("%s names a person: %v", name, got)
		}
	}
	for name, want := range map[string]bool{"tags": true, "Tags": true, "TagSet": true, "user-labels": true, "label": false, "tagged": false} {
		if got := detect.IsTagMap([]byte(name)); got != want {
			t.Errorf("tags stand under %s: %v", name, got)
		}
	}
}
