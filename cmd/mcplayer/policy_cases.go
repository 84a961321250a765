package main

import "github.com/cloudg/mcplayer/policy"

const casesHelp = `The cases are YAML or JSON:

  cases:
    - name: analysts do not export
      principal: {id: ada, roles: [default, analyst]}  # or anonymous, local, or an id
      primitive: tool:export_all                       # of the specs, or made up like them
      expect: denied                                   # or allowed
      reason: tool denied by rule 'role:analyst'       # may be left out`

func policyTest() command {
	c := command{
		name:    "policy test",
		usage:   "SOURCE CASES... [-specs FILE] [-json]",
		summary: "check that a policy decides as the cases of files expect",
		details: "It exits with 1 if a case fails.\n\n" + casesHelp + "\n\n" + sourceHelp + "\n\n" + specsHelp,
	}
	c.run = func(args []string, std streams) int {
		m := newMatter(c, std)
		files, code, ok := m.load(args, 1, -1, noNames{})
		if !ok {
			return code
		}
		cases, err := m.readCases(files)
		if err != nil {
			return m.failed(err)
		}
		failures := policy.Test(m.policy, m.specs, cases)
		if m.json {
			printJSON(std.out, testReport{len(cases), failuresOf(failures)})
		} else {
			printFailures(failures, len(cases), std)
		}
		return exitCode(len(failures) == 0)
	}
	return c
}

func (m *matter) readCases(files []string) (all []policy.Case, err error) {
	for _, file := range files {
		data, name, err := m.read(file)
		if err != nil {
			return nil, err
		}
		cases, err := policy.ParseCases(data, name)
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	return all, nil
}

func printFailures(failures []policy.Problem, cases int, std streams) {
	for _, f := range failures {
		say(std.out, "%v", f)
	}
	if len(failures) > 0 {
		say(std.out, "%d of %d cases failed", len(failures), cases)
		return
	}
	say(std.out, "ok: %d cases", cases)
}

type testReport struct {
	Cases    int       `json:"cases"`
	Failures []failure `json:"failures"`
}

type failure struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Name    string `json:"name"`
	Message string `json:"message"`
}

func failuresOf(problems []policy.Problem) []failure {
	list := []failure{}
	for _, p := range problems {
		list = append(list, failure{p.File, p.Line, p.Path, p.Message})
	}
	return list
}
