package validate

import (
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// textRules look into a text with a parameter, or have a form that no pattern describes in full.
var textRules = map[string]rule{
	"contains":      {kString, oneParam, TypeFormat, about("must contain "), pattern("", regexp.QuoteMeta, "")},
	"containsany":   {kString, oneParam, TypeFormat, about("must contain one of the characters "), pattern("", class, "")},
	"containsrune":  {kString, oneParam, TypeFormat, func(u use) string { return "must contain " + quote(first(u.param)) }, pattern("", quoteFirst, "")},
	"excludes":      {kString, oneParam, TypeFormat, about("must not contain "), without("", regexp.QuoteMeta, "")},
	"excludesall":   {kString, oneParam, TypeFormat, about("must not contain any of the characters "), without("", class, "")},
	"excludesrune":  {kString, oneParam, TypeFormat, func(u use) string { return "must not contain " + quote(first(u.param)) }, without("", quoteFirst, "")},
	"startswith":    {kString, oneParam, TypeFormat, about("must start with "), pattern("^", regexp.QuoteMeta, "")},
	"endswith":      {kString, oneParam, TypeFormat, about("must end with "), pattern("", regexp.QuoteMeta, "$")},
	"startsnotwith": {kString, oneParam, TypeFormat, about("must not start with "), without("^", regexp.QuoteMeta, "")},
	"endsnotwith":   {kString, oneParam, TypeFormat, about("must not end with "), without("", regexp.QuoteMeta, "$")},

	"datetime": {kString, oneParam, TypeFormat, func(u use) string { return "must be a date or time in the form " + quote(u.param) }, schemaDatetime},
	"email":    {kString, noParam, TypeFormat, phrase("must be an email address"), format("email")},
	"ip":       {kString, noParam, TypeFormat, phrase("must be an IP address"), anyFormat("ipv4", "ipv6")},
	"ipv4":     {kString, noParam, TypeFormat, phrase("must be an IPv4 address"), format("ipv4")},
	"ipv6":     {kString, noParam, TypeFormat, phrase("must be an IPv6 address"), format("ipv6")},
	"ip_addr":  {kString, noParam, TypeFormat, phrase("must be an IP address"), anyFormat("ipv4", "ipv6")},
	"ip4_addr": {kString, noParam, TypeFormat, phrase("must be an IPv4 address"), format("ipv4")},
	"ip6_addr": {kString, noParam, TypeFormat, phrase("must be an IPv6 address"), format("ipv6")},
	"uri":      {kString, noParam, TypeFormat, phrase("must be a URI or an absolute path"), format("uri-reference")},
	"json": {
		kString | kList, noParam, TypeFormat, phrase("must be JSON as text"),
		func(u use, s *jsonschema.Schema) {
			if u.kind == kString {
				s.ContentMediaType = "application/json"
			}
		},
	},

	"timezone":                {kString, noParam, TypeFormat, phrase("must be an IANA time zone, such as Europe/Paris"), nil},
	"duration":                {kString, noParam, TypeFormat, phrase("must be a duration, such as 1h30m"), func(_ use, s *jsonschema.Schema) { addPattern(s, durationRE) }},
	"tcp_addr":                {kString, noParam, TypeFormat, phrase("must be an IP address and port"), nil},
	"tcp4_addr":               {kString, noParam, TypeFormat, phrase("must be an IPv4 address and port"), nil},
	"tcp6_addr":               {kString, noParam, TypeFormat, phrase("must be an IPv6 address and port"), nil},
	"udp_addr":                {kString, noParam, TypeFormat, phrase("must be an IP address and port"), nil},
	"udp4_addr":               {kString, noParam, TypeFormat, phrase("must be an IPv4 address and port"), nil},
	"udp6_addr":               {kString, noParam, TypeFormat, phrase("must be an IPv6 address and port"), nil},
	"unix_addr":               {kString, noParam, TypeFormat, phrase("must be a Unix socket address"), nil},
	"uds_exists":              {kString, noParam, TypeFormat, phrase("must be an existing Unix socket"), nil},
	"file":                    {kString, noParam, TypeFormat, phrase("must be an existing file"), nil},
	"filepath":                {kString, noParam, TypeFormat, phrase("must be a file path"), nil},
	"dir":                     {kString, noParam, TypeFormat, phrase("must be an existing directory"), nil},
	"dirpath":                 {kString, noParam, TypeFormat, phrase("must be a directory path"), nil},
	"image":                   {kString, noParam, TypeFormat, phrase("must be an existing image file"), nil},
	"mimetype":                {kString, oneParam, TypeFormat, func(u use) string { return "must be an existing file of the type " + u.param }, nil},
	"postcode_iso3166_alpha2": {kString, oneParam, TypeFormat, func(u use) string { return "must be a postcode of " + u.param }, nil},
	"urn_rfc2141":             {kString, noParam, TypeFormat, phrase("must be a URN"), nil},
	"urn_rfc8141":             {kString, noParam, TypeFormat, phrase("must be a URN"), nil},

	"bcp47_language_tag":         {kString, noParam, TypeFormat, phrase("must be a language tag, such as en-GB"), nil},
	"bcp47_strict_language_tag":  {kString, noParam, TypeFormat, phrase("must be a language tag, such as en-GB"), nil},
	"iso3166_1_alpha_numeric":    {kString | kInt | kUint, noParam, TypeFormat, phrase("must be a numeric ISO 3166-1 country code"), nil},
	"iso3166_1_alpha_numeric_eu": {kString | kInt | kUint, noParam, TypeFormat, phrase("must be a numeric ISO 3166-1 code of an EU country"), nil},
	"iso4217_numeric":            {kInt | kUint, noParam, TypeFormat, phrase("must be a numeric ISO 4217 currency code"), nil},
	"credit_card":                {kString, noParam, TypeFormat, phrase("must be a credit card number"), nil},
	"luhn_checksum":              {kString | kInt | kUint, noParam, TypeFormat, phrase("must be a number with a Luhn check digit"), nil},
	"spicedb":                    {kString, maybeParam, TypeFormat, phrase("must be a SpiceDB identifier"), schemaSpiceDB},
}

func about(verb string) func(use) string { return func(u use) string { return verb + quote(u.param) } }

func pattern(before string, escape func(string) string, after string) func(use, *jsonschema.Schema) {
	return func(u use, s *jsonschema.Schema) { addPattern(s, before+escape(u.param)+after) }
}

func without(before string, escape func(string) string, after string) func(use, *jsonschema.Schema) {
	return func(u use, s *jsonschema.Schema) {
		forbid(s, &jsonschema.Schema{Pattern: before + escape(u.param) + after})
	}
}

func format(name string) func(use, *jsonschema.Schema) {
	return func(_ use, s *jsonschema.Schema) { s.Format = name }
}

func anyFormat(names ...string) func(use, *jsonschema.Schema) {
	return func(_ use, s *jsonschema.Schema) {
		var list []*jsonschema.Schema
		for _, n := range names {
			list = append(list, &jsonschema.Schema{Format: n})
		}
		addAnyOf(s, list)
	}
}

// addAnyOf adds alternatives; a schema has only one anyOf of its own, further ones go into allOf.
func addAnyOf(s *jsonschema.Schema, list []*jsonschema.Schema) {
	if s.AnyOf == nil {
		s.AnyOf = list
		return
	}
	s.AllOf = append(s.AllOf, &jsonschema.Schema{AnyOf: list})
}

func first(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

func quoteFirst(s string) string { return regexp.QuoteMeta(first(s)) }

// class is a character class in the syntax that Go and ECMAScript share.
func class(chars string) string {
	return "[" + strings.NewReplacer(`\`, `\\`, "]", `\]`, "[", `\[`, "^", `\^`, "-", `\-`).Replace(chars) + "]"
}

func schemaSpiceDB(u use, s *jsonschema.Schema) {
	switch u.param {
	case "permission":
		addPattern(s, `^([a-z][a-z0-9_]{1,62}[a-z0-9])?$`)
	case "type":
		addPattern(s, `^([a-z][a-z0-9_]{1,61}[a-z0-9]/)?[a-z][a-z0-9_]{1,62}[a-z0-9]$`)
	default:
		addPattern(s, `^(([a-zA-Z0-9/_|\-=+]{1,})|\*)$`)
	}
}
