package detect

import "github.com/cloudg/mcplayer/internal/scan"

// Detector describes what finds an entity.
type Detector struct {
	Name string
	// Entity is what its findings are unless they are refined.
	Entity     string
	Category   string
	Confidence float64
	// Entities are what its findings can be; nil stands for Entity alone.
	Entities []string
	// Optional: it is off unless [Options] enable it.
	Optional bool
}

// Detectors returns the built-in detectors, in their order.
func Detectors() []Detector {
	list := make([]Detector, 0, scan.Kinds)
	for _, d := range scan.Detectors() {
		list = append(list, detectorOf(d))
	}
	return list
}

func detectorOf(d scan.Detector) Detector {
	entities := make([]string, len(d.Entities))
	for i, e := range d.Entities {
		entities[i] = e.String()
	}
	own := Detector{Name: d.Name, Entity: entities[0], Category: d.Category, Confidence: d.Confidence, Entities: entities, Optional: d.Optional}
	if d.Parent {
		own.Entity = Parents(own.Entity)[0]
	}
	return own
}

func builtIns() (list [scan.Kinds]*Detector) {
	for k, d := range scan.Detectors() {
		own := detectorOf(d)
		list[k] = &own
	}
	return list
}

// Parents returns what an entity is a kind of, the nearest first: an option for a parent
// holds for it too, unless there is one of its own.
func Parents(entity string) []string {
	switch entity {
	case "private_ip", "public_ip", "special_ip":
		return []string{"ip_address"}
	case "private_cidr", "public_cidr", "special_cidr":
		return []string{"cidr"}
	case "aws_unique_id":
		return []string{"aws_access_key_id"}
	case "azure_tenant_id":
		return []string{"azure_subscription_id"}
	case "gcp_project_number":
		return []string{"gcp_project_id"}
	}
	return nil
}
