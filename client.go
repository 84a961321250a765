package mcplayer

import (
	"encoding/json"
	"math"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is what connects a call to whoever made it.
type client struct {
	request    func() *RequestInfo // nil: there is none
	requestID  any
	session    *mcp.ServerSession
	onProgress func(Progress)
	progress   progressMark
	onLog      func(LogMessage)

	mu        sync.Mutex // guards what follows: a round of input may change it
	responses mcp.InputResponseMap
	state     string
}

// input returns what the client answered to a request for input.
func (cl *client) input() (mcp.InputResponseMap, string) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	return cl.responses, cl.state
}

// noClient stands in where a call has none. It is never written to.
var noClient = &client{}

// connect makes the handler's progress and log messages reach the client's
// session.
func (c *call) connect(session *mcp.ServerSession, meta mcp.Meta) {
	if session == nil {
		return
	}
	if token := progressToken(meta); token != nil {
		c.client.onProgress = func(p Progress) {
			// A client that has gone or cannot take notifications loses them.
			_ = session.NotifyProgress(c, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: p.Done, Total: p.Total, Message: p.Message,
			})
		}
	}
	c.client.onLog = func(m LogMessage) {
		_ = session.Log(c, &mcp.LoggingMessageParams{
			Level: m.Level, Logger: c.info.Name, Data: json.RawMessage(m.Data),
		})
	}
}

// progressToken returns the client's token, nil if it wants no progress.
func progressToken(meta mcp.Meta) any { return meta["progressToken"] }

// progressMark keeps the progress of a call rising.
type progressMark struct {
	mu      sync.Mutex
	last    float64
	started bool
}

func (m *progressMark) report(done float64, send func()) {
	if math.IsNaN(done) || math.IsInf(done, 0) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.started && done <= m.last {
		return
	}
	m.started, m.last = true, done
	send()
}
