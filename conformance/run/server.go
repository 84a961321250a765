package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	serverLog  = "server.log"
	startLimit = 30 * time.Second
)

// A server is one running server.
type server struct {
	url  string
	log  *os.File
	cmd  *exec.Cmd
	done chan error // gets what Wait returned
}

// start builds t, runs it on a free loopback port, and waits until it listens.
func (b *bench) start(ctx context.Context, t target, r revision, logs string) (*server, error) {
	log, err := os.Create(filepath.Join(logs, serverLog))
	if err != nil {
		return nil, err
	}
	s, err := b.launch(ctx, t, r, log)
	if err != nil {
		log.Close()
		return nil, err
	}
	return s, nil
}

// launch is start with a log for what the compiler and the server say.
func (b *bench) launch(ctx context.Context, t target, r revision, log *os.File) (*server, error) {
	binary := filepath.Join(filepath.Dir(log.Name()), "server")
	build := command(ctx, b.root, "go", "build", "-o", binary, t.pkg)
	build.Stdout, build.Stderr = log, log
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build %s: %w", t.pkg, err)
	}
	args := slices.Concat([]string{"-http=127.0.0.1:0"}, r.args, t.args)
	cmd := command(ctx, b.root, binary, args...)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s := &server{log: log, cmd: cmd, done: make(chan error, 1)}
	if err := s.listen(out); err != nil {
		s.stop() // the log says why
		return nil, err
	}
	return s, nil
}

// listen waits for the URL, the first line that the server prints. What comes
// after it goes to the log.
func (s *server) listen(out io.Reader) error {
	first := make(chan string, 1)
	go func() {
		r := bufio.NewReader(out)
		line, _ := r.ReadString('\n')
		first <- strings.TrimSpace(line)
		io.Copy(s.log, r)
		s.done <- s.cmd.Wait() // only now, since Wait closes out
	}()
	select {
	case s.url = <-first:
	case <-time.After(startLimit):
	}
	if s.url == "" {
		return errors.New("the server did not say where it listens")
	}
	return nil
}

// stop ends the server and waits for it. A server that has ended by itself, or
// badly, is an error: the suite may have talked to nobody.
func (s *server) stop() error {
	defer s.log.Close()
	select {
	case err := <-s.done:
		return fmt.Errorf("the server ended before the suite: %w", orEnded(err))
	default:
	}
	s.cmd.Process.Signal(os.Interrupt)
	kill := time.AfterFunc(5*time.Second, func() { s.cmd.Process.Kill() })
	defer kill.Stop()
	if err := <-s.done; err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	return nil
}

func orEnded(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}
