package detect

// vendorFormats are the formats of tokens as their vendors describe them. Lengths that
// a vendor does not promise have room above. Formats with a detector of their own, as
// those of GitHub, Slack, Google and Stripe, are not among them.
var vendorFormats = [...]vendorFormat{
	// GitLab Docs, "Token overview: Token prefixes"; the part behind a dot is that of routable tokens.
	{name: "gitlab_token", token: `gl(?:pat|dt|rt|rtr|ptt|ft|imt|agent|soat|cbt|ffct|oas|wt)-[0-9A-Za-z_-]{20,255}(?:\.[0-9a-z]{2,9}){0,2}`},
	{name: "gitlab_runner_registration_token", token: `GR1348941[0-9A-Za-z_-]{20,40}`},
	// npm Docs, "About access tokens"; the GitHub blog, "Announcing npm's new access token format".
	{name: "npm_token", token: `npm_[0-9A-Za-z]{36}`},
	// PyPI Help, "How can I use API tokens": a macaroon for pypi.org or test.pypi.org.
	{name: "pypi_token", token: `pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[0-9A-Za-z_-]{50,400}`},
	// OpenAI API reference, "Authentication"; keys of projects, service accounts, administrators, users.
	{name: "openai_key", token: `sk-(?:proj|svcacct|admin|None)-[0-9A-Za-z_-]{20,255}`},
	{name: "openai_legacy_key", token: `sk-[0-9A-Za-z]{32,64}`},
	// Anthropic API documentation, "Authentication" and "Admin API".
	{name: "anthropic_key", token: `sk-ant-[0-9a-z]{2,10}-[0-9A-Za-z_-]{20,255}`},
	// HashiCorp Vault documentation, "Tokens: Token prefixes": service, batch, recovery.
	{name: "vault_token", token: `hv[sbr]\.[0-9A-Za-z_-]{24,400}`},
	// The same page: before Vault 1.10.
	{name: "vault_legacy_token", near: `vault`, token: `[sbr]\.[0-9A-Za-z]{24}\b`},
	// Twilio SendGrid documentation, "API Keys".
	{name: "sendgrid_key", token: `SG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}`},
	// Twilio documentation, "API keys overview": a SID that begins SK.
	{name: "twilio_key", near: `twilio`, token: `SK[0-9a-f]{32}\b`},
	// DigitalOcean API documentation, "Token formats": personal, OAuth, refresh.
	{name: "digitalocean_token", token: `do[opr]_v1_[0-9a-f]{64}`},
	// Microsoft Purview, "Azure Active Directory client secret" (sensitive information type).
	{
		name: "azure_client_secret", lead: `(?:^|[^0-9A-Za-z_~.\\%-]|\\[nrt]|%[0-9A-Fa-f]{2})`,
		token: `[0-9A-Za-z_~.]{3}[0-9]Q~[0-9A-Za-z_~.-]{31,34}`,
	},
	// Hugging Face Hub documentation, "User access tokens"; tokens of organisations are older.
	{name: "huggingface_token", token: `(?:hf|api_org)_[0-9A-Za-z]{34,40}`},
	// Telegram, "Bots: How do I create a bot": the id of the bot, a colon, 35 characters.
	{name: "telegram_bot_token", token: `[0-9]{7,9}[0-9]:AA[0-9A-Za-z_-]{33}`},
	// Discord Developer Documentation, "Authentication" and "Webhook Resource".
	{name: "discord_bot_token", near: `discord`, token: `[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}`},
	{name: "discord_webhook", lead: `discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/`, token: `[0-9A-Za-z_-]{60,80}`},
	// Shopify developer documentation, "Access tokens": admin, custom, private, shared secret.
	{name: "shopify_token", token: `shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}`},
	// Square Developer documentation, "Access tokens" and "OAuth API: credentials".
	{name: "square_token", token: `sq0(?:atp-[0-9A-Za-z_-]{22}|csp-[0-9A-Za-z_-]{43})`},
	{name: "square_access_token", token: `EAAA[0-9A-Za-z_-]{60}`},
	// Mailgun documentation, "API keys": keys of accounts, then of domains.
	{name: "mailgun_key", token: `key-[0-9a-f]{32}\b`},
	{name: "mailgun_sending_key", near: `mailgun`, token: `[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b`},
	// Databricks documentation, "Personal access token authentication".
	{name: "databricks_token", token: `dapi[0-9a-f]{32}(?:-[0-9]{1,2})?`},
	// Atlassian Support, "Manage API tokens for your account", and "Access tokens" of Bitbucket Cloud.
	{name: "atlassian_token", token: `AT[ACS]TT3[0-9A-Za-z_=-]{100,300}`},
	{name: "bitbucket_app_password", token: `ATBB[0-9A-Za-z]{32}`},
	// Linear Developers, "API and webhooks: Personal API keys".
	{name: "linear_key", token: `lin_(?:api|oauth)_[0-9A-Za-z]{32,64}`},
	// Grafana documentation, "Service accounts"; Grafana Cloud, "Access policies".
	{name: "grafana_service_account_token", token: `glsa_[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}`},
	{name: "grafana_cloud_token", token: `glc_[0-9A-Za-z+/]{32,400}={0,2}`},
	// New Relic documentation, "API keys": user keys; license keys end in NRAL.
	{name: "newrelic_user_key", token: `NRAK-[0-9A-Z]{27}`},
	{name: "newrelic_license_key", token: `[0-9A-Fa-f]{32,36}(?:FFFF)?NRAL\b`},
	// age specification, "The X25519 recipient type": Bech32.
	{name: "age_secret_key", token: `AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`},
	// Docker documentation, "Personal access tokens" and "Organization access tokens".
	{name: "docker_token", token: `dckr_(?:pat|oat)_[0-9A-Za-z_-]{27,40}`},
	// HCP Terraform documentation, "API tokens".
	{name: "terraform_token", token: `[0-9A-Za-z]{14}\.(?i:atlasv1)\.[0-9A-Za-z_=-]{60,70}`},
	// Doppler documentation, "Auth token formats"; service tokens name the configuration.
	{name: "doppler_token", token: `dp\.(?:pt|st|ct|scim|audit|sa|said)\.(?:[0-9a-z_-]{2,35}\.)?[0-9A-Za-z]{40,44}`},
	// Pulumi documentation, "Access tokens".
	{name: "pulumi_token", token: `pul-[0-9a-f]{40}\b`},
	// Postman Learning Center, "Generate and use Postman API keys".
	{name: "postman_key", token: `PMAK-[0-9a-f]{24}-[0-9a-f]{34}`},
	// Cloudflare documentation, "Origin CA keys".
	{name: "cloudflare_origin_ca_key", token: `v1\.0-[0-9a-f]{24}-[0-9a-f]{146}`},
}
