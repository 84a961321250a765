package mcplayer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Error is a failure that a client may be told about. Message and Data are
// written for the client and pass through its output pipeline; Err is for the
// server's log and never leaves the process.
//
// A handler or middleware returns an Error to choose what the client sees. The
// constructors of this package fill in Code and Type.
type Error struct {
	Code Code
	// Type names the failure in audit lines, for example "AccessDeniedError".
	Type    string
	Message string
	// Data is encoded as JSON; nil means none.
	Data any
	Err  error
}

// The types of the errors that the layer makes itself.
const (
	typeNotFound          = "NotFoundError"
	typeReferenceNotFound = "ReferenceNotFoundError"
	typeInvalidArguments  = "InvalidArgumentsError"
	typeAccessDenied      = "AccessDeniedError"
	typeRateLimited       = "RateLimitedError"
	typeServerClosing     = "ServerClosingError"
	typeTimeout           = "TimeoutError"
)

// Sentinels for [errors.Is]: an [*Error] is the sentinel of its type.
var (
	ErrNotFound          = errors.New("not found")
	ErrReferenceNotFound = errors.New("reference not found")
	ErrInvalidArguments  = errors.New("invalid arguments")
	ErrAccessDenied      = errors.New("access denied")
	ErrRateLimited       = errors.New("rate limited")
	ErrServerClosing     = errors.New("server closing")
	ErrTimeout           = errors.New("handler timed out")
)

func sentinelOf(errorType string) error {
	switch errorType {
	case typeNotFound:
		return ErrNotFound
	case typeReferenceNotFound:
		return ErrReferenceNotFound
	case typeInvalidArguments:
		return ErrInvalidArguments
	case typeAccessDenied:
		return ErrAccessDenied
	case typeRateLimited:
		return ErrRateLimited
	case typeServerClosing:
		return ErrServerClosing
	case typeTimeout:
		return ErrTimeout
	}
	return nil
}

// Error returns the message, followed by the private cause unless that begins with
// it: a text for logs.
func (e *Error) Error() string {
	switch {
	case e == nil:
		return "nil error"
	case e.Err == nil:
		return e.Message
	}
	cause := e.Err.Error()
	if strings.HasPrefix(cause, e.Message) {
		return cause
	}
	return e.Message + ": " + cause
}

// Unwrap returns the private cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Is reports whether target is the sentinel of e's type.
func (e *Error) Is(target error) bool {
	if e == nil {
		return false
	}
	sentinel := sentinelOf(e.Type)
	return sentinel != nil && sentinel == target
}

// AccessDenied returns an error for a caller who may not do what was asked.
func AccessDenied(message string, data any) *Error {
	return &Error{Code: CodeAccessDenied, Type: typeAccessDenied, Message: message, Data: data}
}

// RateLimited returns an error for a caller who has to wait.
func RateLimited(message string, data any) *Error {
	return &Error{Code: CodeRateLimited, Type: typeRateLimited, Message: message, Data: data}
}

// InvalidArguments returns an error for arguments that cannot be accepted. The
// message should say what to change and never repeat a value.
func InvalidArguments(message string, data any) *Error {
	return &Error{Code: CodeInvalidParams, Type: typeInvalidArguments, Message: message, Data: data}
}

// ReferenceNotFound returns an error for a handler that was asked for something
// that does not exist.
func ReferenceNotFound(message string, data any) *Error {
	return &Error{Code: CodeInvalidParams, Type: typeReferenceNotFound, Message: message, Data: data}
}

// notFound is the answer to unknown and hidden primitives alike.
func notFound(kind Kind, name string) *Error {
	e := &Error{Code: CodeInvalidParams, Type: typeNotFound, Message: "Unknown " + kind.String() + ": " + name}
	if kind == KindResource {
		e.Data = map[string]any{"uri": name}
	}
	return e
}

// denied is the answer when nobody said yes: no policy entry, no check.
func denied(info CallInfo) *Error {
	const reason = "no policy grants it"
	return AccessDenied(
		fmt.Sprintf("Access to %s '%s' denied: %s", info.Kind, info.Name, reason),
		map[string]any{"policy": "", "reason": reason})
}

