package main

import (
	"strings"
	"text/tabwriter"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// previewReport is a preview as JSON.
type previewReport struct {
	Before   string          `json:"before"`
	After    string          `json:"after"`
	Changes  []change        `json:"changes"`
	Findings []entity        `json:"findings"`
	Report   mcplayer.Report `json:"report"`
}

type change struct {
	Pointer string `json:"pointer"` // in the document before
	Step    string `json:"step"`
	Option  string `json:"option,omitempty"`
}

type entity struct {
	Pointer    string  `json:"pointer"`
	Entity     string  `json:"entity"`
	Detector   string  `json:"detector"`
	Confidence float64 `json:"confidence"`
	Strategy   string  `json:"strategy"`
	Option     string  `json:"option,omitempty"`
}

func previewReportOf(p *pipeline.Preview) previewReport {
	r := previewReport{p.Before, p.After, []change{}, []entity{}, p.Report}
	for _, c := range p.Changes {
		r.Changes = append(r.Changes, change{string(c.Pointer), c.Step, c.Option})
	}
	for _, f := range p.Findings {
		r.Findings = append(r.Findings, entity{string(f.Pointer), f.Entity, f.Detector, f.Confidence, f.Strategy, f.Option})
	}
	if r.Report == nil {
		r.Report = mcplayer.Report{}
	}
	return r
}

func printPreview(p *pipeline.Preview, std streams) {
	say(std.out, "--- before\n%s", strings.TrimSuffix(p.Before, "\n"))
	say(std.out, "--- after\n%s", strings.TrimSuffix(p.After, "\n"))
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	say(std.out, "--- changes: where, step, option")
	for _, c := range p.Changes {
		say(w, "%s\t%s\t%s", whole(string(c.Pointer)), c.Step, c.Option)
	}
	_ = w.Flush()
	say(std.out, "--- findings: where, entity, what became of it, detector, confidence, option")
	for _, f := range p.Findings {
		say(w, "%s\t%s\t%s\t%s\t%.2f\t%s", whole(string(f.Pointer)), f.Entity, f.Strategy, f.Detector, f.Confidence, f.Option)
	}
	_ = w.Flush()
	say(std.out, "--- report")
	printJSON(std.out, previewReportOf(p).Report)
}

// whole names the document itself, whose pointer is empty.
func whole(pointer string) string {
	if pointer == "" {
		return "(all)"
	}
	return pointer
}
