package validate

import (
	"encoding"
	stdjson "encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A reader reads the next value of a document into v. It reports false after recording a problem.
type reader func(d *decoder, v reflect.Value) bool

// A shape is what a type looks like in JSON.
type shape uint8

const (
	shapeNone shape = iota
	shapeBool
	shapeInt
	shapeUint
	shapeFloat
	shapeString
	shapeText // a string that a type reads with UnmarshalText
	shapeDuration
	shapeBytes
	shapeAny // any JSON: an interface, raw JSON, a type with UnmarshalJSON
	shapePointer
	shapeList
	shapeArray
	shapeMap
	shapeStruct
)

// A node is how one type is read and described.
type node struct {
	t      reflect.Type
	shape  shape
	want   string // completes "must be ..."
	read   reader
	nullOK bool   // null is a value of the type
	format string // of a text
	elem   *node  // of a pointer, list or map
	key    *node
	plan   *plan
	err    error // why the type cannot be read
}

var (
	rawTypes = []reflect.Type{reflect.TypeFor[jsontext.Value](), reflect.TypeFor[stdjson.RawMessage]()}

	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonType     = reflect.TypeFor[stdjson.Unmarshaler]()
	jsonFromType = reflect.TypeFor[json.UnmarshalerFrom]()
	numberType   = reflect.TypeFor[stdjson.Number]()
	bigIntType   = reflect.TypeFor[big.Int]()
	addrType     = reflect.TypeFor[netip.Addr]()
	prefixType   = reflect.TypeFor[netip.Prefix]()
	addrPortType = reflect.TypeFor[netip.AddrPort]()
)

// knownText says what the text of some types is, and its format.
var knownText = map[reflect.Type][2]string{
	timeType:     {"a date and time, such as 2006-01-02T15:04:05Z", "date-time"},
	addrType:     {"an IP address", "ip"},
	prefixType:   {"an IP network, such as 10.0.0.0/8", ""},
	addrPortType: {"an IP address and port, such as 10.0.0.1:80", ""},
}

func isRaw(t reflect.Type) bool { return t == rawTypes[0] || t == rawTypes[1] }

func isAny(t reflect.Type) bool {
	return t.Kind() == reflect.Interface && t.NumMethod() == 0
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !opaque(t.Elem())
}

// isText reports whether a type is text in JSON because of its methods.
func isText(t reflect.Type) bool {
	_, known := knownText[t]
	p := reflect.PointerTo(t)
	return known || t == durationType || p.Implements(textType) && !p.Implements(jsonType) && !p.Implements(jsonFromType)
}

// opaque reports whether a type reads JSON in a way of its own.
func opaque(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textType) || p.Implements(jsonType) || p.Implements(jsonFromType) || isRaw(t)
}

// simple fills in the node of a type that has no parts.
func (n *node) simple() bool {
	t := n.t
	n.want = "valid"
	switch {
	case t == durationType:
		n.shape, n.want, n.read = shapeDuration, durationWant, readDuration
	case isRaw(t):
		n.shape, n.want, n.read, n.nullOK = shapeAny, "JSON", readRaw, true
	case isText(t):
		known, ok := knownText[t]
		if !ok {
			known[0] = "a valid text"
		}
		n.shape, n.want, n.format = shapeText, known[0], known[1]
		n.read = readText(n.want, TypeFormat, !ok)
	case t == numberType:
		n.shape, n.want, n.read = shapeFloat, "a number", readNumberText
	case t == bigIntType:
		n.shape, n.want, n.read = shapeInt, "a whole number", readBigInt
	case opaque(t):
		n.shape, n.read, n.nullOK = shapeAny, readOpaque(n.want), true
	case isBytes(t):
		n.shape, n.want, n.read = shapeBytes, "base64 text", readBytes
	case isAny(t):
		n.shape, n.want, n.read, n.nullOK = shapeAny, "JSON", readAny, true
	default:
		return n.basic()
	}
	return true
}

func (n *node) basic() bool {
	switch kindsOf(n.t) {
	case kString:
		n.shape, n.want, n.read = shapeString, "a string", readString
	case kInt:
		n.shape, n.want, n.read = shapeInt, "a whole number", readInt(n.t)
	case kUint:
		if n.t.Kind() == reflect.Uintptr {
			return false
		}
		n.shape, n.want, n.read = shapeUint, "a whole number", readUint(n.t)
	case kFloat:
		n.shape, n.want, n.read = shapeFloat, "a number", readFloat(n.t)
	case kBool:
		n.shape, n.want, n.read = shapeBool, "true or false", readBool
	default:
		return false
	}
	return true
}

// readNumberText keeps a number as it was written.
func readNumberText(d *decoder, v reflect.Value) bool {
	num, ok := d.number("a number")
	if ok {
		v.SetString(string(num))
	}
	return ok
}

// readKey reads the name of a member as a key of a map.
func (n *node) readKey(d *decoder, name string, k reflect.Value) bool {
	switch n.shape {
	case shapeString:
		k.SetString(name)
	case shapeText:
		if err := k.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(name)); err != nil {
			return d.fail(TypeFormat, "the name must be "+n.want)
		}
	case shapeInt:
		i, err := strconv.ParseInt(name, 10, n.t.Bits())
		if err != nil || strconv.FormatInt(i, 10) != name {
			return d.fail(TypeFormat, "the name must be "+n.want)
		}
		k.SetInt(i)
	case shapeUint:
		i, err := strconv.ParseUint(name, 10, n.t.Bits())
		if err != nil || strconv.FormatUint(i, 10) != name {
			return d.fail(TypeFormat, "the name must be "+n.want)
		}
		k.SetUint(i)
	}
	return true
}

// keyText is the name that a key had.
func keyText(k reflect.Value) string {
	if m, ok := k.Interface().(encoding.TextMarshaler); ok && k.Kind() != reflect.String {
		text, _ := m.MarshalText()
		return string(text)
	}
	switch kindsOf(k.Type()) {
	case kInt:
		return strconv.FormatInt(k.Int(), 10)
	case kUint:
		return strconv.FormatUint(k.Uint(), 10)
	}
	return k.String()
}

func compareKeys(a, b reflect.Value) int {
	x, y := keyText(a), keyText(b)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
