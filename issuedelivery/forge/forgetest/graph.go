package forgetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// graph answers /api/graphql.
func (f *Forge) graph(w http.ResponseWriter, body []byte) {
	var asked struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	err := json.Unmarshal(body, &asked)
	var kind string
	var fields []field
	if err == nil {
		kind, fields, err = parse(asked.Query)
	}
	if err != nil {
		say(w, http.StatusBadRequest, object{"message": "the query cannot be read: " + err.Error()})
		return
	}
	f.meet(w, operation(kind, fields), func() (int, any) {
		root := object{"viewer": object{"login": "tester"}, "__type": object{"fields": []any{}}, "repository": func(args object) any {
			if args["owner"] != f.repository.Owner || args["name"] != f.repository.Name {
				return nil
			}
			return f.repository.graph(f.host)
		}}
		if kind == "mutation" {
			root = object{"createPullRequest": f.create}
		}
		data := answer(fields, root, asked.Variables)
		out := object{"data": data}
		if problem := f.problem; problem != nil {
			out["errors"], f.problem = []any{problem}, nil
		} else if missing := missing(data); missing != "" {
			out["errors"] = []any{object{"type": "NOT_FOUND", "path": []any{missing}, "message": "Could not resolve to a " + missing + "."}}
		}
		return http.StatusOK, out
	})
}

// operation is what a query is about: "create", "list", "view", "issue", "repository" or "viewer".
func operation(kind string, fields []field) string {
	if kind == "mutation" {
		return "create"
	}
	for _, f := range fields {
		for _, below := range f.fields {
			switch below.name {
			case "pullRequests":
				return "list"
			case "pullRequest":
				return "view"
			case "issue", "issueOrPullRequest":
				return "issue"
			}
		}
		if f.name == "repository" {
			return "repository"
		}
	}
	return "viewer"
}

// missing names what was asked for by its number and is not there.
func missing(data any) string {
	repository, ok := data.(object)["repository"]
	if !ok {
		return ""
	}
	of, _ := repository.(object)
	if of == nil {
		return "Repository"
	}
	for _, name := range []string{"pullRequest", "issue"} {
		if value, asked := of[name]; asked && value == nil {
			return name
		}
	}
	return ""
}

func (r *Repository) graph(host string) object {
	url := "https://" + host + "/" + r.Owner + "/" + r.Name
	issue := func(args object) any {
		number := whole(args["number"])
		for _, i := range r.Issues {
			if i.Number == number {
				return object{
					"__typename": "Issue", "id": fmt.Sprint("I_", i.Number), "number": i.Number, "title": i.Title, "body": i.Body, "state": i.State,
					"url": fmt.Sprintf("%s/issues/%d", url, i.Number), "labels": labels(i.Labels), "comments": list(texts(i.Comments, "body")),
				}
			}
		}
		if p := r.numbered(number); p != nil {
			return r.pull(p, url)
		}
		return nil
	}
	return object{
		"__typename": "Repository", "id": "R_1", "name": r.Name, "owner": r.owner(r.Owner), "nameWithOwner": r.Owner + "/" + r.Name, "url": url,
		"viewerPermission": r.Permission, "isArchived": r.Archived, "hasIssuesEnabled": true, "defaultBranchRef": object{"name": r.Default},
		"mergeCommitAllowed": true, "rebaseMergeAllowed": true, "squashMergeAllowed": true,
		"issue": issue, "issueOrPullRequest": issue,
		"pullRequest": func(args object) any {
			if p := r.numbered(whole(args["number"])); p != nil {
				return r.pull(p, url)
			}
			return nil
		},
		"pullRequests": func(args object) any {
			var found []any
			states, _ := args["states"].([]any)
			for _, p := range slices.Backward(r.Pulls) { // the newest first
				if p.Branch == args["headRefName"] && (len(states) == 0 || slices.Contains(states, any(p.State))) {
					found = append(found, r.pull(p, url))
				}
			}
			return list(found)
		},
	}
}

func (r *Repository) owner(login string) object {
	return object{"__typename": "User", "id": "U_" + login, "login": login, "name": ""}
}

func (r *Repository) pull(p *Pull, url string) object {
	var contexts []any
	for _, c := range p.Checks {
		if c.Context != "" {
			contexts = append(contexts, object{"__typename": "StatusContext", "context": c.Context, "state": c.State, "targetUrl": ""})
			continue
		}
		contexts = append(contexts, object{"__typename": "CheckRun", "name": c.Name, "status": c.Status, "conclusion": c.Conclusion, "detailsUrl": ""})
	}
	rollup := any(nil) // as the forge has it of a commit that nothing was reported of
	if len(contexts) > 0 {
		rollup = object{"contexts": list(contexts)}
	}
	return object{
		"__typename": "PullRequest", "id": fmt.Sprint("PR_", p.Number), "number": p.Number, "title": p.Title, "body": p.Body, "state": p.State,
		"isDraft": p.Draft, "url": fmt.Sprintf("%s/pull/%d", url, p.Number), "headRefName": p.Branch, "headRefOid": r.head(p), "baseRefName": p.Base,
		"isCrossRepository": p.HeadOwner != r.Owner, "headRepositoryOwner": r.owner(p.HeadOwner), "headRepository": object{"id": "R_1", "name": r.Name},
		"mergeable": p.Mergeable, "labels": labels(p.Labels),
		"commits": list([]any{object{"commit": object{"oid": r.head(p), "statusCheckRollup": rollup}}}),
	}
}

// create is the mutation. The forge allows one open pull request from a branch to another.
func (f *Forge) create(args object) any {
	r := &f.repository
	input, _ := args["input"].(object)
	text := func(name string) string { s, _ := input[name].(string); return s }
	draft, _ := input["draft"].(bool)
	branch := strings.TrimPrefix(text("headRefName"), r.Owner+":")
	for _, p := range r.Pulls {
		if p.Branch == branch && p.Base == text("baseRefName") && p.State == "OPEN" && p.HeadOwner == r.Owner {
			f.problem = object{"type": "UNPROCESSABLE", "message": "A pull request already exists for " + r.Owner + ":" + branch + "."}
			return nil
		}
	}
	p := &Pull{
		Number: r.next(), Title: text("title"), Body: text("body"), State: "OPEN", Draft: draft,
		Branch: branch, Base: text("baseRefName"), HeadOwner: r.Owner, Mergeable: "MERGEABLE",
	}
	r.Pulls = append(r.Pulls, p)
	r.Creates++
	return object{"pullRequest": r.pull(p, "https://"+f.host+"/"+r.Owner+"/"+r.Name)}
}

func list(nodes []any) object {
	if nodes == nil {
		nodes = []any{}
	}
	return object{"nodes": nodes, "totalCount": len(nodes), "pageInfo": object{"hasNextPage": false, "endCursor": ""}}
}

func labels(names []string) object {
	nodes := texts(names, "name")
	for i, node := range nodes {
		node.(object)["id"], node.(object)["description"], node.(object)["color"] = fmt.Sprint("L_", i), "", "ededed"
	}
	return list(nodes)
}

func texts(all []string, name string) []any {
	var nodes []any
	for _, text := range all {
		nodes = append(nodes, object{name: text})
	}
	return nodes
}

// whole is a number of a query or of its variables.
func whole(value any) int {
	n, _ := value.(float64)
	return int(n)
}
