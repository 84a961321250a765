//go:build !race

package mcplayer_test

const raceEnabled = false
