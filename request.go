package mcplayer

import (
	"context"
)

// RequestInfo is what is known of the request that a call came with.
type RequestInfo struct {
	// RequestID is the JSON-RPC id, a string or an int64; nil if not known.
	RequestID any
}

func (r *RequestInfo) id() any {
	if r == nil {
		return nil
	}
	return r.RequestID
}

// Resolver tells who makes a request. Nil without an error means that it does
// not know: the default order decides. An error refuses the request.
type Resolver func(ctx context.Context, request *RequestInfo) (*Principal, error)
