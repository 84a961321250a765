package scan

// Entity is what a finding is.
type Entity uint8

// The entities of all kinds.
const (
	ResourceName Entity = iota
	DatasetName
	PrivateKeyEntity
	JWTEntity
	Password
	AWSSecretKeyEntity
	SecretValue
	AuthorizationEntity
	APIToken
	AzureSASEntity
	AzureStorageEntity
	HighEntropyEntity
	AWSAccessKeyEntity
	AWSUniqueEntity
	ARNEntity
	AzureResourceEntity
	GCPResourceEntity
	AzureSubscription
	AzureTenant
	AWSAccount
	UUIDEntity
	EmailEntity
	URLUsername
	PrivateIP
	PublicIP
	SpecialIP
	PrivateCIDR
	PublicCIDR
	SpecialCIDR
	MACEntity
	HostnameEntity
	TimestampEntity
	CreditCardEntity
	IBANEntity
	PhoneEntity
	USSSNEntity

	entities int = iota
)

var entityNames = [entities]string{
	ResourceName:        "resource_name",
	DatasetName:         "dataset_name",
	PrivateKeyEntity:    "private_key",
	JWTEntity:           "jwt",
	Password:            "password",
	AWSSecretKeyEntity:  "aws_secret_access_key",
	SecretValue:         "secret_value",
	AuthorizationEntity: "authorization_header",
	APIToken:            "api_token",
	AzureSASEntity:      "azure_sas_signature",
	AzureStorageEntity:  "azure_storage_key",
	HighEntropyEntity:   "high_entropy_secret",
	AWSAccessKeyEntity:  "aws_access_key_id",
	AWSUniqueEntity:     "aws_unique_id",
	ARNEntity:           "aws_arn",
	AzureResourceEntity: "azure_resource_id",
	GCPResourceEntity:   "gcp_resource_name",
	AzureSubscription:   "azure_subscription_id",
	AzureTenant:         "azure_tenant_id",
	AWSAccount:          "aws_account_id",
	UUIDEntity:          "uuid",
	EmailEntity:         "email",
	URLUsername:         "url_username",
	PrivateIP:           "private_ip",
	PublicIP:            "public_ip",
	SpecialIP:           "special_ip",
	PrivateCIDR:         "private_cidr",
	PublicCIDR:          "public_cidr",
	SpecialCIDR:         "special_cidr",
	MACEntity:           "mac_address",
	HostnameEntity:      "hostname",
	TimestampEntity:     "timestamp",
	CreditCardEntity:    "credit_card",
	IBANEntity:          "iban",
	PhoneEntity:         "phone",
	USSSNEntity:         "us_ssn",
}

// String returns the name of an entity, as options and placeholders have it.
func (e Entity) String() string { return entityNames[e] }
