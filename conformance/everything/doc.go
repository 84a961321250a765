// Package everything holds what the conformance suite expects a server to
// offer: the names it calls and what lies behind each of them.
//
// It knows nothing of servers. A handler here is a plain function over the
// SDK's content types; whoever registers it brings what the function needs to
// send. So an SDK server and a server built on the layer offer the same things.
package everything
