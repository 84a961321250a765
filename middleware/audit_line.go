package middleware

import (
	"crypto/rand"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/scan"
	"github.com/cloudg/mcplayer/result"
)

// auditCall is what a line tells of.
type auditCall struct {
	info    mcplayer.CallInfo
	intent  bool // the call has not gone on yet: nothing of what follows is known
	begun   time.Time
	res     result.Result
	err     error
	outcome outcome
}

// auditSalt returns the key of the argument hashes.
func auditSalt(salt []byte) []byte {
	if len(salt) > 0 {
		return slices.Clone(salt)
	}
	if salt := os.Getenv(AuditSaltEnv); salt != "" {
		return []byte(salt)
	}
	random := make([]byte, 32)
	rand.Read(random) // never fails
	return random
}

// encode writes the line of a call into e. Code of others runs here, in the errors
// and reports of a call: a panic of it costs the line, not the call.
func (a *Audit) encode(e *auditEntry, c auditCall) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("encode the line: panic: %v", v)
		}
	}()
	enc := a.encoder()
	defer a.encoders.Put(enc)
	enc.arguments(c.info.Arguments)
	line := e.line[:0]
	if a.chained {
		line = appendBlankSeal(line)
	} else {
		line = append(line, '{')
	}
	line = enc.appendArguments(line)
	line = appendEnd(line, c)
	line = append(appendTime(append(line, `"ts":`...), time.Now()), "}\n"...)
	e.line = line
	return nil
}

// appendEnd appends the members from duration_ms to transforms.
func appendEnd(line []byte, c auditCall) []byte {
	event := "mcp.call"
	if c.intent {
		event = "mcp.call.intent"
	} else {
		line = append(line, `"duration_ms":`...)
		line = appendHundredths(line, milliseconds(time.Since(c.begun)))
		line = appendError(append(line, ','), c)
	}
	line = appendMember(line, "event", event)
	line = appendMember(line, "kind", c.info.Kind.String())
	name := scan.Scrub(c.info.Name)
	line = appendMember(line, "name", name)
	if !c.intent {
		line = appendMember(line, "outcome", string(c.outcome))
	}
	line = appendPrincipal(line, c.info.Principal)
	line = appendRequestID(line, c.info.Context)
	if c.info.Spec != nil {
		line = appendMember(line, "sensitivity", c.info.Spec.Sensitivity.String())
	}
	return appendTransforms(line, c, name != c.info.Name)
}

func appendMember(line []byte, name, value string) []byte {
	line = append(append(append(line, '"'), name...), `":`...)
	return append(appendText(line, value), ',')
}

// appendError appends the error member of a call that failed.
func appendError(line []byte, c auditCall) []byte {
	switch {
	case c.err == errUnwound: //nolint:errorlint // it is made here and wrapped by nobody
		return append(line, `"error":{"code":"handler_error","type":"panic"},`...)
	case c.err != nil:
		line = appendCode(append(line, `"error":{"code":`...), mcplayer.CodeOf(c.err))
		line = appendText(append(line, `,"type":`...), scan.Scrub(mcplayer.TypeOf(c.err)))
		return append(line, "},"...)
	case c.outcome == outcomeError:
		line = appendJSON(append(line, `"error":{"code":`...), metaOf(c.res)[c.info.MetaKey("error_code")])
		return append(line, "},"...)
	}
	return line
}

func appendCode(line []byte, code mcplayer.Code) []byte {
	if code == mcplayer.CodeTimeout || code == mcplayer.CodeHandlerError {
		return appendText(line, code.String())
	}
	return strconv.AppendInt(line, int64(code), 10)
}

func appendPrincipal(line []byte, p *mcplayer.Principal) []byte {
	if p == nil {
		return append(line, `"principal":null,`...)
	}
	line = appendText(append(line, `"principal":{"id":`...), p.ID())
	line = append(line, `,"roles":[`...)
	for i, role := range p.Roles() {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendText(line, role)
	}
	return append(line, "]},"...)
}

func appendRequestID(line []byte, tc *mcplayer.ToolContext) []byte {
	line = append(line, `"request_id":`...)
	var id any
	if tc != nil {
		id = tc.RequestID()
	}
	switch id := id.(type) {
	case string:
		line = appendText(line, scan.Scrub(id)) // the client chose it
	case int64:
		line = strconv.AppendInt(line, id, 10)
	default:
		line = append(line, "null"...)
	}
	return append(line, ',')
}

// appendTransforms appends the report of the output pipeline, which repeats the name: it
// is scrubbed if that held a secret.
func appendTransforms(line []byte, c auditCall, secret bool) []byte {
	if c.intent || isMissing(c.res) {
		return line
	}
	report := reportOf(c.res, c.info.MetaKey("transforms"))
	if report == nil {
		return line
	}
	line = append(line, `"transforms":`...)
	from := len(line)
	line = appendJSON(line, report)
	if secret {
		line = appendScrubbed(line[:from], slices.Clone(line[from:]))
	}
	return append(line, ',')
}

// reportOf returns the report of a result, nil if it has none. That of a resource
// stands in its contents.
func reportOf(res result.Result, key string) any {
	r, ok := res.(*result.Resource)
	if !ok {
		return metaOf(res)[key]
	}
	for _, contents := range r.Contents {
		if contents != nil && contents.Meta[key] != nil {
			return contents.Meta[key]
		}
	}
	return nil
}

// appendTime appends a point in time, in UTC with milliseconds.
func appendTime(line []byte, t time.Time) []byte {
	line = t.UTC().AppendFormat(append(line, '"'), time.RFC3339) // faster than other layouts
	ms := t.Nanosecond() / int(time.Millisecond)
	line = append(line[:len(line)-len("Z")], '.', digit(ms/100), digit(ms/10), digit(ms))
	return append(line, `+00:00"`...)
}

func digit(n int) byte { return '0' + byte(n%10) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// hundredths rounds to two decimals.
func hundredths(f float64) float64 { return math.Round(f*100) / 100 }

func appendHundredths(line []byte, f float64) []byte {
	return strconv.AppendFloat(line, hundredths(f), 'f', -1, 64)
}
