package validate_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/google/jsonschema-go/jsonschema"
)

// Rules: the schema that a tag makes, a value that it lets pass, and one that it refuses.
var ruleCases = []struct {
	name   string
	zero   any
	tags   string
	schema string
	good   string
	bad    string
	want   string
}{
	{"min", 0, `validate:"min=1"`, `{"type":"integer","minimum":1}`, `1`, `0`, `v: must be 1 or greater [range]`},
	{"max", 0, `validate:"max=500"`, `{"type":"integer","maximum":500}`, `500`, `501`, `v: must be 500 or less [range]`},
	{"min and max", 0, `validate:"min=1,max=500"`, `{"type":"integer","minimum":1,"maximum":500}`, `7`, `1e3`, `v: must be 500 or less [range]`},
	{"gte hex", 0, `validate:"gte=0x10"`, `{"type":"integer","minimum":16}`, `16`, `15`, `v: must be 16 or greater [range]`},
	{"lte", 0, `validate:"lte=-1"`, `{"type":"integer","maximum":-1}`, `-1`, `0`, `v: must be -1 or less [range]`},
	{"gt", 0, `validate:"gt=0"`, `{"type":"integer","exclusiveMinimum":0}`, `1`, `0`, `v: must be greater than 0 [range]`},
	{"lt", 0, `validate:"lt=10"`, `{"type":"integer","exclusiveMaximum":10}`, `9`, `10`, `v: must be less than 10 [range]`},
	{"gt on int8", int8(0), `validate:"gt=0"`, `{"type":"integer","maximum":127,"exclusiveMinimum":0}`, `1`, `0`, `v: must be greater than 0 [range]`},
	{"min on uint8", uint8(0), `validate:"min=3"`, `{"type":"integer","minimum":3,"maximum":255}`, `3`, `2`, `v: must be 3 or greater [range]`},
	{"min on float", 0.0, `validate:"min=0.5"`, `{"type":"number","minimum":0.5}`, `0.5`, `0.49`, `v: must be 0.5 or greater [range]`},
	{"lt on float32", float32(0), `validate:"lt=1"`, `{"type":"number","exclusiveMaximum":1}`, `0.9`, `1`, `v: must be less than 1 [range]`},
	{"len on int", 0, `validate:"len=5"`, `{"type":"integer","minimum":5,"maximum":5}`, `5`, `6`, `v: must be 5 [range]`},
	{"min beyond float64", int64(0), `validate:"min=9007199254740993"`, `{"type":"integer","minimum":9007199254740991}`, `9007199254740993`, `9007199254740992`, `v: must be 9007199254740993 or greater [range]`},
	{"min on string", "", `validate:"min=2"`, `{"type":"string","minLength":2}`, `"éé"`, `"é"`, `v: must have at least 2 characters [length]`},
	{"max on string", "", `validate:"max=1"`, `{"type":"string","maxLength":1}`, `"é"`, `"éé"`, `v: must have at most 1 character [length]`},
	{"gt on string", "", `validate:"gt=1"`, `{"type":"string","minLength":2}`, `"ab"`, `"a"`, `v: must have at least 2 characters [length]`},
	{"lt on string", "", `validate:"lt=3"`, `{"type":"string","maxLength":2}`, `"ab"`, `"abc"`, `v: must have at most 2 characters [length]`},
	{"len on string", "", `validate:"len=3"`, `{"type":"string","minLength":3,"maxLength":3}`, `"abc"`, `"ab"`, `v: must have exactly 3 characters [length]`},
	{"min on list", []int(nil), `validate:"min=1"`, `{"type":"array","items":{"type":"integer"},"minItems":1}`, `[1]`, `[]`, `v: must have at least 1 item [length]`},
	{"max on map", map[string]int(nil), `validate:"max=1"`, `{"type":"object","maxProperties":1,"additionalProperties":{"type":"integer"}}`, `{"a":1}`, `{"a":1,"b":2}`, `v: must have at most 1 entry [length]`},
	{"min on map", map[string]int(nil), `validate:"min=2"`, `{"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}}`, `{"a":1,"b":2}`, `{"a":1}`, `v: must have at least 2 entries [length]`},
	{"len on bytes", []byte(nil), `validate:"len=2"`, `{"type":"string","minLength":4,"maxLength":4,"pattern":"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$","contentEncoding":"base64"}`, `"aGk="`, `"aGlp"`, `v: must have exactly 2 bytes [length]`},
	{"max on duration", time.Duration(0), `validate:"min=1s,max=1h"`, `{"type":"string","pattern":"^[-+]?(0|(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"}`, `"60m"`, `"61m"`, `v: must be 1h0m0s or less [range]`},
	{"lt on time", time.Time{}, `validate:"lt"`, `{"type":"string","format":"date-time"}`, `"2020-01-01T00:00:00Z"`, `"2999-01-01T00:00:00Z"`, `v: must be in the past [range]`},
	{"gte on time", time.Time{}, `validate:"gte"`, `{"type":"string","format":"date-time"}`, `"2999-01-01T00:00:00Z"`, `"2020-01-01T00:00:00Z"`, `v: must not be in the past [range]`},

	{"oneof", "", `validate:"oneof=red green 'dark blue'"`, `{"type":"string","enum":["red","green","dark blue"]}`, `"dark blue"`, `"Red"`, `v: must be one of: red, green, "dark blue" [enum]`},
	{"oneof on int", 0, `validate:"oneof=5 7"`, `{"type":"integer","enum":[5,7]}`, `7`, `6`, `v: must be one of: 5, 7 [enum]`},
	{"oneof on uint", uint(0), `validate:"oneof=5 7"`, `{"type":"integer","enum":[5,7],"minimum":0}`, `5`, `6`, `v: must be one of: 5, 7 [enum]`},
	{"oneof on enum", level(0), `validate:"oneof=low mid"`, `{"type":"string","enum":["low","mid"]}`, `"mid"`, `"high"`, `v: must be one of: low, mid [enum]`},
	{"oneof on duration", time.Duration(0), `validate:"oneof=1m 1h"`, `{"type":"string","pattern":"^[-+]?(0|(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"}`, `"60s"`, `"61s"`, `v: must be one of: 1m0s, 1h0m0s [enum]`},
	{"oneof is not emptied by zero", "", `validate:"oneof=a b"`, `{"type":"string","enum":["a","b"]}`, `"a"`, `""`, `v: must be one of: a, b [enum]`},
	{"omitempty does not excuse zero", 0, `validate:"omitempty,min=1"`, `{"type":"integer","minimum":1}`, `1`, `0`, `v: must be 1 or greater [range]`},
	{"oneofci", "", `validate:"oneofci=red green"`, `{"type":"string","pattern":"^([rR][eE][dD]|[gG][rR][eE][eE][nN])$"}`, `"RED"`, `"blue"`, `v: must be one of: red, green, in upper or lower case [enum]`},
	{"noneof", "", `validate:"noneof=red green"`, `{"type":"string","not":{"enum":["red","green"]}}`, `"blue"`, `"red"`, `v: must not be one of: red, green [enum]`},
	{"noneof on int", 0, `validate:"noneof=1 2"`, `{"type":"integer","not":{"enum":[1,2]}}`, `3`, `2`, `v: must not be one of: 1, 2 [enum]`},
	{"noneofci", "", `validate:"noneofci=red"`, `{"type":"string","not":{"pattern":"^([rR][eE][dD])$"}}`, `"blue"`, `"RED"`, `v: must not be one of: red, in upper or lower case [enum]`},
	{"eq", "", `validate:"eq=a"`, `{"type":"string","const":"a"}`, `"a"`, `"b"`, `v: must be "a" [enum]`},
	{"eq on int", 0, `validate:"eq=3"`, `{"type":"integer","const":3}`, `3`, `4`, `v: must be 3 [enum]`},
	{"eq on bool", false, `validate:"eq=true"`, `{"type":"boolean","const":true}`, `true`, `false`, `v: must be true [enum]`},
	{"eq on list", []int(nil), `validate:"eq=1"`, `{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":1}`, `[1]`, `[]`, `v: must have exactly 1 item [length]`},
	{"ne", "", `validate:"ne=a"`, `{"type":"string","not":{"const":"a"}}`, `"b"`, `"a"`, `v: must not be "a" [enum]`},
	{"ne empty", "", `validate:"ne="`, `{"type":"string","not":{"const":""}}`, `"b"`, `""`, `v: must not be "" [enum]`},
	{"ne on int", 0, `validate:"ne=0"`, `{"type":"integer","not":{"const":0}}`, `1`, `0`, `v: must not be 0 [enum]`},
	{"ne twice", 0, `validate:"ne=0,ne=1"`, `{"type":"integer","allOf":[{"not":{"const":1}}],"not":{"const":0}}`, `2`, `1`, `v: must not be 1 [enum]`},
	{"eq_ignore_case", "", `validate:"eq_ignore_case=abc"`, `{"type":"string","pattern":"^([aA][bB][cC])$"}`, `"ABC"`, `"abd"`, `v: must be "abc" in upper or lower case [enum]`},
	{"ne_ignore_case", "", `validate:"ne_ignore_case=abc"`, `{"type":"string","not":{"pattern":"^([aA][bB][cC])$"}}`, `"abd"`, `"ABC"`, `v: must not be "abc" in upper or lower case [enum]`},
	{"unique", []string(nil), `validate:"unique"`, `{"type":"array","items":{"type":"string"},"uniqueItems":true}`, `["a","b"]`, `["a","a"]`, `v: must not hold the same item twice [unique]`},
	{"unique on numbers", []int(nil), `validate:"unique"`, `{"type":"array","items":{"type":"integer"},"uniqueItems":true}`, `[1,2]`, `[1,1.0]`, `v: must not hold the same item twice [unique]`},
	{"unique on map", map[string]int(nil), `validate:"unique"`, `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":1,"b":2}`, `{"a":1,"b":1}`, `v: must not hold the same value twice [unique]`},
	{"unique by field", []pair(nil), `validate:"unique=Key"`, `{"type":"array","items":{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}}`, `[{"key":"a"},{"key":"b"}]`, `[{"key":"a"},{"key":"a"}]`, `v: must not hold two items with the same key [unique]`},
	{"port", 0, `validate:"port"`, `{"type":"integer","minimum":1,"maximum":65535}`, `80`, `65536`, `v: must be a port number from 1 to 65535 [range]`},
	{"latitude", 0.0, `validate:"latitude"`, `{"type":"number","minimum":-90,"maximum":90}`, `-90`, `90.5`, `v: must be a latitude from -90 to 90 [range]`},
	{"longitude on string", "", `validate:"longitude"`, `{"type":"string","pattern":"^[-+]?(180(\\.0+)?|((1[0-7]\\d)|([1-9]?\\d))(\\.\\d+)?)$"}`, `"180.0"`, `"180.5"`, `v: must be a longitude from -180 to 180 [range]`},
	{"boolean", "", `validate:"boolean"`, `{"type":"string","enum":["1","t","T","TRUE","true","True","0","f","F","FALSE","false","False"]}`, `"T"`, `"yes"`, `v: must be true or false [enum]`},
	{"alpha", "", `validate:"alpha"`, `{"type":"string","pattern":"^[a-zA-Z]+$"}`, `"abc"`, `"ab1"`, `v: must be letters a-z only [format]`},
	{"alphaspace", "", `validate:"alphaspace"`, `{"type":"string","pattern":"^[a-zA-Z ]+$"}`, `"a b"`, `"a1"`, `v: must be letters a-z and spaces only [format]`},
	{"alphanum", "", `validate:"alphanum"`, `{"type":"string","pattern":"^[a-zA-Z0-9]+$"}`, `"ab1"`, `"a b"`, `v: must be letters a-z and digits only [format]`},
	{"alphanumspace", "", `validate:"alphanumspace"`, `{"type":"string","pattern":"^[a-zA-Z0-9 ]+$"}`, `"a 1"`, `"a-1"`, `v: must be letters a-z, digits and spaces only [format]`},
	{"alphaunicode", "", `validate:"alphaunicode"`, `{"type":"string","pattern":"^[\\p{L}]+$"}`, `"é"`, `"1"`, `v: must be letters only [format]`},
	{"alphanumunicode", "", `validate:"alphanumunicode"`, `{"type":"string","pattern":"^[\\p{L}\\p{N}]+$"}`, `"é1"`, `"-"`, `v: must be letters and digits only [format]`},
	{"numeric", "", `validate:"numeric"`, `{"type":"string","pattern":"^[-+]?[0-9]+(?:\\.[0-9]+)?$"}`, `"-1.5"`, `"1."`, `v: must be a number, such as -1.5 [format]`},
	{"number", "", `validate:"number"`, `{"type":"string","pattern":"^[0-9]+$"}`, `"15"`, `"-1"`, `v: must be digits only [format]`},
	{"hexadecimal", "", `validate:"hexadecimal"`, `{"type":"string","pattern":"^(0[xX])?[0-9a-fA-F]+$"}`, `"0xfF"`, `"xyz"`, `v: must be hexadecimal [format]`},
	{"hexcolor", "", `validate:"hexcolor"`, `{"type":"string","pattern":"^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"}`, `"#fff"`, `"fff"`, `v: must be a color, such as #a0b1c2 [format]`},
	{"iscolor", "", `validate:"iscolor"`, `{"type":"string","anyOf":[{"pattern":"^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"},{"pattern":"^rgb\\([\\t\\n\\f\\r ]*(?:(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])|(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])%)[\\t\\n\\f\\r ]*\\)$"},{"pattern":"^rgba\\([\\t\\n\\f\\r ]*(?:(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])|(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])%)[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0.[1-9]*|[01])[\\t\\n\\f\\r ]*\\)$"},{"pattern":"^hsl\\([\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|[12]\\d\\d|3[0-5]\\d|360)[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|100)%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|100)%[\\t\\n\\f\\r ]*\\)$"},{"pattern":"^hsla\\([\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|[12]\\d\\d|3[0-5]\\d|360)[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|100)%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|100)%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(?:0.[1-9]*|[01])[\\t\\n\\f\\r ]*\\)$"},{"pattern":"^cmyk\\((100|[1-9]?\\d)%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(100|[1-9]?\\d)%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(100|[1-9]?\\d)%[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*(100|[1-9]?\\d)%\\)$"}]}`, `"rgb(1, 2,3)"`, `"red"`, `v: must be a color, such as #a0b1c2 or rgb(0, 31, 255) [format]`},
	{"lowercase", "", `validate:"lowercase"`, `{"type":"string","pattern":"^[^A-Z]+$"}`, `"abc"`, `"aBc"`, `v: must be in lower case [format]`},
	{"uppercase", "", `validate:"uppercase"`, `{"type":"string","pattern":"^[^a-z]+$"}`, `"ABC"`, `"AbC"`, `v: must be in upper case [format]`},
	{"ascii", "", `validate:"ascii"`, `{"type":"string","pattern":"^[\\x00-\\x7F]*$"}`, `"abc"`, `"é"`, `v: must be ASCII only [format]`},
	{"printascii", "", `validate:"printascii"`, `{"type":"string","pattern":"^[\\x20-\\x7E]*$"}`, `"abc"`, `"a\n"`, `v: must be printable ASCII only [format]`},
	{"multibyte", "", `validate:"multibyte"`, `{"type":"string","pattern":"^$|[^\\x00-\\x7F]"}`, `"é"`, `"e"`, `v: must be text with a character beyond ASCII [format]`},
	{"email", "", `validate:"email"`, `{"type":"string","format":"email"}`, `"a@example.com"`, `"a@"`, `v: must be an email address [format]`},
	{"url", "", `validate:"url"`, `{"type":"string","pattern":"^[a-zA-Z][a-zA-Z0-9+.-]*:","format":"uri"}`, `"https://example.com/x"`, `"example.com"`, `v: must be a URL with a scheme, such as https://example.com/x [format]`},
	{"http_url", "", `validate:"http_url"`, `{"type":"string","pattern":"^[hH][tT][tT][pP][sS]?://","format":"uri"}`, `"HTTP://example.com"`, `"ftp://example.com"`, `v: must be a URL that starts with http:// or https:// [format]`},
	{"https_url", "", `validate:"https_url"`, `{"type":"string","pattern":"^[hH][tT][tT][pP][sS]://","format":"uri"}`, `"https://example.com"`, `"http://example.com"`, `v: must be a URL that starts with https:// [format]`},
	{"uri", "", `validate:"uri"`, `{"type":"string","format":"uri-reference"}`, `"/a/b"`, `"a b"`, `v: must be a URI or an absolute path [format]`},
	{"origin", "", `validate:"origin"`, `{"type":"string","pattern":"^[hH][tT][tT][pP][sS]?://[^/?#]+$"}`, `"https://example.com:8080"`, `"https://example.com/"`, `v: must be a web origin, such as https://example.com [format]`},
	{"uuid", "", `validate:"uuid"`, `{"type":"string","pattern":"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$","format":"uuid"}`, `"123E4567-e89b-12d3-a456-426614174000"`, `"123"`, `v: must be a UUID [format]`},
	{"uuid4", "", `validate:"uuid4"`, `{"type":"string","pattern":"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$","format":"uuid"}`, `"9b2c1d1e-0a4f-4c57-8d3f-5a0f7d8e9c10"`, `"9b2c1d1e-0a4f-3c57-8d3f-5a0f7d8e9c10"`, `v: must be a version 4 UUID in lower case [format]`},
	{"ulid", "", `validate:"ulid"`, `{"type":"string","pattern":"^[0-7][A-HJKMNP-TV-Za-hjkmnp-tv-z0-9ſK]{25}$"}`, `"01ARZ3NDEKTSV4RRFFQ69G5FAV"`, `"81ARZ3NDEKTSV4RRFFQ69G5FAV"`, `v: must be a ULID [format]`},
	{"ip", "", `validate:"ip"`, `{"type":"string","anyOf":[{"format":"ipv4"},{"format":"ipv6"}]}`, `"::1"`, `"1.2.3"`, `v: must be an IP address [format]`},
	{"ipv4", "", `validate:"ipv4"`, `{"type":"string","format":"ipv4"}`, `"1.2.3.4"`, `"::1"`, `v: must be an IPv4 address [format]`},
	{"ipv6", "", `validate:"ipv6"`, `{"type":"string","format":"ipv6"}`, `"::1"`, `"1.2.3.4"`, `v: must be an IPv6 address [format]`},
	{"cidr", "", `validate:"cidr"`, `{"type":"string","pattern":"^[0-9a-fA-F:.]+/[0-9]{1,3}$"}`, `"10.0.0.0/8"`, `"10.0.0.0"`, `v: must be an IP network, such as 10.0.0.0/8 [format]`},
	{"cidrv4", "", `validate:"cidrv4"`, `{"type":"string","pattern":"^[0-9a-fA-F:.]+/[0-9]{1,3}$"}`, `"10.0.0.0/8"`, `"10.0.0.1/8"`, `v: must be an IPv4 network, such as 10.0.0.0/8 [format]`},
	{"mac", "", `validate:"mac"`, `{"type":"string","pattern":"^[0-9a-fA-F]{2}([0-9a-fA-F]{2})?([:.-][0-9a-fA-F]{2,4})+$"}`, `"00:1b:44:11:3a:b7"`, `"00:1b"`, `v: must be a MAC address, such as 00:1b:44:11:3a:b7 [format]`},
	{"hostname", "", `validate:"hostname"`, `{"type":"string","pattern":"^[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$","format":"hostname"}`, `"a.example"`, `"1a.example"`, `v: must be a host name [format]`},
	{"hostname_rfc1123", "", `validate:"hostname_rfc1123"`, `{"type":"string","pattern":"^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$","format":"hostname"}`, `"1a.example"`, `"-a"`, `v: must be a host name [format]`},
	{"hostname_port", "", `validate:"hostname_port"`, `{"type":"string","pattern":":\\+?0*[1-9][0-9]{0,4}$"}`, `"example.com:443"`, `"example.com"`, `v: must be a host name and port, such as example.com:443 [format]`},
	{"fqdn", "", `validate:"fqdn"`, `{"type":"string","minLength":1,"maxLength":254,"pattern":"^([a-zA-Z0-9]{1}[a-zA-Z0-9-]{0,62})(\\.[a-zA-Z0-9]{1}[a-zA-Z0-9-]{0,62})*?(\\.[a-zA-Z]{1}[a-zA-Z0-9-]{0,62})\\.?$"}`, `"a.example."`, `"example"`, `v: must be a fully qualified domain name [format]`},
	{"tcp_addr", "", `validate:"tcp_addr"`, `{"type":"string"}`, `"127.0.0.1:80"`, `"localhost:80"`, `v: must be an IP address and port [format]`},
	{"datetime date", "", `validate:"datetime=2006-01-02"`, `{"type":"string","pattern":"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$","format":"date"}`, `"2026-02-28"`, `"2026-13-01"`, `v: must be a date or time in the form "2006-01-02" [format]`},
	{"datetime rfc3339", "", `validate:"datetime=2006-01-02T15:04:05Z07:00"`, `{"type":"string","pattern":"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01]?[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})$","format":"date-time"}`, `"2026-02-28T01:02:03Z"`, `"2026-02-28"`, `v: must be a date or time in the form "2006-01-02T15:04:05Z07:00" [format]`},
	{"datetime clock", "", `validate:"datetime=15:04"`, `{"type":"string","pattern":"^([01]?[0-9]|2[0-3]):[0-5][0-9]$"}`, `"9:05"`, `"25:00"`, `v: must be a date or time in the form "15:04" [format]`},
	{"datetime spaced", "", `validate:"datetime=2006-01-02 15:04:05"`, `{"type":"string","pattern":"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) +([01]?[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.,][0-9]+)?$"}`, `"2026-02-28 01:02:03"`, `"2026-02-28"`, `v: must be a date or time in the form "2006-01-02 15:04:05" [format]`},
	{"datetime months", "", `validate:"datetime=2 Jan 2006"`, `{"type":"string"}`, `"1 Feb 2026"`, `"1 Fbe 2026"`, `v: must be a date or time in the form "2 Jan 2006" [format]`},
	{"timezone", "", `validate:"timezone"`, `{"type":"string"}`, `"UTC"`, `"Mars/Olympus"`, `v: must be an IANA time zone, such as Europe/Paris [format]`},
	{"duration rule", "", `validate:"duration"`, `{"type":"string","pattern":"^[-+]?(0|(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"}`, `"90s"`, `"90"`, `v: must be a duration, such as 1h30m [format]`},
	{"base64", "", `validate:"base64"`, `{"type":"string","pattern":"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$"}`, `"aGk="`, `"aGk"`, `v: must be base64 [format]`},
	{"base64rawurl", "", `validate:"base64rawurl"`, `{"type":"string","pattern":"^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,4})$"}`, `"aGk"`, `"a"`, `v: must be URL-safe base64 without padding [format]`},
	{"json", "", `validate:"json"`, `{"type":"string","contentMediaType":"application/json"}`, `"[1]"`, `"[1"`, `v: must be JSON as text [format]`},
	{"jwt", "", `validate:"jwt"`, `{"type":"string","pattern":"^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*$"}`, `"a.b.c"`, `"a.b"`, `v: must be a JSON web token [format]`},
	{"semver", "", `validate:"semver"`, `{"type":"string","pattern":"^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$"}`, `"1.2.3-rc.1"`, `"1.2"`, `v: must be a semantic version, such as 1.2.3 [format]`},
	{"cron", "", `validate:"cron"`, `{"type":"string","pattern":"^((@(annually|yearly|monthly|weekly|daily|hourly|reboot))|(@every (\\d+(ns|us|µs|ms|s|m|h))+)|(([A-Za-z0-9*?][A-Za-z0-9*?/,#L-]+|[*?0-9])( +([A-Za-z0-9*?][A-Za-z0-9*?/,#L-]+|[*?0-9])){4,6}))$"}`, `"*/5 * * * *"`, `"often"`, `v: must be a cron expression [format]`},
	{"e164", "", `validate:"e164"`, `{"type":"string","pattern":"^\\+?[1-9]\\d{7,14}$"}`, `"+14155552671"`, `"0123"`, `v: must be a phone number, such as +14155552671 [format]`},
	{"sha256", "", `validate:"sha256"`, `{"type":"string","pattern":"^[0-9a-f]{64}$"}`, `"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`, `"E3"`, `v: must be a SHA-256 hash in lower case hex [format]`},
	{"isbn", "", `validate:"isbn"`, `{"type":"string","pattern":"^[0-9X -]+$"}`, `"978-3-16-148410-0"`, `"978-3-16-148410-1"`, `v: must be an ISBN [format]`},
	{"credit_card", "", `validate:"credit_card"`, `{"type":"string"}`, `"4242 4242 4242 4242"`, `"4242 4242 4242 4241"`, `v: must be a credit card number [format]`},
	{"iso3166_1_alpha2", "", `validate:"iso3166_1_alpha2"`, `{"type":"string","pattern":"^[A-Z]{2}$"}`, `"FR"`, `"fr"`, `v: must be an ISO 3166-1 country code of two letters [format]`},
	{"country_code", "", `validate:"country_code"`, `{"type":"string"}`, `"FRA"`, `"XX"`, `v: must be an ISO 3166-1 country code [format]`},
	{"iso4217", "", `validate:"iso4217"`, `{"type":"string","pattern":"^[A-Z]{3}$"}`, `"EUR"`, `"EURO"`, `v: must be an ISO 4217 currency code [format]`},
	{"bcp47", "", `validate:"bcp47_language_tag"`, `{"type":"string"}`, `"en-GB"`, `"x"`, `v: must be a language tag, such as en-GB [format]`},
	{"postcode", "", `validate:"postcode_iso3166_alpha2=GB"`, `{"type":"string"}`, `"SW1A 1AA"`, `"1"`, `v: must be a postcode of GB [format]`},
	{"cve", "", `validate:"cve"`, `{"type":"string","pattern":"^CVE-(1999|2\\d{3})-(0[^0]\\d{2}|0\\d[^0]\\d{1}|0\\d{2}[^0]|[1-9]{1}\\d{3,})$"}`, `"CVE-2021-44228"`, `"CVE-1"`, `v: must be a CVE number, such as CVE-2021-44228 [format]`},
	{"contains", "", `validate:"contains=a.c"`, `{"type":"string","pattern":"a\\.c"}`, `"xa.cx"`, `"abc"`, `v: must contain "a.c" [format]`},
	{"containsany", "", `validate:"containsany=-]^"`, `{"type":"string","pattern":"[\\-\\]\\^]"}`, `"a]"`, `"abc"`, `v: must contain one of the characters "-]^" [format]`},
	{"containsrune", "", `validate:"containsrune=é"`, `{"type":"string","pattern":"é"}`, `"é"`, `"e"`, `v: must contain "é" [format]`},
	{"excludes", "", `validate:"excludes=@"`, `{"type":"string","not":{"pattern":"@"}}`, `"a"`, `"a@"`, `v: must not contain "@" [format]`},
	{"excludesall", "", `validate:"excludesall=!@#"`, `{"type":"string","not":{"pattern":"[!@#]"}}`, `"a"`, `"a#"`, `v: must not contain any of the characters "!@#" [format]`},
	{"excludesrune", "", `validate:"excludesrune=@"`, `{"type":"string","not":{"pattern":"@"}}`, `"a"`, `"@"`, `v: must not contain "@" [format]`},
	{"startswith", "", `validate:"startswith=s3://"`, `{"type":"string","pattern":"^s3://"}`, `"s3://x"`, `"x"`, `v: must start with "s3://" [format]`},
	{"endswith", "", `validate:"endswith=.go"`, `{"type":"string","pattern":"\\.go$"}`, `"x.go"`, `"xgo"`, `v: must end with ".go" [format]`},
	{"startsnotwith", "", `validate:"startsnotwith=/"`, `{"type":"string","not":{"pattern":"^/"}}`, `"a/"`, `"/a"`, `v: must not start with "/" [format]`},
	{"endsnotwith", "", `validate:"endsnotwith=/"`, `{"type":"string","not":{"pattern":"/$"}}`, `"/a"`, `"a/"`, `v: must not end with "/" [format]`},
	{"comma and bar in a parameter", "", `validate:"oneof=a0x2Cb c0x7Cd"`, `{"type":"string","enum":["a,b","c|d"]}`, `"a,b"`, `"a"`, `v: must be one of: "a,b", c|d [enum]`},
	{"or", "", `validate:"email|url"`, `{"type":"string","anyOf":[{"format":"email"},{"pattern":"^[a-zA-Z][a-zA-Z0-9+.-]*:","format":"uri"}]}`, `"a@example.com"`, `"x"`, `v: must be an email address or a URL with a scheme, such as https://example.com/x [format]`},
	{"or of numbers", 0, `validate:"eq=0|min=10"`, `{"type":"integer","anyOf":[{"const":0},{"minimum":10}]}`, `0`, `5`, `v: must be 0 or 10 or greater [range]`},
	{"or with a rule without schema", "", `validate:"timezone|number"`, `{"type":"string"}`, `"5"`, `"x"`, `v: must be an IANA time zone, such as Europe/Paris or digits only [format]`},
	{"dive", []int(nil), `validate:"min=1,dive,min=1"`, `{"type":"array","items":{"type":"integer","minimum":1},"minItems":1}`, `[1]`, `[1,0]`, `v[1]: must be 1 or greater [range]`},
	{"dive twice", [][]string(nil), `validate:"dive,max=1,dive,max=2"`, `{"type":"array","items":{"type":"array","items":{"type":"string","maxLength":2},"maxItems":1}}`, `[["a"]]`, `[["a"],["abc"]]`, `v[1][0]: must have at most 2 characters [length]`},
	{"dive omitempty", []string(nil), `validate:"dive,omitempty,email"`, `{"type":"array","items":{"anyOf":[{"const":""},{"type":"string","format":"email"}]}}`, `["","a@example.com"]`, `["x"]`, `v[0]: must be an email address [format]`},
	{"dive on map", map[string]string(nil), `validate:"dive,max=2"`, `{"type":"object","additionalProperties":{"type":"string","maxLength":2}}`, `{"a":"b"}`, `{"a":"bcd"}`, `v.a: must have at most 2 characters [length]`},
	{"keys", map[string]int(nil), `validate:"dive,keys,alpha,endkeys,min=1"`, `{"type":"object","additionalProperties":{"type":"integer","minimum":1},"propertyNames":{"pattern":"^[a-zA-Z]+$"}}`, `{"a":1}`, `{"1":0}`, `v.1: the name must be letters a-z only [format]; v.1: must be 1 or greater [range]`},
	{"rules inside structs", []pair(nil), `validate:"max=2"`, `{"type":"array","items":{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false},"maxItems":2}`, `[{"key":"a"}]`, `[{"key":""}]`, `v[0].key: must have at least 1 character [length]`},
	{"rules inside pointers", (*pair)(nil), `validate:"required"`, `{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}`, `{"key":"a"}`, `{"key":""}`, `v.key: must have at least 1 character [length]`},
	{"rules inside maps", map[string]pair(nil), ``, `{"type":"object","additionalProperties":{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}}`, `{"x":{"key":"a"}}`, `{"x":{"key":""}}`, `v.x.key: must have at least 1 character [length]`},
	{"isdefault", 0, `validate:"isdefault"`, `{"type":"integer","const":0}`, `0`, `1`, `v: must be left out or empty [rule]`},
	{"custom", 0, `validate:"even"`, `{"type":"integer","multipleOf":2}`, `2`, `3`, `v: must be even [rule]`},
	{"custom with parameter", 0, `validate:"multiple=3"`, `{"type":"integer"}`, `6`, `7`, `v: must follow the rule multiple [rule]`},
	{"custom on struct", pair{}, `validate:"selfless"`, `{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}`, `{"key":"a"}`, `{"key":"self"}`, `v: must follow the rule selfless [rule]`},
	{"method", even(0), `validate:"validateFn=Even"`, `{"type":"integer"}`, `2`, `3`, `v: must be valid [rule]`},
	{"custom after standard", 0, `validate:"min=10,even"`, `{"type":"integer","multipleOf":2,"minimum":10}`, `12`, `13`, `v: must be even [rule]`},
	{"several at once fail on the first", "", `validate:"min=3,alpha"`, `{"type":"string","minLength":3,"pattern":"^[a-zA-Z]+$"}`, `"abc"`, `"1"`, `v: must have at least 3 characters [length]`},
}

