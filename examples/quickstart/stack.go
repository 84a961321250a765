package main

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// scenes show the stack, each part once.
func (st *stacked) scenes() []scene {
	return []scene{
		{"An audit line", "One for each call; of the arguments it has the names and keyed hashes.", st.audited},
		{"A hit", "The same call again: the cache answers, after the policy's check.", st.hit},
		{"A burst", "The policy allows three calls a minute; hits count too.", st.burst},
		{"A call made again", "The first attempt meets a broken connection; the result says that there was another.", st.retried},
		{"Metrics", "A resource, for those whom the policy lets read it.", st.metrics},
		{"The audit, verified", "Each line carries a MAC over itself and the line before.", st.verified},
	}
}

func (st *stacked) audited(ctx context.Context, s *stage) error {
	if err := countByProvider(ctx, s); err != nil {
		return err
	}
	return st.sayLine(s)
}

func (st *stacked) hit(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "count_assets", object{"by": "provider"})
	if err == nil {
		s.sayMeta(res)
	}
	return err
}

func (st *stacked) burst(ctx context.Context, s *stage) error {
	if _, err := s.call(ctx, "count_assets", object{"by": "region"}); err != nil {
		return err
	}
	res, err := s.fail(ctx, "count_assets", object{"by": "status"})
	if err != nil {
		return err
	}
	s.sayMeta(res)
	return st.sayLine(s)
}

func (st *stacked) retried(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "get_prices", nil)
	if err != nil {
		return err
	}
	s.say("%s", compact(res.StructuredContent))
	s.sayMeta(res)
	return nil
}

func (st *stacked) metrics(ctx context.Context, s *stage) error {
	doc, err := s.read(ctx, middleware.MetricsURI)
	if err != nil {
		return err
	}
	var m middleware.MetricsSnapshot
	if err := json.Unmarshal([]byte(doc), &m); err != nil {
		return err
	}
	s.say("calls %d, errors %d, rejected %d", m.Calls, m.Errors, m.Rejected)
	for _, name := range slices.Sorted(maps.Keys(m.ByPrimitive)) {
		p := m.ByPrimitive[name]
		s.say("%-18s calls %d, rejected %d, from the cache %d, made again %d", name, p.Calls, p.Rejected, p.CacheHits, p.Retries)
	}
	return nil
}

// sayMeta says a result's metadata but for the report of the policy's steps.
func (s *stage) sayMeta(res *mcp.CallToolResult) {
	meta := maps.Clone(res.Meta)
	delete(meta, mcplayer.MetaPrefix+"transforms")
	s.say("_meta %s", compact(meta))
}

// sayLine says the newest line of the audit.
func (st *stacked) sayLine(s *stage) error {
	lines, err := st.lines()
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return errors.New("the audit has no lines")
	}
	s.say("%s", lines[len(lines)-1])
	return nil
}
