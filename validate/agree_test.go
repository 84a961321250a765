package validate_test

import (
	stdjson "encoding/json"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The schema cannot say everything: the list is the one in the package documentation. Where a rule or a type of it
// is used, the schema accepts values that the check refuses.
var (
	looseRules = strings.Fields(`
		lowercase uppercase url http_url https_url uri origin email ip ipv4 ipv6 ip_addr ip4_addr ip6_addr cidr cidrv4 cidrv6 mac
		hostname_port fqdn urn_rfc2141 urn_rfc8141 datauri mimetype mongodb_connection_string json tcp_addr tcp4_addr tcp6_addr
		udp_addr udp4_addr udp6_addr unix_addr datetime timezone duration isbn isbn10 isbn13 issn credit_card luhn_checksum
		btc_addr btc_addr_bech32 eth_addr_checksum iso3166_1_alpha2 iso3166_1_alpha2_eu iso3166_1_alpha3 iso3166_1_alpha3_eu
		iso3166_1_alpha_numeric iso3166_1_alpha_numeric_eu iso3166_2 iso4217 iso4217_numeric country_code eu_country_code
		bcp47_language_tag bcp47_strict_language_tag postcode_iso3166_alpha2 file filepath dir dirpath image uds_exists
		validateFn multiple selfless`)
	looseTypes = []reflect.Type{
		reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[netip.Prefix](),
		reflect.TypeFor[level](), reflect.TypeFor[point](), reflect.TypeFor[big.Float](), reflect.TypeFor[map[string]time.Time](),
	}
	looseCases = []string{
		"min beyond float64", "len on bytes", "unique on map", "unique by field",
	}
	ruleName = regexp.MustCompile(`[A-Za-z0-9_]+`)
)

func isLoose(name string, typ reflect.Type, tags string) bool {
	for _, n := range ruleName.FindAllString(tags, -1) {
		if slices.Contains(looseRules, n) {
			return true
		}
	}
	if name == "unique" && typ.Kind() == reflect.Map {
		return true
	}
	return slices.Contains(looseTypes, typ) || slices.Contains(looseCases, name)
}

// candidates are values of every sort, those of the tables included.
var candidates = sync.OnceValue(func() []string {
	list := []string{
		`null`, `true`, `false`, `0`, `1`, `-1`, `2`, `3`, `1.5`, `1e3`, `5.0`, `255`, `256`, `1e18`, `65536`, `-0`,
		`""`, `"a"`, `"ab"`, `"abc"`, `"é"`, `"5"`, `"true"`, `"A"`, `"a b"`, `"a\n"`, `"\u0000"`, `"😀"`, `"-"`, `"a-b"`, `"a.b"`,
		`[]`, `[1]`, `["a"]`, `["a","a"]`, `["a","b"]`, `[1,1]`, `[1,2,3]`, `[[1]]`, `[{"key":"a"}]`, `[null]`, `[{}]`,
		`{}`, `{"a":1}`, `{"a":"b"}`, `{"a":1,"b":2}`, `{"1":1}`, `{"key":"a"}`, `{"key":""}`, `{"key":"a","value":1}`, `{"Key":"a"}`,
		`"1h"`, `"90s"`, `"aGk="`, `"10.0.0.1"`, `"2026-01-02T03:04:05Z"`, `"2026-01-02"`,
	}
	for _, tt := range ruleCases {
		list = append(list, tt.good, tt.bad)
	}
	for _, tt := range values {
		list = append(list, tt.sent)
	}
	slices.Sort(list)
	return slices.Compact(list)
})

// beyond matches numbers that a float64 does not hold.
var beyond = regexp.MustCompile(`[eE].?[0-9]{2}|[0-9]{16}`)

// agreement compares check and schema on all candidates that start with one of the given characters; all if there
// are none.
func agreement(t *testing.T, name string, zero any, tags, start string) {
	t.Helper()
	typ, opts := structOf(zero, tags), house
	args := compile(t, typ, opts)
	schema := resolve(t, args.Schema())
	exact := !isLoose(name, typeOf(zero), tags)
	for _, sent := range candidates() {
		if start != "" && !strings.Contains(start, sent[:1]) {
			continue
		}
		doc := `{"v":` + sent + `}`
		if !jsontext.Value(doc).IsValid() || beyond.MatchString(sent) {
			continue // the schema's validator does not see duplicates, and calculates with float64
		}
		_, bad := decode(t, args, typ, doc)
		// What json/v2 reads, it reads without coercion, json.Number apart. Null is absence to the check and a value to the schema.
		plain := typ.Field(0).Type != reflect.TypeFor[stdjson.Number]() && json.Unmarshal([]byte(doc), reflect.New(typ).Interface(), json.RejectUnknownMembers(true)) == nil
		accepts := schemaAccepts(t, schema, doc)
		if bad == nil && plain && !accepts && sent != "null" {
			t.Errorf("%s: the check accepts %s, the schema does not: %s", name, doc, args.Schema())
		}
		if exact && accepts && bad != nil {
			t.Errorf("%s: the schema accepts %s, the check does not: %q: %s", name, doc, bad, args.Schema())
		}
	}
}

func TestSchemaAndCheckAgree(t *testing.T) {
	for _, tt := range ruleCases {
		agreement(t, tt.name, tt.zero, tt.tags, "")
	}
	for _, tt := range typeSchemas {
		agreement(t, tt.name, tt.zero, ``, "")
	}
}

// Every rule, on every plain type that it fits.
func TestEveryRuleAgrees(t *testing.T) {
	for _, name := range tagNames {
		for zero, start := range map[any]string{"": `"`, 0: "-0123456789", 0.0: "-0123456789", false: "tf", [2]int{}: "[", reflect.TypeFor[[]string](): "[", reflect.TypeFor[map[string]int](): "{"} {
			for _, param := range []string{"", "=1", "=ab 5", "=1 5", "=true"} {
				tags := `validate:"` + name + param + `"`
				if strings.HasPrefix(name, "excluded") || strings.HasPrefix(name, "required") || strings.HasSuffix(name, "field") {
					continue // about other fields
				}
				if _, err := validate.Compile(structOf(zero, tags), nil); err == nil {
					agreement(t, name, zero, tags, start)
				}
			}
		}
	}
}

// tagNames are all that a validate tag can hold.
var tagNames = strings.Fields(`
	required required_if required_unless skip_unless required_with required_with_all required_without required_without_all
	excluded_if excluded_unless excluded_with excluded_with_all excluded_without excluded_without_all isdefault len min max eq
	eq_ignore_case ne ne_ignore_case lt lte gt gte eqfield eqcsfield necsfield gtcsfield gtecsfield ltcsfield ltecsfield nefield
	gtefield gtfield ltefield ltfield fieldcontains fieldexcludes alpha alphaspace alphanum alphanumspace alphaunicode
	alphanumunicode boolean numeric number hexadecimal hexcolor rgb rgba hsl hsla cmyk e164 email url http_url https_url uri
	origin urn_rfc8141 urn_rfc2141 file filepath base32 base64 base64url base64rawurl contains containsany containsrune excludes
	excludesall excludesrune startswith endswith startsnotwith endsnotwith image mimetype isbn isbn10 isbn13 issn eth_addr
	eth_addr_checksum btc_addr btc_addr_bech32 uuid uuid3 uuid4 uuid5 uuid7 uuid_rfc4122 uuid3_rfc4122 uuid4_rfc4122
	uuid5_rfc4122 ulid md4 md5 sha256 sha384 sha512 ripemd128 ripemd160 tiger128 tiger160 tiger192 ascii printascii multibyte
	datauri latitude longitude ssn ipv4 ipv6 ip cidrv4 cidrv6 cidr tcp4_addr tcp6_addr tcp_addr udp4_addr udp6_addr udp_addr
	ip4_addr ip6_addr ip_addr unix_addr uds_exists mac hostname hostname_rfc1123 hostname_label fqdn unique oneof oneofci noneof
	noneofci html html_encoded url_encoded dir dirpath json jwt hostname_port port lowercase uppercase datetime timezone
	iso3166_1_alpha2 iso3166_1_alpha2_eu iso3166_1_alpha3 iso3166_1_alpha3_eu iso3166_1_alpha_numeric iso3166_1_alpha_numeric_eu
	iso3166_2 iso4217 iso4217_numeric bcp47_language_tag bcp47_strict_language_tag postcode_iso3166_alpha2
	postcode_iso3166_alpha2_field bic_iso_9362_2014 bic semver dns_rfc1035_label credit_card cve luhn_checksum mongodb
	mongodb_connection_string cron spicedb ein duration validateFn iscolor country_code eu_country_code
	omitempty omitnil omitzero dive keys endkeys structonly nostructlevel -`)

var tagParams = []string{"", "", "", "=", "=1", "=3", "=a", "=a b", "=V", "=W", "=V 1", "=1.5", "=-1", "=2006-01-02", "=V.V", "=[0]", "=0x2C", "='"}

var tagTypes = []any{
	"", 0, int8(0), uint(0), 0.0, float32(0), false, []string(nil), []int(nil),
	[2]int{},
	[]pair(nil), map[string]int(nil), map[int]*pair(nil),
	time.Time{},
	time.Duration(0), level(0), (*int)(nil), (**string)(nil), []*string(nil),
	pair{},
	(*tree)(nil), []byte(nil),
	point{},
	reflect.TypeFor[any](), jsontext.Value(nil), []any(nil), [][]string(nil), make(chan int),
}

// randomTag makes a tag that may or may not make sense.
func randomTag(r *rand.Rand) string {
	var parts []string
	for range 1 + r.IntN(4) {
		part := tagNames[r.IntN(len(tagNames))]
		if r.IntN(3) == 0 {
			part += tagParams[r.IntN(len(tagParams))]
		}
		if r.IntN(6) == 0 {
			part += "|" + tagNames[r.IntN(len(tagNames))]
		}
		if r.IntN(4) == 0 {
			part = "dive," + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}

var tagDocs = []string{
	`{}`, `{"v":null,"w":null}`, `{"v":0,"w":1}`, `{"v":"a","w":"a"}`, `{"v":"","w":""}`, `{"v":[],"w":[1]}`, `{"v":["a"],"w":["b","b"]}`,
	`{"v":{},"w":{"a":1}}`, `{"v":{"key":"a"},"w":{"1":{"key":"b"}}}`, `{"v":[null],"w":[[]]}`, `{"v":true,"w":false}`, `{"v":"2026-01-02T03:04:05Z","w":"1h"}`,
	`{"v":[{"key":"a"},{"key":"a"}],"w":-1}`, `{"v":"low","w":"mid"}`, `{"v":1.5,"w":1e3}`,
}

// combination compiles a struct of two fields with the given tags and reads documents into it.
func combination(t *testing.T, first, second any, tags [2]string) (compiled bool) {
	t.Helper()
	field := func(name, json string, zero any, tag string) reflect.StructField {
		return reflect.StructField{Name: name, Type: typeOf(zero), Tag: reflect.StructTag(`json:"` + json + `" validate:"` + tag + `"`)}
	}
	typ := reflect.StructOf([]reflect.StructField{field("V", "v", first, tags[0]), field("W", "w", second, tags[1])})
	args, err := validate.Compile(typ, nil)
	if err != nil {
		return false
	}
	for _, doc := range tagDocs {
		decode(t, args, typ, doc) // fails on anything that is no *Error, like a panic in the validator
	}
	return true
}

// No combination of tags, sensible or not, panics or fails later than in Compile.
func TestTagCombinations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compiled := 0
	for _, name := range tagNames {
		for _, zero := range tagTypes {
			for _, param := range []string{"", tagParams[r.IntN(len(tagParams))]} {
				if combination(t, zero, zero, [2]string{name + param, ""}) {
					compiled++
				}
			}
		}
	}
	for range 1500 {
		first, second := tagTypes[r.IntN(len(tagTypes))], tagTypes[r.IntN(len(tagTypes))]
		if combination(t, first, second, [2]string{randomTag(r), randomTag(r)}) {
			compiled++
		}
	}
	if compiled < 300 {
		t.Errorf("only %d combinations make sense", compiled)
	}
}
