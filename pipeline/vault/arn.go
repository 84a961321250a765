package vault

import "bytes"

const arnParts = 6

// isARN tells arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE ("Amazon Resource
// Names", AWS IAM User Guide).
func isARN(value []byte) bool {
	return bytes.HasPrefix(value, []byte("arn:")) && bytes.Count(value, []byte(":")) >= arnParts-1
}

// arn keeps partition, service, region and resource type. Account and names get
// names of their own, each remembered alone; the ARN as a whole is not.
func (j *job) arn(dst, value []byte) (out []byte, ok bool) {
	rest := value
	var service []byte
	for i := range arnParts - 1 {
		part, more, _ := bytes.Cut(rest, []byte(":"))
		rest = more
		if i == 2 {
			service = part
		}
		if i < 4 {
			dst = append(dst, part...)
		} else if dst, ok = j.arnAccount(dst, part); !ok {
			return dst, false
		}
		dst = append(dst, ':')
	}
	return j.arnResource(dst, service, rest)
}

func (j *job) arnAccount(dst, account []byte) (out []byte, ok bool) {
	switch {
	case len(account) == 0 || string(account) == "aws" || string(account) == "cloudfront" || string(account) == "*":
		return append(dst, account...), true
	case isDigits(account):
		return j.account(dst, "aws_account_id", account)
	}
	return j.account(dst, "cloud_account", account)
}

// arnResource appends the segments of a resource, separated by : and /.
func (j *job) arnResource(dst, service, resource []byte) (out []byte, ok bool) {
	typed := hasTypes(string(service))
	for len(resource) > 0 {
		segment, separator := resource, []byte(nil)
		if i := bytes.IndexAny(resource, ":/"); i >= 0 {
			segment, separator = resource[:i], resource[i:i+1]
		}
		resource = resource[len(segment)+len(separator):]
		if len(segment) == 0 || string(segment) == "*" || typed && len(segment) <= maxWord && isARNType(string(segment)) {
			dst = append(dst, segment...)
		} else if dst, ok = j.segment(dst, segment); !ok {
			return dst, false
		}
		dst = append(dst, separator...)
	}
	return dst, true
}

// segment appends the name of a part that is a resource or an account.
func (j *job) segment(dst, segment []byte) (out []byte, ok bool) {
	if isDigits(segment) && len(segment) == 12 {
		return j.account(dst, "aws_account_id", segment)
	}
	return j.resource(dst, "resource_name", segment)
}

// hasTypes tells services whose ARNs hold types; those of the others hold names
// alone.
func hasTypes(service string) bool { return service != "s3" && service != "sns" && service != "sqs" }

// isARNType tells the types of resources; any other word may be a name ("Actions,
// resources, and condition keys", AWS Service Authorization Reference).
func isARNType(segment string) bool {
	switch segment {
	case "instance", "volume", "snapshot", "image", "vpc", "subnet", "security-group", "security-group-rule", "network-interface",
		"network-acl", "route-table", "internet-gateway", "natgateway", "elastic-ip", "key-pair", "launch-template", "vpc-endpoint",
		"vpc-peering-connection", "transit-gateway", "transit-gateway-attachment", "vpn-connection", "vpn-gateway", "customer-gateway",
		"dhcp-options", "placement-group", "reserved-instances", "prefix-list",
		"user", "role", "group", "policy", "instance-profile", "mfa", "oidc-provider", "saml-provider", "server-certificate", "assumed-role",
		"federated-user", "root", "access-key",
		"function", "layer", "event-source-mapping", "table", "index", "stream", "backup", "global-table",
		"cluster", "nodegroup", "fargateprofile", "addon", "access-entry", "service", "task", "task-definition", "container-instance",
		"capacity-provider", "repository", "db", "cluster-snapshot", "subgrp", "pg", "og", "cluster-pg", "es", "secgrp", "proxy", "cluster-endpoint",
		"log-group", "log-stream", "destination", "alarm", "dashboard", "rule", "event-bus", "archive", "stateMachine", "execution", "activity",
		"key", "alias", "secret", "parameter", "document", "certificate", "distribution", "hostedzone", "change", "healthcheck",
		"loadbalancer", "app", "net", "gwy", "targetgroup", "listener", "listener-rule", "autoScalingGroup", "autoScalingGroupName",
		"launchConfiguration", "launchConfigurationName", "scalingPolicy", "policyName", "restapis", "apis", "stages", "resources", "methods",
		"file-system", "access-point", "mount-target", "domain", "domainname", "trail", "detector", "finding", "analyzer", "webacl", "regional",
		"global", "ipset", "rulegroup", "stack", "stackset", "changeSet", "pipeline", "project", "build", "application", "environment",
		"applicationversion", "replicationgroup", "parametergroup", "subnetgroup", "userpool", "identitypool", "graph", "model", "endpoint",
		"endpoint-config", "notebook-instance", "training-job", "crawler", "database", "catalog", "job", "workgroup", "datacatalog",
		"backup-vault", "backup-plan", "recovery-point", "organization", "account", "ou", "session", "workspace", "directory",
		"configuration-recorder", "config-rule", "hub", "product", "subscription", "deliverystream", "broker", "configuration", "connection":
		return true
	}
	return false
}
