//go:build race

package mcplayer_test

// raceEnabled tells that the race detector runs, which allocates by itself.
const raceEnabled = true
