package vault

import "bytes"

// isRegion tells the regions and zones of AWS and Google Cloud by their form,
// eu-central-1, us-gov-west-1, europe-west4-a, and the regions of Azure by name.
func isRegion(label []byte) bool {
	if len(label) > maxWord {
		return false
	}
	area, rest, ok := bytes.Cut(label, []byte("-"))
	if !ok || !isArea(string(area)) {
		return isAzureRegion(string(label))
	}
	directions, numbers := 0, 0
	for more := true; more; {
		var part []byte
		part, rest, more = bytes.Cut(rest, []byte("-"))
		word := bytes.TrimRight(part, "0123456789")
		switch {
		case isDirection(string(word)):
			directions++
		case len(part) > 2 || len(part) == 0:
			return false
		}
		if bytes.ContainsAny(part, "0123456789") {
			numbers++
		}
	}
	return directions > 0 && numbers == 1
}

func isArea(area string) bool {
	switch area {
	case "us", "eu", "ap", "ca", "sa", "me", "af", "il", "cn", "mx", "europe", "asia", "australia", "northamerica", "southamerica", "africa":
		return true
	}
	return false
}

func isDirection(word string) bool {
	switch word {
	case "north", "south", "east", "west", "central", "northeast", "northwest", "southeast", "southwest", "gov", "iso", "isob":
		return true
	}
	return false
}

func isAzureRegion(region string) bool {
	switch region {
	case "westeurope", "northeurope", "eastus", "eastus2", "westus", "westus2", "westus3", "centralus", "northcentralus", "southcentralus",
		"westcentralus", "uksouth", "ukwest", "francecentral", "francesouth", "germanywestcentral", "germanynorth", "switzerlandnorth",
		"switzerlandwest", "norwayeast", "norwaywest", "swedencentral", "polandcentral", "italynorth", "spaincentral", "canadacentral", "canadaeast",
		"brazilsouth", "eastasia", "southeastasia", "japaneast", "japanwest", "koreacentral", "koreasouth", "australiaeast",
		"australiasoutheast", "australiacentral", "centralindia", "southindia", "westindia", "uaenorth", "uaecentral",
		"southafricanorth", "southafricawest", "qatarcentral", "israelcentral", "mexicocentral":
		return true
	}
	return false
}
