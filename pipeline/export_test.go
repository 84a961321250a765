package pipeline

import "github.com/cloudg/mcplayer"

// SetWorkers sets how many goroutines share a large document of a pass.
func SetWorkers(p mcplayer.Pass, n int) { p.(*Pass).run.Workers = n }
