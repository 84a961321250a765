package mcplayer

// CallOption is a setting of one in-process call.
type CallOption struct {
	principal  *Principal
	request    *RequestInfo
	onProgress func(Progress)
	onLog      func(LogMessage)
}

// As makes the call on behalf of p; nil stands for [Anonymous].
func As(p *Principal) CallOption {
	if p == nil {
		p = Anonymous()
	}
	return CallOption{principal: p}
}

// WithRequest gives the call the facts of a request.
func WithRequest(r *RequestInfo) CallOption { return CallOption{request: r} }

// OnProgress hands the progress that a handler reports to f. F is called by one
// goroutine at a time and never after the call has returned: the call waits for
// it.
func OnProgress(f func(Progress)) CallOption { return CallOption{onProgress: f} }

// OnLog hands the messages that a handler logs to f, all levels. F may be called
// concurrently, but never after the call has returned: the call waits for it.
func OnLog(f func(LogMessage)) CallOption { return CallOption{onLog: f} }

func (o *CallOption) apply(c *call) {
	if o.principal != nil {
		c.info.Principal = o.principal
		return
	}
	if c.client == noClient {
		c.client = &client{}
	}
	switch {
	case o.request != nil:
		request := o.request
		c.client.request = func() *RequestInfo { return request }
		c.client.requestID = request.RequestID
	case o.onProgress != nil:
		c.client.onProgress = o.onProgress
	case o.onLog != nil:
		c.client.onLog = o.onLog
	}
}
