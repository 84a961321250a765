package detect

// Entities of the accounts of clouds.
const (
	entityAccount       = "cloud_account"
	entityAWSAccount    = "aws_account_id"
	entitySubscription  = "azure_subscription_id"
	entityProject       = "gcp_project_id"
	entityProjectNumber = "gcp_project_number"
)

// AccountEntity tells by its shape what an account is: 12 digits are one of AWS, a
// GUID a subscription of Azure, 6 to 30 small letters, digits and hyphens a project
// of Google Cloud (resource manager documentation, "Creating and managing
// projects"), other digits the number of one.
func AccountEntity(text []byte) string {
	switch {
	case isGUID(text):
		return entitySubscription
	case allDigits(text):
		if len(text) == 12 {
			return entityAWSAccount
		}
		return entityProjectNumber
	case isProjectID(text):
		return entityProject
	}
	return entityAccount
}

func allDigits(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) {
			return false
		}
	}
	return len(text) > 0
}

func isGUID(text []byte) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range text {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
		}
	}
	return true
}

func isProjectID(text []byte) bool {
	if len(text) < 6 || len(text) > 30 || !isLower(text[0]) || text[len(text)-1] == '-' {
		return false
	}
	for _, c := range text {
		if !isLower(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

// AccountEntities returns all that [AccountEntity] can tell.
func AccountEntities() []string {
	return []string{entityAccount, entityAWSAccount, entitySubscription, entityProject, entityProjectNumber}
}
