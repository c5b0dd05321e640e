package forgetest

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Token is what the forge takes.
const Token = "forgetest-token-0123456789"

// Failure is what happens to a request.
type Failure int

// The failures that a forge and the way to it can have.
const (
	// Broken is an answer with the code 500 in place of the work.
	Broken Failure = iota
	// Limited, Forbidden and Unknown are the answers to who asked too often, may not, and for what is not
	// there, in place of the work.
	Limited
	Forbidden
	Unknown
	// Hanging is no answer and no work for as long as somebody waits.
	Hanging
	// Dropped is the work, and then no answer but the end of the connection; HangingAfter is the work, and
	// then no answer for as long as somebody waits.
	Dropped
	HangingAfter
)

// Forge is the API of a forge with one repository.
type Forge struct {
	host, folder string
	server       *httptest.Server
	closed       chan struct{}

	mu         sync.Mutex
	repository Repository
	requests   []string
	failures   map[string][]Failure
	problem    object // the error of the query that is being answered
}

// New starts a forge that is gone when the test ends.
func New(t testing.TB) *Forge {
	t.Helper()
	f := &Forge{
		folder: t.TempDir(), closed: make(chan struct{}), failures: map[string][]Failure{},
		repository: Repository{Owner: "acme", Name: "rocket", Permission: "WRITE", Default: "main"},
	}
	f.server = httptest.NewUnstartedServer(f)
	certificate, der := certificate(t)
	f.server.TLS = certificate
	f.server.StartTLS()
	f.host = "localhost:" + f.server.URL[strings.LastIndexByte(f.server.URL, ':')+1:]
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(f.certificate(), text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		close(f.closed)
		f.server.CloseClientConnections()
		f.server.Close()
	})
	return f
}

// Host is its name and port.
func (f *Forge) Host() string { return f.host }

// URL is the address of its repository.
func (f *Forge) URL() string {
	return "https://" + f.host + "/" + f.repository.Owner + "/" + f.repository.Name
}

// Environ are the variables by which gh reaches the forge, and nothing else of the user's.
func (f *Forge) Environ() []string {
	return []string{"GH_HOST=" + f.host, "GH_ENTERPRISE_TOKEN=" + Token, "SSL_CERT_FILE=" + f.certificate(), "GH_CONFIG_DIR=" + f.folder}
}

func (f *Forge) certificate() string { return filepath.Join(f.folder, "forge.pem") }

// Change looks at the repository, and may change it.
func (f *Forge) Change(with func(r *Repository)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	with(&f.repository)
}

// Requests are what was asked for, in order: repository, issue, list, view, create, update, labels,
// reviewers, viewer.
func (f *Forge) Requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.requests)
}

// Fail makes the next request about something fail; called again, the one after it.
func (f *Forge) Fail(about string, how Failure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[about] = append(f.failures[about], how)
}

// ServeHTTP answers a request.
func (f *Forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // whoever asked is gone
	}
	if !strings.HasSuffix(r.Header.Get("Authorization"), " "+Token) {
		say(w, http.StatusUnauthorized, object{"message": "Bad credentials"})
		return
	}
	if r.URL.Path == "/api/graphql" {
		f.graph(w, body)
		return
	}
	f.rest(w, r, body)
}

// meet does the work of a request, or fails as it is to.
func (f *Forge) meet(w http.ResponseWriter, about string, work func() (int, any)) {
	f.mu.Lock()
	f.requests = append(f.requests, about)
	how, failing := Failure(-1), len(f.failures[about]) > 0
	if failing {
		how, f.failures[about] = f.failures[about][0], f.failures[about][1:]
	}
	var code int
	var out any
	if !failing || how == Dropped || how == HangingAfter {
		code, out = work()
	}
	f.mu.Unlock()
	switch how {
	case Broken:
		say(w, http.StatusInternalServerError, object{"message": "Something went wrong"})
	case Limited:
		say(w, http.StatusForbidden, object{"message": "API rate limit exceeded for user ID 1."})
	case Forbidden:
		say(w, http.StatusForbidden, object{"message": "Resource not accessible by integration"})
	case Unknown:
		say(w, http.StatusNotFound, object{"message": "Not Found"})
	case Hanging, HangingAfter:
		<-f.closed
		panic(http.ErrAbortHandler)
	case Dropped:
		panic(http.ErrAbortHandler)
	default:
		say(w, code, out)
	}
}

func say(w http.ResponseWriter, code int, value any) {
	var text bytes.Buffer
	encode := json.NewEncoder(&text)
	encode.SetEscapeHTML(false)
	if err := encode.Encode(value); err != nil {
		code, text = http.StatusInternalServerError, *bytes.NewBufferString(`{"message":"not JSON"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(text.Bytes())
}
