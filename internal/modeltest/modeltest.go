package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Script decides what the model does next in a conversation. It may be called from several goroutines
// at once. An error fails the test, and the program gets an answer that it will not try again.
type Script func(c Conversation) (Turn, error)

// Server is a stand-in at work.
type Server struct {
	// URL is where it listens, without a path: "http://127.0.0.1:PORT".
	URL string

	t      testing.TB
	script Script

	mu       sync.Mutex
	asked    []Conversation // guarded by mu
	unserved []string       // guarded by mu
}

// Start serves a script until the test ends.
func Start(t testing.TB, script Script) *Server {
	t.Helper()
	s := &Server{t: t, script: script}
	mux := http.NewServeMux()
	s.anthropic(mux)
	s.completions(mux)
	s.responses(mux)
	// Programs also look for news, settings and telemetry: none of that is part of a conversation.
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.unserved = append(s.unserved, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		http.NotFound(w, r)
	})
	server := httptest.NewServer(mux)
	s.URL = server.URL
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return s
}

// Asked are the requests for a turn so far, in the order in which they came.
func (s *Server) Asked() []Conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Unserved are the requests, as METHOD PATH, that no endpoint is there for.
func (s *Server) Unserved() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unserved)
}

// body reads a request's JSON into v; false if it could not, which was answered.
func (s *Server) body(w http.ResponseWriter, r *http.Request, v any) ([]byte, bool) {
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return nil, false
	}
	return text, true
}

// turn asks the script, and waits if the turn is held. False is that there is nothing to answer
// with: the program has gone away, or the script failed, which is the test's failure.
func (s *Server) turn(w http.ResponseWriter, r *http.Request, c Conversation) (Turn, bool) {
	c = c.named()
	s.mu.Lock()
	s.asked = append(s.asked, c)
	s.mu.Unlock()
	turn, err := s.script(c)
	if err != nil {
		s.t.Errorf("modeltest: %v", err)
		http.Error(w, fmt.Sprintf("%q", err.Error()), http.StatusBadRequest)
		return Turn{}, false
	}
	if turn.Hold != nil {
		select {
		case <-turn.Hold:
		case <-r.Context().Done():
			return Turn{}, false
		}
	}
	return turn.withDefaults(len(c.Messages)), true
}

// stream is an answer of server-sent events.
type stream struct {
	w    http.ResponseWriter
	sent int
	// cut is after how many events the connection breaks; 0 never.
	cut int
}

// newStream begins an answer. One that is cut breaks after its second event.
func newStream(w http.ResponseWriter, cut bool) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	s := &stream{w: w}
	if cut {
		s.cut = 2
	}
	return s
}

// event sends one event; name "" leaves the line of its name out.
func (s *stream) event(name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	s.raw(name, string(text))
}

// raw sends one event whose data is not JSON.
func (s *stream) raw(name, data string) {
	if s.cut > 0 && s.sent == s.cut {
		panic(http.ErrAbortHandler) // closes the connection without an end of the body
	}
	if name != "" {
		_, _ = fmt.Fprintf(s.w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(s.w, "data: %s\n\n", data)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
	s.sent++
}
