package main

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/cloudg/mcplayer/policy"
)

// reloadOnHangup puts the policy's document in force again each time the process
// gets a SIGHUP, until stop is called. A document that is bad changes nothing.
func reloadOnHangup(p *policy.Policy, source string, logger *slog.Logger) (stop func()) {
	hangup, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		defer close(done)
		for range hangup {
			reload(p, source, logger)
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(hangup)
		<-done
	}
}

func reload(p *policy.Policy, source string, logger *slog.Logger) {
	doc, err := policy.LoadDocument(source)
	if err == nil {
		err = p.Reload(doc)
	}
	if err != nil {
		logger.Error("the policy stays as it was", slog.Any("error", err))
		return
	}
	logger.Info("the policy was read again", slog.String("fingerprint", p.Fingerprint()))
}
