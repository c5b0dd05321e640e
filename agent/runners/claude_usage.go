package runners

import (
	"encoding/json"

	"github.com/seed-8d4a6081/assent/journal"
)

// claudeTokens are those of a message, or of all.
type claudeTokens struct {
	// Input is without what came from the cache or went there.
	Input      float64 `json:"input_tokens"`
	CacheWrite float64 `json:"cache_creation_input_tokens"`
	CacheRead  float64 `json:"cache_read_input_tokens"`
	Output     float64 `json:"output_tokens"`
}

// claudeModel is the usage of a model.
type claudeModel struct {
	Input      float64 `json:"inputTokens"`
	Output     float64 `json:"outputTokens"`
	CacheRead  float64 `json:"cacheReadInputTokens"`
	CacheWrite float64 `json:"cacheCreationInputTokens"`
}

func (m *meter) claude(t claudeTokens, cost float64) {
	m.add([]float64{t.Input, t.CacheWrite, t.CacheRead}, []float64{t.Output}, cost)
}

// spent keeps what a message used. It is counted if there is no result, and then there is no answer
// that a usage which cannot be read would be held against.
func (s *claudeSaid) spent(e claudeEvent) {
	var t claudeTokens
	if len(e.Message.Usage) > 0 && decode(e.Message.Usage, &t) == nil {
		s.tokens[e.Message.ID] = t
	}
}

// account counts a result's usage, which is that of the whole session: of several results it is the
// largest that counts.
func (s *claudeSaid) account(r *claudeResult) {
	var m meter
	var cost float64
	var total claudeTokens
	var models map[string]claudeModel
	for part, into := range map[*json.RawMessage]any{&r.Cost: &cost, &r.Usage: &total, &r.Models: &models} {
		if len(*part) == 0 {
			continue
		}
		if err := decode(*part, into); err != nil {
			m.fail(err)
		}
	}
	if len(models) == 0 {
		m.claude(total, 0)
	}
	for _, used := range models {
		m.claude(claudeTokens{used.Input, used.CacheWrite, used.CacheRead, used.Output}, 0)
	}
	m.add(nil, nil, cost)
	s.usage.used = larger(s.usage.used, m.used)
	if m.wrong != nil {
		s.usage.fail(m.wrong)
	}
}

// larger has the larger part of each of two usages.
func larger(a, b journal.Usage) journal.Usage {
	return journal.Usage{Input: max(a.Input, b.Input), Output: max(a.Output, b.Output), CostMicroUSD: max(a.CostMicroUSD, b.CostMicroUSD)}
}

// used is the usage: claude's own account of it, or what the messages had so far if it was ended before,
// or its account cannot be counted.
func (s *claudeSaid) used() journal.Usage {
	if s.result != nil && s.usage.wrong == nil {
		return s.usage.used
	}
	var messages meter
	for _, t := range s.tokens {
		messages.claude(t, 0)
	}
	return larger(s.usage.used, messages.used)
}
