//go:build !race

package mcplayer_test

const raceDetector = false
