package detect_test

import (
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

func TestScanner(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"email", "to a.b+c@mail.example.com.", "email=a.b+c@mail.example.com"},
		{"ipv4", "at 10.0.0.1:80", "private_ip=10.0.0.1"},
		{"cidr", "net 52.1.0.0/16,", "public_cidr=52.1.0.0/16"},
		{"access key", "AK" + "IAQ3EGRTYU7IOPASD2", "aws_access_key_id=AKIAQ3EGRTYU7IOPASD2"},
		{"assignment", `"password": "hunter22"`, "secret_value=hunter22"},
		{"escaped quotes", `{\"password\": \"hunter22\"}`, "secret_value=hunter22"},
		{"flag", `mysql --password hunter22 -u root`, "secret_value=hunter22"},
		{"element", `<password>hunter22</password>`, "secret_value=hunter22"},
		{"uuid", "id 3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f", "uuid=3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f"},
		{"account", "in 123456789012", "aws_account_id=123456789012"},
		{"placeholder", `password=[REDACTED:secret_value]`, ""},
	}
	s, err := detect.NewScanner(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := listed(s, tt.text); got != tt.want {
				t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

// listed writes findings as entity=text, with blanks between them.
func listed(s *detect.Scanner, text string) (list string) {
	for i, f := range s.Append(nil, []byte(text)) {
		if i > 0 {
			list += " "
		}
		list += f.Entity + "=" + text[f.Start:f.End]
	}
	return list
}
