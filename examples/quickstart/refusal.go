package main

import (
	"context"

	"github.com/cloudg/mcplayer"
)

// password is made up, and put together here so that no scanner of sources takes it
// for a real one.
const password = "Zk7" + "qPw2x9" + "Lm4"

// refused sends it.
var refused = scene{"No secret comes in", "The answer names the kind and the place, not the value.", refusedSecret}

func refusedSecret(ctx context.Context, s *stage) error {
	res, err := s.fail(ctx, "find_assets", object{"text": "postgres://orders:" + password + "@db.internal/orders"})
	if err == nil {
		s.say("as data: %s", compact(res.Meta[mcplayer.MetaPrefix+"error_data"]))
	}
	return err
}
