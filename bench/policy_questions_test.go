package bench_test

import (
	"log/slog"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// serverPolicy has the parts of an ordinary document: lists of names and categories
// that a role may override, capabilities that nobody has without a grant, a ceiling
// that roles move, and denials that nothing overrides.
const serverPolicy = `
name: server
hide_denied: false
deny_tools: ["drop_*", "*_raw"]
deny_categories: [live]
deny_capabilities: [exec, reveal]
max_sensitivity: confidential
roles:
  admin: {allow_tools: ["drop_*"], allow_capabilities: [exec], max_sensitivity: restricted}
  operator: {allow_categories: [live], allow_capabilities: [exec]}
  analyst: {deny_tools: ["export_*"]}
  contractor: {deny_categories: [billing], deny_capabilities: [cloud_access], max_sensitivity: internal}
`

func loadPolicy(tb testing.TB) *policy.Policy {
	tb.Helper()
	doc, err := policy.ParseDocument([]byte(serverPolicy), "server.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	p, err := policy.New(doc, &policy.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// question is one that each engine is asked in its own words.
type question struct {
	spec *mcplayer.Spec
	who  *mcplayer.Principal
}

// questions are all combinations of 225 tools and 8 callers.
func questions() (all []question) {
	callers := []*mcplayer.Principal{
		mcplayer.NewPrincipal("nobody"), mcplayer.NewPrincipal("ada", "admin"), mcplayer.NewPrincipal("ole", "operator"),
		mcplayer.NewPrincipal("ann", "analyst"), mcplayer.NewPrincipal("con", "contractor"), mcplayer.NewPrincipal("amy", "analyst", "operator"),
		mcplayer.NewPrincipal("cai", "admin", "contractor"), mcplayer.NewPrincipal("max", "admin", "analyst", "operator"),
	}
	for _, spec := range tools() {
		for _, who := range callers {
			all = append(all, question{spec, who})
		}
	}
	return all
}

func tools() (all []*mcplayer.Spec) {
	capabilities := []mcplayer.Capabilities{0, mcplayer.ReadState, mcplayer.Exec | mcplayer.ReadFS, mcplayer.Reveal, mcplayer.CloudAccess | mcplayer.ReadState}
	for _, name := range []string{"get_asset", "export_all", "drop_table", "dump_raw", "drop_raw"} {
		for _, category := range []string{"general", "live", "billing"} {
			for _, sensitivity := range []mcplayer.Sensitivity{mcplayer.Internal, mcplayer.Confidential, mcplayer.Restricted} {
				for _, c := range capabilities {
					all = append(all, &mcplayer.Spec{Kind: mcplayer.KindTool, Name: name, Category: category, Sensitivity: sensitivity, Capabilities: c})
				}
			}
		}
	}
	return all
}

// counted are the capabilities that a tool counts as having: the other engines have
// no rule for a tool that declares none, so that it is asked about with all of them.
func counted(spec *mcplayer.Spec) mcplayer.Capabilities {
	if spec.Capabilities != 0 {
		return spec.Capabilities
	}
	return mcplayer.ReadState | mcplayer.WriteState | mcplayer.ReadFS | mcplayer.WriteFS | mcplayer.CloudAccess | mcplayer.Exec
}
