package resources

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

// summaryTemplate has a variable that stands for one path segment.
const summaryTemplate = "cloudg://datasets/{name}/summary"

func summary(inv *catalog.Inventory) mcplayer.ResourceTemplate {
	return mcplayer.ResourceTemplate{
		URITemplate: summaryTemplate,
		Name:        "dataset-summary",
		Title:       "Summary of a dataset",
		Description: "How many assets a dataset has, by provider and by criticality.",
		Category:    "inventory",
		Tags:        []string{"datasets"},
		Sensitivity: mcplayer.Internal,
		Complete:    map[string]mcplayer.CompletionFunc{"name": Propose(inv.DatasetNames())},
	}
}

// Summary is what the summary of a dataset tells.
type Summary struct {
	Name          string          `json:"name"`
	Description   string          `json:"description"`
	Assets        int             `json:"assets"`
	ByProvider    []catalog.Group `json:"by_provider"`
	ByCriticality []catalog.Group `json:"by_criticality"`
}

func (s *shelf) summary(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
	set, ok := s.inv.Dataset(vars["name"])
	if !ok {
		return nil, mcplayer.ReferenceNotFound("No such dataset; there are "+strings.Join(s.inv.DatasetNames(), ", "), nil)
	}
	assets := s.inv.Find(catalog.Filter{Dataset: set.Name})
	byProvider, err := catalog.Count(assets, "provider")
	if err != nil {
		return nil, err
	}
	byCriticality, err := catalog.Count(assets, "criticality")
	return Summary{set.Name, set.Description, len(assets), byProvider, byCriticality}, err
}

// SummaryURI returns the URI of a dataset's summary: the template knows how to
// write a name into it.
func SummaryURI(reg *mcplayer.Registry, dataset string) (string, error) {
	spec, ok := reg.Lookup(mcplayer.KindResourceTemplate, summaryTemplate)
	if !ok {
		return "", mcplayer.ErrNotFound
	}
	return spec.Expand(map[string]string{"name": dataset})
}
