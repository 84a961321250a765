package validate

import "github.com/google/jsonschema-go/jsonschema"

// A patternRule is a rule about a text that a pattern describes: fully, unless it is called loose. Patterns use
// only what Go and ECMAScript read alike. The source of all is regexes.go of validator/v10.
type patternRule struct {
	noun    string // completes "must be ..."
	pattern string
	format  string
}

func (p patternRule) rule(name string) rule {
	r := rule{on: kString, typ: TypeFormat, say: phrase("must be " + p.noun), schema: func(u use, s *jsonschema.Schema) {
		if u.kind == kString {
			addPattern(s, p.pattern)
			if p.format != "" {
				s.Format = p.format
			}
			if n, limited := patternLengths[name]; limited {
				raise(&s.MinLength, n[0])
				lower(&s.MaxLength, n[1])
			}
		}
	}}
	if p.format == "uuid" || name == "ulid" {
		r.on |= kStringer
	}
	if name == "numeric" || name == "number" {
		r.on |= kNumber
	}
	return r
}

const (
	hex32  = `^[0-9a-f]{32}$`
	uuidRE = `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`
	octet  = `(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])`
	comma  = `[\t\n\f\r ]*,[\t\n\f\r ]*`
	ws     = `[\t\n\f\r ]*`
	triple = `(?:` + octet + comma + octet + comma + octet + `|` + octet + `%` + comma + octet + `%` + comma + octet + `%)`
	hue    = `(?:0|[1-9]\d?|[12]\d\d|3[0-5]\d|360)`
	pct    = `(?:0|[1-9]\d?|100)%`
	alpha  = comma + `(?:0.[1-9]*|[01])`
)

// patternLengths are limits that come on top of a pattern.
var patternLengths = map[string][2]int{"ssn": {11, 11}, "dns_rfc1035_label": {1, 63}, "fqdn": {1, 254}}

