package pipeline_test

import "testing"

// What only looks like a mask, a hash, a call or a member in source code goes.
func TestRedactsLookalikes(t *testing.T) {
	for doc, want := range map[string]string{
		`{"password":"P4ssw***rd"}`:            `{"password":"[REDACTED:secret_value]"}`,
		`{"password":"pa******rd"}`:            `{"password":"pa******rd"}`,
		`{"password":"AKIA***BV2M"}`:           `{"password":"AKIA***BV2M"}`,
		`{"password":"ab***c*d"}`:              `{"password":"ab***c*d"}`,
		`{"password":"ab**"}`:                  `{"password":"[REDACTED:secret_value]"}`,
		`{"password":"a*b*c*"}`:                `{"password":"[REDACTED:secret_value]"}`,
		`{"token":"admin:0123456789ab"}`:       `{"token":"[REDACTED:secret_value]"}`,
		`{"token":"api_token:0123456789ab"}`:   `{"token":"api_token:0123456789ab"}`,
		`{"x":"token=admin:0123456789ab"}`:     `{"x":"token=[REDACTED:secret_value]"}`,
		`{"x":"DB_PASSWORD=xK9(mQ2#vL5"}`:      `{"x":"DB_PASSWORD=[REDACTED:secret_value]"}`,
		`{"x":"DB_PASSWORD=xK9[mQ2#vL5\nA=b"}`: `{"x":"DB_PASSWORD=[REDACTED:secret_value]\nA=b"}`,
		`{"x":"password=getpass(a)"}`:          `{"x":"password=getpass(a)"}`,
		`{"x":"see config.acme.internal"}`:     `{"x":"see [REDACTED:hostname]"}`,
		`{"x":"https://secrets.acme.com/v1"}`:  `{"x":"https://[REDACTED:hostname]/v1"}`,
		`{"x":"env.prod.corp:8443"}`:           `{"x":"[REDACTED:hostname]:8443"}`,
		`{"x":"this.app is"}`:                  `{"x":"this.app is"}`,
	} {
		p := build(t, "redact", options{"strategies": options{"secret": "redact", "hostname": "redact"}})
		if got, _ := run(t, p, doc); got != want {
			t.Errorf("%s became %s, want %s", doc, got, want)
		}
	}
}

// What is no host is not made coarser as one.
func TestGeneralizeHostsOnly(t *testing.T) {
	for _, tt := range []struct{ entity, doc, want string }{
		{"secret", `{"password":"correct.horse"}`, `{"password":"[REDACTED:secret_value]"}`},
		{"secret", `{"x":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"}`, `{"x":"[REDACTED:jwt]"}`},
		{"person", `{"tags":{"owner":"john.smith"}}`, `{"tags":{"owner":"[REDACTED:person]"}}`},
		{"hostname", `{"x":"db.eu.example.com"}`, `{"x":"example.com"}`},
		{"email", `{"x":"ada@mail.example.com"}`, `{"x":"example.com"}`},
		{"hostname", `{"host":"example.com"}`, `{"host":"example.com"}`},
	} {
		p := build(t, "redact", options{"strategies": options{tt.entity: "generalize"}})
		if got, _ := run(t, p, tt.doc); got != tt.want {
			t.Errorf("%s became %s, want %s", tt.doc, got, tt.want)
		}
	}
}