type pair struct {
	Key   string `json:"key" validate:"min=1"`
	Value int    `json:"value,omitempty"`
}

type even int

func (e even) Even() bool { return e%2 == 0 }

// house are the rules of one imaginary host.
var house = &validate.Options{Rules: []validate.Rule{
	{
		Tag:     "even",
		Check:   func(v reflect.Value, _ string) bool { return v.Int()%2 == 0 },
		Message: func(string) string { return "must be even" },
		Schema:  func(_ string, s *jsonschema.Schema) { two := 2.0; s.MultipleOf = &two },
	},
	{
		Tag: "multiple",
		Check: func(v reflect.Value, param string) bool {
			n, err := strconv.ParseInt(param, 10, 64)
			if err != nil {
				panic("not a number")
			}
			return v.Int()%n == 0
		},
	},
	{Tag: "selfless", Check: func(v reflect.Value, _ string) bool { return v.FieldByName("Key").String() != "self" }},
}}

func TestRules(t *testing.T) {
	for _, tt := range ruleCases {
		t.Run(tt.name, func(t *testing.T) {
			typ := structOf(tt.zero, tt.tags)
			args := compile(t, typ, house)
			if got := property(t, args.Schema()); got != tt.schema {
				t.Errorf("schema\n got %s\nwant %s", got, tt.schema)
			}
			if _, bad := decode(t, args, typ, `{"v":`+tt.good+`}`); bad != nil {
				t.Errorf("%s is refused: %q", tt.good, bad)
			}
			_, bad := decode(t, args, typ, `{"v":`+tt.bad+`}`)
			if got := strings.Join(bad, "; "); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.bad, got, tt.want)
			}
		})
	}
}
