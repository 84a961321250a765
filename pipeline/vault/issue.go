package vault

// AppendPseudonym appends the pseudonym of a value to dst, issuing it if need be.
// The owner is the id of the principal that will see it. Special addresses and
// names that hide nothing come back as they are. It is not ok, and dst as it was,
// if the vault is full, the value is empty or longer than 4096 bytes, or no free
// name was found. A known value costs no allocation.
func (v *Vault) AppendPseudonym(dst []byte, owner, entity string, value []byte) (out []byte, ok bool) {
	return v.append(dst, owner, entity, value, true)
}

// Lookup appends the pseudonym that a value already has. It issues nothing and does
// not count as a use.
func (v *Vault) Lookup(dst []byte, owner, entity string, value []byte) (out []byte, ok bool) {
	return v.append(dst, owner, entity, value, false)
}

func (v *Vault) append(dst []byte, owner, entity string, value []byte, issue bool) (out []byte, ok bool) {
	if len(value) == 0 || len(value) > maxValue {
		return dst, false
	}
	j := v.begin(owner, issue)
	defer v.end(j)
	out, ok = j.shape(dst, entity, value)
	if j.full {
		v.refused.Add(1)
	}
	if !ok {
		return dst, false
	}
	return out, true
}

// shape appends the pseudonym of a value in the shape of its entity. A value that
// does not have the form of its entity gets that of a name or of anything else.
func (j *job) shape(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	switch entity {
	case "aws_account_id", "gcp_project_number", "cloud_account", "gcp_project_id", "azure_subscription_id", "azure_tenant_id", "uuid":
		return j.account(dst, entity, value)
	case "aws_arn", "azure_resource_id", "gcp_resource_name", "resource_name", "resource_group":
		return j.resource(dst, entity, value)
	case "email":
		return j.email(dst, entity, value)
	case "hostname":
		return j.hostname(dst, entity, value)
	case "aws_access_key_id":
		return j.formed(dst, entity, value, isAccessKey(value), formatAccessKey)
	case "aws_unique_id":
		return j.formed(dst, entity, value, isUniqueID(value), formatUniqueID)
	case "mac_address":
		return j.mac48(dst, entity, value)
	case "ip_address", "private_ip", "public_ip", "special_ip", "cidr", "private_cidr", "public_cidr", "special_cidr":
		return j.address(dst, entity, value)
	}
	return j.name(dst, entity, value, plainFormat(entity))
}

// formed gives a value the shape of its entity if it has the form of it.
func (j *job) formed(dst []byte, entity string, value []byte, has bool, f format) (out []byte, ok bool) {
	if !has {
		return j.plain(dst, entity, value)
	}
	if out, ok := j.name(dst, entity, value, f); ok {
		return out, true
	}
	return j.plain(dst, entity, value)
}

// account gives an account the shape of its value: digits, a GUID, or a name.
func (j *job) account(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	switch {
	case isDigits(value):
		return j.formed(dst, entity, value, true, formatDigits)
	case isGUID(value):
		return j.guid(dst, entity, value)
	case entity == "cloud_account" || entity == "gcp_project_id":
		return j.name(dst, entity, value, formatAccount)
	}
	return j.plain(dst, entity, value)
}

// resource gives a resource the shape of its value: an ARN, a resource id, a GUID,
// an id of AWS, or a name.
func (j *job) resource(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	switch {
	case isARN(value):
		return j.arn(dst, value)
	case isAzureID(value):
		return j.azureID(dst, value)
	case isGCPName(value):
		return j.gcpName(dst, value)
	case isGUID(value):
		return j.guid(dst, entity, value)
	case isAWSID(value):
		return j.formed(dst, entity, value, true, formatAWSID)
	case entity == "resource_group":
		return j.name(dst, entity, value, formatGroup)
	}
	return j.name(dst, "resource_name", value, formatName)
}
