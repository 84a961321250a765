package policy

import "context"

// Close saves and closes the vault of the policy, if it opened one. The policy goes on
// deciding, but pseudonyms that are issued from now on are not kept, and it cannot be
// reloaded. Calls after the first do nothing.
//
// A layer does not close its policy, which others may use too. One that it alone uses
// closes with it by
//
//	layer.OnClose(p.Close)
func (p *Policy) Close(context.Context) error {
	p.reloading.Lock()
	defer p.reloading.Unlock()
	p.closed = true
	return p.current.Load().names.closeUnless(nil)
}