func closing() *Error {
	return &Error{Code: CodeRateLimited, Type: typeServerClosing, Message: "Server closing"}
}

func identityFailed(err error) *Error {
	return &Error{Code: CodeAccessDenied, Type: typeAccessDenied, Message: "Identity could not be established", Err: err}
}

// Code tells a client what went wrong: a JSON-RPC number, or one of the words
// of [CodeTimeout] and [CodeHandlerError]. The zero Code means no error.
type Code int64

// The codes of the layer. Hosts may use numbers of their own, best outside
// -32768 to -32000, which JSON-RPC and MCP reserve.
const (
	CodeInvalidParams Code = jsonrpc.CodeInvalidParams // -32602
	CodeInternal      Code = jsonrpc.CodeInternalError // -32603
	CodeAccessDenied  Code = -31001
	CodeRateLimited   Code = -31029
	CodeTimeout       Code = math.MinInt64     // written "timeout"
	CodeHandlerError  Code = math.MinInt64 + 1 // written "handler_error"
)

// value returns what is written for c: a number or a word.
func (c Code) value() any {
	switch c {
	case CodeTimeout:
		return "timeout"
	case CodeHandlerError:
		return "handler_error"
	}
	return int64(c)
}

// String returns the word or number of c.
func (c Code) String() string { return fmt.Sprint(c.value()) }

// MarshalJSON writes c as a number or a string.
func (c Code) MarshalJSON() ([]byte, error) { return json.Marshal(c.value()) }

// number returns c for a protocol error, which has no words.
func (c Code) number() int64 {
	if c == CodeTimeout || c == CodeHandlerError || c == 0 {
		return jsonrpc.CodeInternalError
	}
	return int64(c)
}

// CodeOf returns the code that err is reported with: that of the first [*Error] in
// its chain, of a *jsonrpc.Error that nothing wraps, else [CodeHandlerError]; 0 for
// nil.
func CodeOf(err error) Code {
	if err == nil {
		return 0
	}
	if e := layerError(err); e != nil && e.Code != 0 {
		return e.Code
	}
	return CodeHandlerError
}

// TypeOf returns the name of err's type as audit lines and messages write it:
// the Type of an [*Error], else the Go type without package and pointers.
func TypeOf(err error) string {
	if err == nil {
		return ""
	}
	if e := layerError(err); e != nil && e.Type != "" {
		return e.Type
	}
	if p, ok := errors.AsType[*privateError](err); ok {
		err = p.error
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return TypeOf(f.cause)
	}
	t := reflect.TypeOf(err)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[") // type arguments name packages
	if name == "" {
		return "error"
	}
	return name
}

// layerError returns the part of err that was written for a client, nil if
// there is none. A JSON-RPC error of the SDK counts if nothing wraps it: its text
// is meant for the wire.
func layerError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e != nil {
		return e
	}
	if e, ok := err.(*jsonrpc.Error); ok && e != nil { //nolint:errorlint // a wrapped one may be the client's
		wire := &Error{Code: Code(e.Code), Type: "JSONRPCError", Message: e.Message}
		if len(e.Data) > 0 {
			wire.Data = e.Data
		}
		return wire
	}
	return nil
}

// plainText is what a client sees of an error that nobody wrote for it.
func plainText(err error) string { return TypeOf(err) + ": " + err.Error() }

// privateError is a plain error of the policy or of the input pipeline. Nobody
// wrote its text for clients, and it may hold what the pipelines protect.
type privateError struct{ error }

func (e *privateError) Unwrap() error { return e.error }

// private marks an error that no client may read, unless it was written for one.
func private(err error) error {
	if layerError(err) != nil {
		return err
	}
	if _, panicked := errors.AsType[*panicError](err); panicked {
		return err
	}
	return &privateError{err}
}

// configErrors collects what is wrong with a configuration.
type configErrors struct{ errs []error }

func (c *configErrors) add(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *configErrors) join() error {
	if len(c.errs) == 0 {
		return nil
	}
	return fmt.Errorf("mcplayer: %s:\n%w", plural(len(c.errs), "configuration error"), errors.Join(c.errs...))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
