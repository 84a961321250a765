package mcplayer

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
)

// HTTPOptions configure [Layer.HTTPHandler].
type HTTPOptions struct {
	// Challenge, if set, turns the answer to a denied call into status 403 with
	// this value as WWW-Authenticate header, for example
	//
	//	Bearer error="insufficient_scope", scope="inventory.read"
	//
	// (RFC 6750, section 3.1). It has no effect once a response has begun, as it
	// has when a handler reported progress on an event stream.
	Challenge string
}

// maxPeekBytes is how much of a request is read to find its id: the SDK's own
// bound for a body.
const maxPeekBytes = 4 << 20

// HTTPHandler wraps the SDK's HTTP handler, so that the layer learns the request
// id, and the principal that an auth layer in front of it set with
// [WithPrincipal], for each request by itself.
func (l *Layer) HTTPHandler(h http.Handler, opts *HTTPOptions) http.Handler {
	if opts == nil {
		opts = &HTTPOptions{}
	}
	return &httpHandler{layer: l, inner: h, opts: *opts}
}

type httpHandler struct {
	layer *Layer
	inner http.Handler
	opts  HTTPOptions
}

// ServeHTTP binds what is known of the request to a key of its own. A key that
// the client sent is dropped.
func (h *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b := &binding{transport: TransportHTTP, principal: principalFrom(r.Context())}
	if r.Method == http.MethodPost {
		b.requestID = peekRequestID(r)
	}
	if h.opts.Challenge != "" {
		cw := &challengeWriter{ResponseWriter: w, challenge: h.opts.Challenge}
		b.denied = func() { cw.denied.Store(true) }
		w = cw
	}
	key, remove := h.layer.bindings.put(b)
	defer remove()
	bound := *r
	bound.Header = r.Header.Clone()
	bound.Header[bindingHeader] = []string{key}
	h.inner.ServeHTTP(w, &bound)
}

// peekRequestID reads the id out of a JSON-RPC request and leaves the body as it
// was. A batch has none.
func peekRequestID(r *http.Request) any {
	head, err := io.ReadAll(io.LimitReader(r.Body, maxPeekBytes))
	rest := r.Body
	var tail io.Reader = rest
	if err != nil {
		tail = failingReader{err}
	}
	r.Body = replayed{io.MultiReader(bytes.NewReader(head), tail), rest}
	return requestIDIn(head)
}

type replayed struct {
	io.Reader
	io.Closer
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// requestIDIn returns the member "id" of a JSON object.
func requestIDIn(doc []byte) any {
	d := jsontext.NewDecoder(bytes.NewBuffer(doc), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	var id any
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil
		}
		isID := name.String() == "id"
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		if isID {
			id = parseID(value) // the last one counts, as in the SDK
		}
	}
	return id
}

// challengeWriter answers 403 for a call that was denied before the response
// began.
type challengeWriter struct {
	http.ResponseWriter
	challenge string
	denied    atomic.Bool
	began     bool
}

func (w *challengeWriter) WriteHeader(status int) {
	if !w.began && w.denied.Load() && status == http.StatusOK {
		w.Header().Set("WWW-Authenticate", w.challenge)
		status = http.StatusForbidden
	}
	w.began = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *challengeWriter) Write(p []byte) (int, error) {
	if !w.began {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// FlushError sends what is buffered; the header goes out first.
func (w *challengeWriter) FlushError() error {
	if !w.began {
		w.WriteHeader(http.StatusOK)
	}
	err := http.NewResponseController(w.ResponseWriter).Flush()
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// Flush implements [http.Flusher].
func (w *challengeWriter) Flush() { _ = w.FlushError() }

// Unwrap lets [http.ResponseController] reach what is beneath.
func (w *challengeWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
