package detect

import "strings"

// The categories of what is found.
const (
	CategorySecret     = "secret"
	CategoryCredential = "credential"
	CategoryIdentifier = "identifier"
	CategoryPII        = "pii"
	CategoryNetwork    = "network"
	CategoryTemporal   = "temporal"
)

// BuiltinKeyRules returns the rules of this package, in their order: which names
// the interfaces of AWS, Azure and Google Cloud and inventories of them use for
// what.
func BuiltinKeyRules() []KeyRule {
	asset := strings.Fields("asset_type arn provider resource_type account_id region")
	dataset := strings.Fields("asset_count record_count row_count size_bytes dataset_id dataset_type collected_at")
	rules := []KeyRule{
		{Name: "sensitive_key", Entity: "secret_value", Category: CategorySecret, byWords: true},
		{Name: "account_id_key", Entity: entityAccount, ByShape: true, Keys: strings.Fields(accountKeys)},
		{Name: "subscription_key", Entity: entitySubscription, Keys: strings.Fields(subscriptionKeys)},
		{Name: "tenant_key", Entity: "azure_tenant_id", Keys: strings.Fields(tenantKeys)},
		{Name: "gcp_project_key", Entity: entityProject, Keys: strings.Fields(projectKeys)},
		{Name: "gcp_project_number_key", Entity: entityProjectNumber, Keys: strings.Fields("project_number gcp_project_number *_project_number")},
		{Name: "resource_name_key", Entity: entityName, Keys: strings.Fields(nameKeys)},
		{Name: "resource_ref_key", Entity: entityName, Keys: strings.Fields(refKeys)},
		{Name: "dataset_key", Entity: entityDataset, Keys: strings.Fields(datasetKeys)},
		{Name: "dataset_listing_name_key", Entity: entityDataset, Keys: []string{"name"}, Siblings: dataset},
		{Name: "asset_name_key", Entity: entityName, Keys: []string{"name"}, Siblings: asset},
		{Name: "asset_id_key", Entity: entityName, Keys: []string{"id"}, Siblings: asset},
		{Name: "hostname_key", Entity: "hostname", Category: CategoryNetwork, Keys: strings.Fields(hostKeys)},
	}
	for i := range rules {
		if rules[i].Category == "" {
			rules[i].Category = CategoryIdentifier
		}
	}
	return rules
}

// Entities of the key rules.
const (
	entityName    = "resource_name"
	entityDataset = "dataset_name"
)

const (
	accountKeys = "account account_id account_ids accounts account_number aws_account aws_account_id cloud_account cloud_account_id " +
		"owner_id owner_account owner_account_id *_account_id *_account_ids *_account_number"
	subscriptionKeys = "subscription subscriptions subscription_id subscription_ids azure_subscription *_subscription_id *_subscription_ids"
	tenantKeys       = "tenant tenant_id tenant_ids azure_tenant directory_id *_tenant_id *_tenant_ids"
	projectKeys      = "project project_id project_ids gcp_project host_project *_project_id *_project_ids"
	nameKeys         = "asset_name resource_name instance_name vm_name server_name machine_name computer_name node_name pod_name container_name " +
		"cluster_name service_name function_name bucket bucket_name database_name db_name db_instance_identifier db_cluster_identifier " +
		"table_name queue_name topic_name stream_name role_name user_name group_name security_group_name vpc_name subnet_name network_name " +
		"load_balancer_name key_pair_name policy_name stack_name image_name repository_name registry_name storage_account " +
		"storage_account_name resource_group resource_group_name vault_name key_vault_name account_name account_alias secret_name " +
		"workspace_name project_name disk_name volume_name snapshot_name file_system_name certificate_name parameter_name " +
		"log_group log_group_name rule_name target_name source_name parent_name *_instance_name *_cluster_name *_bucket_name *_resource_name"
	refKeys = "ref refs asset_id asset_ids asset_ref asset_refs resource_id resource_ids resource_ref resource_refs source target " +
		"source_id target_id node nodes node_id node_ids from to members neighbors neighbours path parent_id parent_ref " +
		"instance_id instance_ids vpc_id vpc_ids subnet_id subnet_ids security_group_id security_group_ids security_groups volume_id " +
		"image_id network_interface_id attached_to depends_on related_assets *_asset_id *_asset_ids *_asset_ref *_resource_id *_resource_ids"
	datasetKeys = "dataset datasets dataset_id dataset_ids dataset_name dataset_names *_dataset *_dataset_id *_dataset_name"
	hostKeys    = "host hosts hostname hostnames host_name fqdn dns_name public_dns private_dns public_dns_name private_dns_name domain " +
		"domain_name *_host *_hostname *_fqdn *_dns_name"
)
