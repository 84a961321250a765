// Package validate makes one Go struct the schema, the decoder and the check of a tool's arguments.
//
// [For] and [Compile] read the struct once. What comes out publishes a JSON schema and reads the arguments of
// calls; both follow from the same tags, so they mean the same. The package works on any MCP server: the
// schema goes into the tool, [Checker.Decode] into its handler. [Output] describes what a handler returns.
//
//	type search struct {
//		Query string   `json:"query" validate:"min=1" jsonschema:"what to look for"`
//		Limit int      `json:"limit" default:"50" validate:"min=1,max=500"`
//		Color string   `json:"color,omitempty" validate:"oneof=red green"`
//		Tags  []string `json:"tags,omitempty" validate:"max=5,unique,dive,alphanum"`
//	}
//
// # Tags
//
//   - json names the member. The options are omitempty and omitzero (the argument is optional), and inline or
//     embed on a field with the type of a map or of raw JSON: it takes all members that have no field, which
//     are refused otherwise. Structs embedded in Go are embedded in JSON.
//   - validate holds rules of github.com/go-playground/validator/v10, with all its syntax, and those of
//     [Options.Rules]. Rules of structs inside lists and maps are checked without dive too.
//   - default is the value of an argument that is absent: the text itself where JSON has a string, else JSON.
//   - jsonschema is the description.
//
// Each tag of each field that can be reached is tried by [Compile]. A rule that does not exist or does not fit
// the type, a parameter that makes no sense, a field that is not there, a default that breaks a rule, and a
// misspelt or malformed tag are errors that name type, field and tag.
//
// # Presence
//
// An argument is required if its field has neither omitempty nor omitzero, in whichever of the two tags, or if it
// has the rule required; a pointer is optional without that rule, an argument with a default always is, and so is
// one with a rule like required_if. Required means present: 0, false, "" and [] are values like others, never
// replaced by a default and never excused from a rule by omitempty. For an optional argument, null is absence.
// Rules are checked for arguments that are present or have a default, and defaults come first; a rule that compares
// a field with another one waits for both, except that eqfield refuses what an absent one does not equal.
// required_if and its relatives ask for a field, or exclude it, by presence; their conditions read values. Items of
// a list are always present: there, omitempty lets the empty item pass, required refuses null, and null is possible
// for pointers only.
//
// # Reading
//
// The document is read in one pass. Unknown names, names in the wrong case, names that come twice and data behind
// the document are problems. No document, an empty one and null are {}. Numbers are exact; a type that is too
// small for one says what it can hold. An any holds what encoding/json would put there, but a 64-bit number that
// float64 would change is a [encoding/json.Number]. Types with UnmarshalText are strings, others with UnmarshalJSON
// any JSON; a [time.Duration] is text like "1h30m". These values are accepted in another form:
//
//   - "5", "2.5" and "true", exactly so, for numbers and truth values: the text is read as the JSON it is
//   - 5.0 and 1e3 for whole numbers
//   - a string that holds an object or a list, where a struct, a map or a list is expected, and for the arguments
//     as a whole
//
// What is wrong comes together in one [Error], whose problems have a location, a message for the model, and a type
// of a closed list (see [TypeJSON] and those that follow it). Values are never repeated.
//
// # Limits of the schema
//
// What the check accepts without coercion, the schema accepts, except that null for an optional argument is
// absence and not in the schema, and that a type with UnmarshalText may read more texts than its oneof rule
// publishes. What the schema accepts, the check accepts, except for the following, where the schema is wider:
//
//   - the range of int, int64, uint64 and of floats, and bounds beyond 2^53, which are rounded outwards
//   - the texts of types with UnmarshalText, time.Time, netip types and what a "format" stands for: email, ip and
//     its variants, uri; the values of types with UnmarshalJSON ([Options.Schemas] may say more), the range of durations
//   - rules that compare fields, required_if and its relatives, unique on maps, by field and on items that are
//     not plain, min, max and len of []byte and of durations, and of times, which compare with now
//   - the days of a month, and layouts of datetime with one-digit elements, fractions or zones by name
//   - check digits (isbn, issn, credit_card, luhn_checksum, btc_addr, eth_addr_checksum) and lists of codes (iso3166
//     and iso4217 rules, bcp47_language_tag, postcode_iso3166_alpha2, timezone, country_code)
//   - lowercase and uppercase beyond ASCII; the parts of a url, http_url, https_url, origin, urn, cidr, mac, fqdn,
//     hostname_port, datauri, mimetype or mongodb_connection_string that its pattern does not look at; json, tcp_addr,
//     udp_addr and unix_addr
//   - what is looked up on the server: file, filepath, dir, dirpath, image, uds_exists
//   - validateFn, and custom rules whose Schema is nil or says less than their Check
//   - alternatives (|) of which one is among these
package validate
