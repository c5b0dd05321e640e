package acp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/agent"
)

// The modes of agents, by the names that they have in known ones, the one that is wanted most first:
// that in which the agent asks before it acts, so that the rules decide. None lets it act unasked.
var (
	modesReading = []sdk.SessionModeId{"read-only", "default", "plan", "ask"}
	modesAsking  = []sdk.SessionModeId{"read-only", "default", "ask", "build"}
	modesAuto    = []sdk.SessionModeId{"default", "auto", "build", "ask"}
)

// choose has the session use the mode, the model and the effort that the request asks for.
func (s *session) choose(ctx context.Context, made sdk.NewSessionResponse) error {
	options := made.ConfigOptions
	if err := s.chooseMode(ctx, made.Modes); err != nil {
		return err
	}
	if want := either(s.req.Model, s.r.o.Model); want != "" {
		var err error
		if options, err = s.chooseModel(ctx, want, made.Models, options); err != nil {
			return err
		}
	}
	if want := either(s.req.Effort, s.r.o.Effort); want != "" {
		_, err := s.chooseOption(ctx, "effort", sdk.SessionConfigOptionCategoryThoughtLevel, want, options)
		return err
	}
	return nil
}

// chooseMode sets the first of the modes that the agent has. An agent that has none of them stays as
// it is.
func (s *session) chooseMode(ctx context.Context, modes *sdk.SessionModeState) error {
	if modes == nil {
		return nil
	}
	wanted := modesAsking
	switch {
	case s.rules.readOnly:
		wanted = modesReading
	case s.rules.mode == "auto":
		wanted = modesAuto
	}
	for _, want := range wanted {
		if !slices.ContainsFunc(modes.AvailableModes, func(m sdk.SessionMode) bool { return m.Id == want }) {
			continue
		}
		if modes.CurrentModeId == want {
			return nil
		}
		_, err := request[sdk.SetSessionModeResponse](ctx, s, sdk.AgentMethodSessionSetMode, sdk.SetSessionModeRequest{SessionId: s.id, ModeId: want})
		if err != nil {
			return s.unable("mode", string(want), err)
		}
		return nil
	}
	return nil
}

// chooseModel sets a model in the way that the agent offers, and gives the options as they are then.
func (s *session) chooseModel(ctx context.Context, want string, models *sdk.SessionModelState, options []sdk.SessionConfigOption) ([]sdk.SessionConfigOption, error) {
	if models == nil {
		return s.chooseOption(ctx, "model", sdk.SessionConfigOptionCategoryModel, want, options)
	}
	var offered []choice
	for _, m := range models.AvailableModels {
		offered = append(offered, choice{string(m.ModelId), m.Name})
	}
	id, ok := pick(offered, want)
	if !ok {
		return nil, s.notOffered("model", want, offered)
	}
	if id == string(models.CurrentModelId) {
		return options, nil
	}
	_, err := request[sdk.UnstableSetSessionModelResponse](ctx, s, sdk.AgentMethodSessionSetModel,
		sdk.UnstableSetSessionModelRequest{SessionId: s.id, ModelId: sdk.UnstableModelId(id)})
	if err != nil {
		return nil, s.unable("model", want, err)
	}
	return options, nil
}

// chooseOption sets the option of a category.
func (s *session) chooseOption(ctx context.Context, what string, category sdk.SessionConfigOptionCategory, want string, options []sdk.SessionConfigOption) ([]sdk.SessionConfigOption, error) {
	for _, o := range options {
		if o.Select == nil || o.Select.Category == nil || *o.Select.Category != category {
			continue
		}
		offered := choices(o.Select.Options)
		value, ok := pick(offered, want)
		if !ok {
			return nil, s.notOffered(what, want, offered)
		}
		if value == string(o.Select.CurrentValue) {
			return options, nil
		}
		set, err := request[sdk.SetSessionConfigOptionResponse](ctx, s, sdk.AgentMethodSessionSetConfigOption, sdk.SetSessionConfigOptionRequest{
			ValueId: &sdk.SetSessionConfigOptionValueId{SessionId: s.id, ConfigId: o.Select.Id, Value: sdk.SessionConfigValueId(value)},
		})
		if err != nil {
			return nil, s.unable(what, want, err)
		}
		return set.ConfigOptions, nil
	}
	return nil, s.notOffered(what, want, nil)
}

// choice is something that an agent offers.
type choice struct{ id, name string }

func choices(options sdk.SessionConfigSelectOptions) []choice {
	var all []sdk.SessionConfigSelectOption
	if options.Ungrouped != nil {
		all = *options.Ungrouped
	}
	if options.Grouped != nil {
		for _, group := range *options.Grouped {
			all = append(all, group.Options...)
		}
	}
	offered := make([]choice, len(all))
	for i, o := range all {
		offered[i] = choice{string(o.Value), o.Name}
	}
	return offered
}

// pick finds what is wanted by its id, or by a name that only one has. It never takes another.
func pick(offered []choice, want string) (string, bool) {
	var named []string
	for _, c := range offered {
		if c.id == want {
			return c.id, true
		}
		if strings.EqualFold(c.id, want) || strings.EqualFold(c.name, want) {
			named = append(named, c.id)
		}
	}
	if len(named) != 1 {
		return "", false
	}
	return named[0], true
}

func (s *session) notOffered(what, want string, offered []choice) error {
	if len(offered) == 0 {
		return agent.Unable(what, fmt.Sprintf("%s offers no choice of it, and %q was asked for", s.r.called(), want))
	}
	var ids []string
	for _, c := range offered[:min(len(offered), 40)] {
		ids = append(ids, c.id)
	}
	return agent.Unable(what, fmt.Sprintf("%s has no %s %q; it has %s", s.r.called(), what, want, strings.Join(ids, ", ")))
}

// unable is the error of a choice that the agent offered and then refused.
func (s *session) unable(what, want string, err error) error {
	if own := refusal(err); own != nil {
		return agent.Unable(what, fmt.Sprintf("%s does not take the %s %q: %s", s.r.called(), what, want, words(own)))
	}
	return err
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
