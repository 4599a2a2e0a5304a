// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"fmt"
	"strings"
	"testing"
)

func TestMembersOfEveryShapeAreFound(t *testing.T) {
	object := []byte("{\"a\":1,\n\"b\" : \"x,}\\\"\" , \"c\":{\"a\":[{}]},\"d\":[],\"e\":null,\"f\":-1.5e3}")
	var got []string
	if !EachMember(object, func(m Member) bool { got = append(got, fmt.Sprintf("%s=%s", m.Name, m.Value)); return true }) {
		t.Fatal("no object")
	}
	if want := `a=1|b="x,}\""|c={"a":[{}]}|d=[]|e=null|f=-1.5e3`; strings.Join(got, "|") != want {
		t.Errorf("got %s", strings.Join(got, "|"))
	}
	for _, other := range []string{"[]", "1", `"x"`, ""} {
		if EachMember([]byte(other), func(Member) bool { return true }) {
			t.Errorf("%q taken for an object", other)
		}
	}
}
