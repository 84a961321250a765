package vault

import "bytes"

// maxWord is the length of the longest word in the lists of what is kept, and that
// of text that becomes a string without an allocation.
const maxWord = 32

// hostname keeps of the host of a cloud the labels of service and region; the
// other labels are names, each remembered alone. Other hosts become
// host-8hex.example.
func (j *job) hostname(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	if out, ok := j.known(dst, entity, value); ok {
		return out, ok
	}
	kept := cloudSuffix(value)
	if kept == 0 {
		return j.name(dst, entity, value, formatHost)
	}
	rest, suffix := value[:len(value)-kept], value[len(value)-kept:]
	for len(rest) > 0 {
		label, more, dot := bytes.Cut(rest, []byte("."))
		if dst, ok = j.label(dst, label); !ok {
			return dst, false
		}
		if dot {
			dst = append(dst, '.')
		}
		rest = more
	}
	return append(dst, suffix...), true
}

// label appends a label of the host of a cloud.
func (j *job) label(dst, label []byte) (out []byte, ok bool) {
	if out, ok := j.known(dst, "resource_name", label); ok {
		return out, ok
	}
	switch {
	case len(label) == 0 || len(label) <= maxWord && isServiceLabel(string(label)) || isRegion(label):
		return append(dst, label...), true
	case addressPrefix(label) > 0:
		return j.addressLabel(dst, label)
	}
	return j.resource(dst, "resource_name", label)
}

// cloudSuffix returns the length of the part of a host that names its cloud, or 0.
func cloudSuffix(host []byte) int {
	for i := range host {
		if (i == 0 || host[i-1] == '.') && len(host)-i <= maxWord && isCloudDomain(string(host[i:])) {
			return len(host) - i
		}
	}
	return 0
}

func isCloudDomain(domain string) bool {
	switch domain {
	case "amazonaws.com", "amazonaws.com.cn", "aws.amazon.com", "api.aws", "on.aws", "cloudfront.net", "awsapprunner.com", "elasticbeanstalk.com",
		"compute.internal", "ec2.internal", "windows.net", "azure.com", "azure.net", "azurewebsites.net", "cloudapp.net",
		"azure-api.net", "azurecr.io", "azmk8s.io", "azureedge.net", "azurefd.net", "azurecontainer.io", "azurecontainerapps.io",
		"trafficmanager.net", "azuredatabricks.net", "azure-devices.net", "azuresynapse.net", "microsoftonline.com",
		"googleapis.com", "googleusercontent.com", "run.app", "cloudfunctions.net", "appspot.com", "gcr.io", "pkg.dev", "gserviceaccount.com":
		return true
	}
	return false
}

func isServiceLabel(label string) bool {
	switch label {
	case "s3", "s3-website", "s3-accesspoint", "s3-control", "dualstack", "fips", "ec2", "compute", "compute-1", "rds", "elb", "elasticache", "cache",
		"redshift", "redshift-serverless", "es", "aoss", "eks", "ecr", "dkr", "lambda", "lambda-url", "execute-api", "appsync-api",
		"dynamodb", "dax", "sqs", "sns", "kms", "sts", "iam", "logs", "monitoring", "kinesis", "kafka", "mq", "docdb", "neptune",
		"secretsmanager", "ssm", "efs", "fsx", "cognito-idp", "auth", "iot", "data", "internal", "vpce", "cluster", "cluster-ro", "proxy",
		"blob", "file", "queue", "table", "dfs", "web", "core", "database", "vault", "vaultcore", "redis", "servicebus", "search",
		"documents", "mongo", "postgres", "mysql", "mariadb", "sql", "cloudapp", "scm", "privatelink", "management", "login", "graph",
		"storage", "bigquery", "pubsub", "cloudkms", "cloudresourcemanager", "sqladmin", "container", "iam-gcp", "a", "c", "bc", "docker", "www":
		return true
	}
	return false
}
