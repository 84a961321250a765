package tools_test

import "testing"

func TestCrashIsSurvived(t *testing.T) {
	layer := newLayer(t)
	checkFailure(t, call(t, layer, "crash", nil), "handler_error", "Internal error in tool crash")
	if res := call(t, layer, "count_assets", object{"by": "provider"}); res.IsError {
		t.Error(text(res))
	}
}

func TestLegacyLookup(t *testing.T) {
	layer := newLayer(t)
	for _, tt := range []struct{ address, text, structured string }{
		{"10.20.11.34", "1 found: orders-api-01", `{"ids":["aws:ec2:instance/i-0f3a9c27d1b84e655"]}`},
		{"2001:db8:ff:8:0::a1", "1 found: tracking-https", `{"ids":["gcp:compute:forwardingRules/global/tracking-https"]}`},
		{"192.0.2.1", "0 found: ", `{"ids":[]}`},
	} {
		res := call(t, layer, "legacy_lookup", object{"address": tt.address})
		if text(res) != tt.text || string(res.Structured) != tt.structured {
			t.Errorf("%s: %s %s", tt.address, text(res), res.Structured)
		}
	}
	res := call(t, layer, "legacy_lookup", object{"address": "localhost"})
	checkFailure(t, res, "handler_error", "errorString: the address is neither IPv4 nor IPv6")
}