var patternRules = map[string]patternRule{
	"alpha":           {"letters a-z only", `^[a-zA-Z]+$`, ""},
	"alphaspace":      {"letters a-z and spaces only", `^[a-zA-Z ]+$`, ""},
	"alphanum":        {"letters a-z and digits only", `^[a-zA-Z0-9]+$`, ""},
	"alphanumspace":   {"letters a-z, digits and spaces only", `^[a-zA-Z0-9 ]+$`, ""},
	"alphaunicode":    {"letters only", `^[\p{L}]+$`, ""},
	"alphanumunicode": {"letters and digits only", `^[\p{L}\p{N}]+$`, ""},
	"numeric":         {"a number, such as -1.5", `^[-+]?[0-9]+(?:\.[0-9]+)?$`, ""},
	"number":          {"digits only", `^[0-9]+$`, ""},
	"hexadecimal":     {"hexadecimal", `^(0[xX])?[0-9a-fA-F]+$`, ""},
	"lowercase":       {"in lower case", `^[^A-Z]+$`, ""}, // loose: upper case beyond ASCII
	"uppercase":       {"in upper case", `^[^a-z]+$`, ""}, // loose: lower case beyond ASCII
	"ascii":           {"ASCII only", `^[\x00-\x7F]*$`, ""},
	"printascii":      {"printable ASCII only", `^[\x20-\x7E]*$`, ""},
	"multibyte":       {"text with a character beyond ASCII", `^$|[^\x00-\x7F]`, ""},

	"hexcolor": {"a color, such as #a0b1c2", `^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`, ""},
	"rgb":      {"a color, such as rgb(0, 31, 255)", `^rgb\(` + ws + triple + ws + `\)$`, ""},
	"rgba":     {"a color, such as rgba(0, 31, 255, 0.5)", `^rgba\(` + ws + triple + alpha + ws + `\)$`, ""},
	"hsl":      {"a color, such as hsl(120, 50%, 50%)", `^hsl\(` + ws + hue + comma + pct + comma + pct + ws + `\)$`, ""},
	"hsla":     {"a color, such as hsla(120, 50%, 50%, 0.5)", `^hsla\(` + ws + hue + comma + pct + comma + pct + alpha + ws + `\)$`, ""},
	"cmyk": {
		"a color, such as cmyk(0%, 20%, 100%, 0%)",
		`^cmyk\((100|[1-9]?\d)%` + comma + `(100|[1-9]?\d)%` + comma + `(100|[1-9]?\d)%` + comma + `(100|[1-9]?\d)%\)$`, "",
	},

	"url":              {"a URL with a scheme, such as https://example.com/x", `^[a-zA-Z][a-zA-Z0-9+.-]*:`, "uri"}, // loose
	"http_url":         {"a URL that starts with http:// or https://", `^[hH][tT][tT][pP][sS]?://`, "uri"},         // loose
	"https_url":        {"a URL that starts with https://", `^[hH][tT][tT][pP][sS]://`, "uri"},                     // loose
	"origin":           {"a web origin, such as https://example.com", `^[hH][tT][tT][pP][sS]?://[^/?#]+$`, ""},     // loose
	"hostname":         {"a host name", `^[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`, "hostname"},
	"hostname_rfc1123": {"a host name", `^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`, "hostname"},
	"hostname_label":   {"a label of a host name", `^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$`, ""},
	"hostname_port":    {"a host name and port, such as example.com:443", `:\+?0*[1-9][0-9]{0,4}$`, ""}, // loose
	"fqdn": {
		"a fully qualified domain name",
		`^([a-zA-Z0-9]{1}[a-zA-Z0-9-]{0,62})(\.[a-zA-Z0-9]{1}[a-zA-Z0-9-]{0,62})*?(\.[a-zA-Z]{1}[a-zA-Z0-9-]{0,62})\.?$`, "",
	}, // loose: length
	"dns_rfc1035_label": {"a DNS label", `^[a-z]([-a-z0-9]*[a-z0-9])?$`, ""},                                                           // loose: length
	"cidr":              {"an IP network, such as 10.0.0.0/8", `^[0-9a-fA-F:.]+/[0-9]{1,3}$`, ""},                                      // loose
	"cidrv4":            {"an IPv4 network, such as 10.0.0.0/8", `^[0-9a-fA-F:.]+/[0-9]{1,3}$`, ""},                                    // loose
	"cidrv6":            {"an IPv6 network, such as 2001:db8::/32", `^[0-9a-fA-F:.]+/[0-9]{1,3}$`, ""},                                 // loose
	"mac":               {"a MAC address, such as 00:1b:44:11:3a:b7", `^[0-9a-fA-F]{2}([0-9a-fA-F]{2})?([:.-][0-9a-fA-F]{2,4})+$`, ""}, // loose
	"e164":              {"a phone number, such as +14155552671", `^\+?[1-9]\d{7,14}$`, ""},

	"uuid":          {"a UUID", uuidRE, "uuid"},
	"uuid_rfc4122":  {"a UUID", uuidRE, "uuid"},
	"uuid3":         {"a version 3 UUID in lower case", `^[0-9a-f]{8}-[0-9a-f]{4}-3[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`, "uuid"},
	"uuid4":         {"a version 4 UUID in lower case", `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, "uuid"},
	"uuid5":         {"a version 5 UUID in lower case", `^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, "uuid"},
	"uuid7":         {"a version 7 UUID in lower case", `^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, "uuid"},
	"uuid3_rfc4122": {"a version 3 UUID", `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-3[0-9a-fA-F]{3}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`, "uuid"},
	"uuid4_rfc4122": {"a version 4 UUID", `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`, "uuid"},
	"uuid5_rfc4122": {"a version 5 UUID", `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-5[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`, "uuid"},
	"ulid":          {"a ULID", `^[0-7][A-HJKMNP-TV-Za-hjkmnp-tv-z0-9ſK]{25}$`, ""}, // (?i) folds ſ to s and the kelvin sign to k

	"md4":       {"an MD4 hash in lower case hex", hex32, ""},
	"md5":       {"an MD5 hash in lower case hex", hex32, ""},
	"sha256":    {"a SHA-256 hash in lower case hex", `^[0-9a-f]{64}$`, ""},
	"sha384":    {"a SHA-384 hash in lower case hex", `^[0-9a-f]{96}$`, ""},
	"sha512":    {"a SHA-512 hash in lower case hex", `^[0-9a-f]{128}$`, ""},
	"ripemd128": {"a RIPEMD-128 hash in lower case hex", hex32, ""},
	"ripemd160": {"a RIPEMD-160 hash in lower case hex", `^[0-9a-f]{40}$`, ""},
	"tiger128":  {"a Tiger-128 hash in lower case hex", hex32, ""},
	"tiger160":  {"a Tiger-160 hash in lower case hex", `^[0-9a-f]{40}$`, ""},
	"tiger192":  {"a Tiger-192 hash in lower case hex", `^[0-9a-f]{48}$`, ""},

	"base32":       {"base32", `^(?:[A-Z2-7]{8})*(?:[A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=|[A-Z2-7]{8})$`, ""},
	"base64":       {"base64", `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$`, ""},
	"base64url":    {"URL-safe base64", `^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=|[A-Za-z0-9_-]{4})$`, ""},
	"base64rawurl": {"URL-safe base64 without padding", `^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,4})$`, ""},
	"datauri":      {"a data URI with base64 content", `^data:[\s\S]*,[A-Za-z0-9+/=]+$`, ""}, // loose
	"jwt":          {"a JSON web token", `^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$`, ""},
	"html_encoded": {"text with an HTML entity", `&#[x]?([0-9a-fA-F]{2})|(&gt)|(&lt)|(&quot)|(&amp)+[;]?`, ""},
	"html":         {"HTML", `<[/]?([a-zA-Z]+).*?>`, ""},
	"url_encoded":  {"percent-encoded", `^(?:[^%]|%[0-9A-Fa-f]{2})*$`, ""},

	"isbn":   {"an ISBN", `^[0-9X -]+$`, ""},                   // loose: check digit
	"isbn10": {"a 10-digit ISBN", `^[0-9X -]+$`, ""},           // loose: check digit
	"isbn13": {"a 13-digit ISBN", `^[0-9 -]+$`, ""},            // loose: check digit
	"issn":   {"an ISSN", `^(?:[0-9]{4}-[0-9]{3}[0-9X])$`, ""}, // loose: check digit

	"eth_addr":                  {"an Ethereum address", `^0x[0-9a-fA-F]{40}$`, ""},
	"eth_addr_checksum":         {"an Ethereum address with checksum", `^0x[0-9a-fA-F]{40}$`, ""},                              // loose
	"btc_addr":                  {"a Bitcoin address", `^[13][a-km-zA-HJ-NP-Z1-9]{25,34}$`, ""},                                // loose
	"btc_addr_bech32":           {"a Bitcoin bech32 address", `^(?:BC1[02-9AC-HJ-NP-Z]{7,76}|bc1[02-9ac-hj-np-z]{7,76})$`, ""}, // loose
	"ssn":                       {"a US social security number, such as 123-45-6789", `^[0-9]{3}[ -]?(0[1-9]|[1-9][0-9])[ -]?([1-9][0-9]{3}|[0-9][1-9][0-9]{2}|[0-9]{2}[1-9][0-9]|[0-9]{3}[1-9])$`, ""},
	"ein":                       {"a US employer number, such as 12-3456789", `^(\d{2}-\d{7})$`, ""},
	"semver":                    {"a semantic version, such as 1.2.3", `^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`, ""},
	"cve":                       {"a CVE number, such as CVE-2021-44228", `^CVE-(1999|2\d{3})-(0[^0]\d{2}|0\d[^0]\d{1}|0\d{2}[^0]|[1-9]{1}\d{3,})$`, ""},
	"mongodb":                   {"a MongoDB object id", `^[a-f\d]{24}$`, ""},
	"mongodb_connection_string": {"a MongoDB connection string", `^mongodb(\+srv)?://`, ""}, // loose
	"cron": {
		"a cron expression",
		`^((@(annually|yearly|monthly|weekly|daily|hourly|reboot))|(@every (\d+(ns|us|µs|ms|s|m|h))+)|(([A-Za-z0-9*?][A-Za-z0-9*?/,#L-]+|[*?0-9])( +([A-Za-z0-9*?][A-Za-z0-9*?/,#L-]+|[*?0-9])){4,6}))$`, "",
	},
	"bic_iso_9362_2014":   {"a BIC", `^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$`, ""},
	"bic":                 {"a BIC", `^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$`, ""},
	"iso3166_1_alpha2":    {"an ISO 3166-1 country code of two letters", `^[A-Z]{2}$`, ""},              // loose: which ones
	"iso3166_1_alpha2_eu": {"an ISO 3166-1 code of an EU country, two letters", `^[A-Z]{2}$`, ""},       // loose: which ones
	"iso3166_1_alpha3":    {"an ISO 3166-1 country code of three letters", `^[A-Z]{3}$`, ""},            // loose: which ones
	"iso3166_1_alpha3_eu": {"an ISO 3166-1 code of an EU country, three letters", `^[A-Z]{3}$`, ""},     // loose: which ones
	"iso3166_2":           {"an ISO 3166-2 subdivision, such as US-CA", `^[A-Z]{2}-[A-Z0-9]{1,3}$`, ""}, // loose: which ones
	"iso4217":             {"an ISO 4217 currency code", `^[A-Z]{3}$`, ""},                              // loose: which ones
}
