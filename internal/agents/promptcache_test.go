// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"testing"
	"time"
)

// TestTheAgentsOwnAccountOfItsCache checks the prompt_cache of Claude Code's status line, whole and with values of
// other types, which are unknown.
func TestTheAgentsOwnAccountOfItsCache(t *testing.T) {
	for message, want := range map[string]string{
		`{"warm":true,"caching_observed":true,"ttl":"1h","expires_at":1782000300,"requests":14,"misses":3,"expected_rebuilds":1,"hit_ratio":0.91,"cache_write_tokens":352000,"miss_recache_tokens":310200,"last_miss_at":1782000000,"last_miss_cause":{"causes":["tools_changed"],"tools_added":2},"miss_causes":{"tools_changed":2,"ttl_expired_5m":1},"recache_tokens_if_cold":45000}`: `{"warm":true,"life":3600000,"requests":14,"misses":3,"expected":1,"hits":91,"written":352000,"rewritten":310200,"lastMiss":1782000000000,"lastCauses":["tools_changed"],"causes":[{"cause":"tools_changed","count":2},{"cause":"ttl_expired_5m","count":1}],"ifCold":45000}`,
		`{"warm":false,"ttl":300,"misses":0,"last_miss_at":null,"last_miss_cause":null,"miss_causes":{}}`:                            `{"warm":false,"life":300000,"requests":null,"misses":0,"expected":null,"hits":null,"written":null,"rewritten":null,"lastMiss":null,"lastCauses":[],"causes":[],"ifCold":null}`,
		`{"warm":"yes","ttl":"soon","requests":-1,"misses":1.5,"hit_ratio":7,"last_miss_cause":"model_changed","miss_causes":["a"]}`: `{"warm":null,"life":null,"requests":null,"misses":null,"expected":null,"hits":null,"written":null,"rewritten":null,"lastMiss":null,"lastCauses":["model_changed"],"causes":[],"ifCold":null}`,
	} {
		a := StatusLineLimits([]byte(`{"prompt_cache":`+message+`}`), time.UnixMilli(1782000000000))
		if a == nil {
			t.Errorf("%s is not read", message)
			continue
		}
		if got, _ := json.Marshal(a.Cache); string(got) != want {
			t.Errorf("%s is read as\n%s, want\n%s", message, got, want)
		}
	}
}
