package scan

// Kind is a detector. Their order is the order in which detectors are listed: of two
// that find something at one place the first wins.
type Kind uint8

// The kinds, in their order.
const (
	CloudgURI Kind = iota
	PrivateKey
	JWT
	URLCredentials
	ConnectionString
	AWSSecretKey
	SecretAssignment
	AuthorizationHeader
	GitHubToken
	SlackToken
	GoogleAPIKey
	StripeKey
	AzureSAS
	AzureStorageKey
	HighEntropy
	AWSAccessKeyID
	AWSUniqueID
	AWSARN
	AzureResourceID
	GCPResourceName
	AzureSubscriptionRef
	AWSAccountID
	UUID
	Email
	URLUserinfo
	IPv6
	IPv4
	MACAddress
	Hostname
	Timestamp
	CreditCard
	IBAN
	Phone
	USSSN

	Kinds int = iota
)

// Detector is what there is to know of a kind.
type Detector struct {
	Name       string
	Category   string
	Confidence float64
	// Entities are what its findings can be; the first is the usual one.
	Entities []Entity
	// Optional: it runs only where it is asked for.
	Optional bool
	// Parent: its usual entity is the parent of the first one, and always refined.
	Parent bool
}

// Detectors returns the detectors, by their kind.
func Detectors() [Kinds]Detector {
	cidrs := []Entity{PrivateIP, PublicIP, SpecialIP, PrivateCIDR, PublicCIDR, SpecialCIDR}
	return [Kinds]Detector{
		CloudgURI:            {"cloudg_uri", identifier, 0.99, []Entity{ResourceName, DatasetName}, false, false},
		PrivateKey:           {"private_key", secret, 1, []Entity{PrivateKeyEntity}, false, false},
		JWT:                  {"jwt", secret, 0.95, []Entity{JWTEntity}, false, false},
		URLCredentials:       {"url_credentials", secret, 0.95, []Entity{Password}, false, false},
		ConnectionString:     {"connection_string_secret", secret, 0.95, []Entity{Password}, false, false},
		AWSSecretKey:         {"aws_secret_access_key", secret, 0.95, []Entity{AWSSecretKeyEntity}, false, false},
		SecretAssignment:     {"secret_assignment", secret, 0.85, []Entity{SecretValue}, false, false},
		AuthorizationHeader:  {"authorization_header", secret, 0.9, []Entity{AuthorizationEntity}, false, false},
		GitHubToken:          {"github_token", secret, 0.99, []Entity{APIToken}, false, false},
		SlackToken:           {"slack_token", secret, 0.99, []Entity{APIToken}, false, false},
		GoogleAPIKey:         {"google_api_key", secret, 0.99, []Entity{APIToken}, false, false},
		StripeKey:            {"stripe_key", secret, 0.99, []Entity{APIToken}, false, false},
		AzureSAS:             {"azure_sas_signature", secret, 0.95, []Entity{AzureSASEntity}, false, false},
		AzureStorageKey:      {"azure_storage_key", secret, 0.8, []Entity{AzureStorageEntity}, false, false},
		HighEntropy:          {"high_entropy_secret", secret, 0.5, []Entity{HighEntropyEntity}, false, false},
		AWSAccessKeyID:       {"aws_access_key_id", credential, 0.99, []Entity{AWSAccessKeyEntity}, false, false},
		AWSUniqueID:          {"aws_unique_id", identifier, 0.95, []Entity{AWSUniqueEntity}, false, false},
		AWSARN:               {"aws_arn", identifier, 0.99, []Entity{ARNEntity}, false, false},
		AzureResourceID:      {"azure_resource_id", identifier, 0.99, []Entity{AzureResourceEntity}, false, false},
		GCPResourceName:      {"gcp_resource_name", identifier, 0.95, []Entity{GCPResourceEntity}, false, false},
		AzureSubscriptionRef: {"azure_subscription_ref", identifier, 0.9, []Entity{AzureSubscription, AzureTenant}, false, false},
		AWSAccountID:         {"aws_account_id", identifier, 0.7, []Entity{AWSAccount}, false, false},
		UUID:                 {"uuid", identifier, 0.6, []Entity{UUIDEntity}, false, false},
		Email:                {"email", pii, 0.95, []Entity{EmailEntity}, false, false},
		URLUserinfo:          {"url_userinfo", pii, 0.9, []Entity{URLUsername}, false, false},
		IPv6:                 {"ipv6", network, 0.9, cidrs, false, true},
		IPv4:                 {"ipv4", network, 0.9, cidrs, false, true},
		MACAddress:           {"mac_address", network, 0.8, []Entity{MACEntity}, false, false},
		Hostname:             {"hostname", network, 0.7, []Entity{HostnameEntity}, false, false},
		Timestamp:            {"timestamp", "temporal", 0.9, []Entity{TimestampEntity}, false, false},
		CreditCard:           {"credit_card", pii, 0.9, []Entity{CreditCardEntity}, true, false},
		IBAN:                 {"iban", pii, 0.95, []Entity{IBANEntity}, true, false},
		Phone:                {"phone", pii, 0.7, []Entity{PhoneEntity}, true, false},
		USSSN:                {"us_ssn", pii, 0.85, []Entity{USSSNEntity}, true, false},
	}
}

const (
	secret     = "secret"
	credential = "credential"
	identifier = "identifier"
	pii        = "pii"
	network    = "network"
)

// IsSecret reports whether a kind is of the category secret, which beats the others.
func (k Kind) IsSecret() bool { return k >= PrivateKey && k <= HighEntropy }
