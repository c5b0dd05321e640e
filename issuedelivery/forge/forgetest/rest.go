package forgetest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// rest answers what is below /api/v3/.
func (f *Forge) rest(w http.ResponseWriter, r *http.Request, body []byte) {
	path, err := url.PathUnescape(strings.Trim(strings.TrimPrefix(r.URL.EscapedPath(), "/api/v3"), "/"))
	if err != nil {
		say(w, http.StatusBadRequest, object{"message": err.Error()})
		return
	}
	if path == "" {
		w.Header().Set("X-Oauth-Scopes", "repo, read:org")
		say(w, http.StatusOK, object{})
		return
	}
	var given struct {
		Labels    []string `json:"labels"`
		Reviewers []string `json:"reviewers"`
		Body      *string  `json:"body"`
	}
	if len(body) > 0 && json.Unmarshal(body, &given) != nil {
		say(w, http.StatusBadRequest, object{"message": "Problems parsing JSON"})
		return
	}
	f.meet(w, about(path), func() (int, any) {
		of := &f.repository
		if login, ok := strings.CutPrefix(path, "users/"); ok {
			return found(slices.Contains(of.Users, login), object{"login": login})
		}
		rest, ok := strings.CutPrefix(path, "repos/"+of.Owner+"/"+of.Name+"/")
		if name, label := strings.CutPrefix(rest, "labels/"); ok && label {
			return found(slices.Contains(of.Labels, name), object{"name": name})
		}
		parts := strings.Split(rest, "/")
		if !ok || len(parts) < 2 {
			return found(false, nil)
		}
		number, _ := strconv.Atoi(parts[1])
		p := of.numbered(number)
		switch {
		case p == nil:
			return found(false, nil)
		case r.Method == http.MethodPost && parts[0] == "issues" && strings.HasSuffix(rest, "/labels"):
			p.Labels = union(p.Labels, given.Labels)
			return http.StatusOK, []any{}
		case r.Method == http.MethodPost && strings.HasSuffix(rest, "/requested_reviewers"):
			for _, login := range given.Reviewers {
				if !slices.Contains(of.Users, login) {
					return http.StatusUnprocessableEntity, object{"message": "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator."}
				}
			}
			p.Reviewers = union(p.Reviewers, given.Reviewers)
			return http.StatusCreated, object{"number": p.Number}
		case r.Method == http.MethodPatch && given.Body != nil:
			p.Body = *given.Body
			return http.StatusOK, object{"number": p.Number}
		}
		return found(false, nil)
	})
}

// about is what a request is about, as in [Forge.Requests].
func about(path string) string {
	switch {
	case strings.HasSuffix(path, "/labels"), strings.Contains(path, "/labels/"):
		return "labels"
	case strings.HasSuffix(path, "/requested_reviewers"), strings.HasPrefix(path, "users/"):
		return "reviewers"
	}
	return "update"
}

func found(is bool, what object) (code int, answer any) {
	if !is {
		return http.StatusNotFound, object{"message": "Not Found"}
	}
	return http.StatusOK, what
}

func union(have, more []string) []string {
	for _, text := range more {
		if !slices.Contains(have, text) {
			have = append(have, text)
		}
	}
	return have
}
