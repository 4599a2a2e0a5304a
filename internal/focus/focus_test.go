// Copyright The ctx-lsp authors. MIT licence.

package focus

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTheSessionToShow checks the order of precedence, which all front ends share.
func TestTheSessionToShow(t *testing.T) {
	all := []Session{
		{ID: "root-live", Dir: "/w/app", Live: true, Newest: 10},
		{ID: "package-dead", Dir: "/w/app/packages/a", Newest: 20},
		{ID: "package-live", Dir: "/w/app/packages/b", Live: true, Newest: 5},
		{ID: "other", Dir: "/w/other", Live: true, Newest: 99},
		{ID: "child", Dir: "/w/app", Live: true, Child: true, Newest: 200},
		{ID: "nowhere", Live: true, Newest: 300},
	}
	for name, c := range map[string]struct {
		front       Front
		want, shown string
	}{
		"a name":                                     {Front{Named: "child", Held: "other"}, "child", Named},
		"the terminal before the file":               {Front{Held: "other", File: "/w/app/x.go"}, "other", Terminal},
		"the process of the asker":                   {Front{Held: "other", ByProcess: true}, "other", Process},
		"live before the more specific folder":       {Front{File: "/w/app/packages/a/x.go", Workspace: "/w/app"}, "root-live", File},
		"the more specific folder before time":       {Front{File: "/w/app/packages/b/x.go", Workspace: "/w/app"}, "package-live", File},
		"the workspace, whatever is newer":           {Front{Workspace: "/w/app"}, "root-live", Workspace},
		"below a folder in which an agent started":   {Front{Workspace: "/w/other/deep/down"}, "other", Workspace},
		"a file outside, in a window of a workspace": {Front{File: "/etc/hosts", Workspace: "/w/other"}, "other", Workspace},
		"a folder in front, an agent below it":       {Front{File: "/w/app/packages", Workspace: "/w/app"}, "package-live", File},
		"nothing here":                               {Front{Workspace: "/nowhere"}, "nowhere", Elsewhere},
		"nothing in front":                           {Front{}, "nowhere", Elsewhere},
		"a name that nobody has":                     {Front{Named: "gone", Workspace: "/w/other"}, "other", Workspace},
	} {
		got, ok := Choose(c.front, all)
		if !ok || all[got.Index].ID != c.want || got.Shown != c.shown || got.Because == "" && c.front.Held == "" {
			t.Errorf("%s: %v %s %+v, want %s by %s", name, ok, all[got.Index].ID, got, c.want, c.shown)
		}
	}
	if _, ok := Choose(Front{Workspace: "/w"}, nil); ok {
		t.Error("something was chosen out of nothing")
	}
	dead := []Session{{ID: "a", Dir: "/w/app/sub", Newest: 1}, {ID: "b", Dir: "/w/app", Newest: 2}}
	if got, _ := Choose(Front{Workspace: "/w/app"}, dead); dead[got.Index].ID != "b" {
		t.Error("a session below the workspace is not nearer to it than one in it")
	}
}

// TestTheChoiceDoesNotDependOnTheOrder checks that two front ends never show different sessions.
func TestTheChoiceDoesNotDependOnTheOrder(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	dirs := []string{"/w/app", "/w/app/a", "/w/app/a/b", "/w/other", ""}
	for range 500 {
		var list []Session
		for i := range 1 + r.IntN(6) {
			list = append(list, Session{ID: string(rune('a' + i)), Dir: dirs[r.IntN(len(dirs))], Live: r.IntN(2) == 0, Child: r.IntN(5) == 0, Newest: int64(r.IntN(3))})
		}
		front := Front{Workspace: dirs[r.IntN(len(dirs))], File: dirs[r.IntN(len(dirs))]}
		first, ok := Choose(front, list)
		chosen := ""
		if ok {
			chosen = list[first.Index].ID
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		again, ok2 := Choose(front, list)
		if ok != ok2 || ok && list[again.Index].ID != chosen {
			t.Fatalf("%+v of %+v: %s, and in another order %s", front, list, chosen, list[again.Index].ID)
		}
	}
}

// TestAFolderInARepositoryMeansAllOfIt checks that editors and commands use the same directory.
func TestAFolderInARepositoryMeansAllOfIt(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "packages", "a")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := Look("", deep); got.Workspace != deep {
		t.Errorf("outside of a repository: %+v", got)
	}
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	sessions := []Session{
		{ID: "here", Dir: deep, Newest: 3},
		{ID: "beside", Dir: filepath.Join(root, "packages", "b"), Live: true, Newest: 1},
		{ID: "above", Dir: root, Live: true, Newest: 2},
	}
	for _, front := range []Front{Look("", deep), Look(filepath.Join(deep, "x.go"), deep), Look("", root)} {
		if got, ok := Choose(front, sessions); !ok || sessions[got.Index].ID != "above" {
			t.Errorf("%+v: %+v", front, got)
		}
	}
	sessions[0].Live = true
	if got, _ := Choose(Look("", deep), sessions); sessions[got.Index].ID != "here" || got.Shown != Workspace {
		t.Errorf("the nearest of the live ones: %+v", got)
	}
}

// TestTheChoiceIsOneClause checks the clause that distinguishes the chosen session from the others.
func TestTheChoiceIsOneClause(t *testing.T) {
	at := func(live bool, newest int64, dir string) Session {
		return Session{ID: dir, Dir: dir, Live: live, Newest: newest}
	}
	for want, c := range map[string]struct {
		front    Front
		sessions []Session
	}{
		"the newest of 2 here":                              {Front{Workspace: "/w"}, []Session{at(true, 1, "/w"), at(true, 2, "/w")}},
		"the newest of 2 live sessions here":                {Front{Workspace: "/w"}, []Session{at(true, 1, "/w"), at(true, 2, "/w"), at(false, 3, "/w")}},
		"the nearest of 2 here":                             {Front{File: "/w/a", Workspace: "/w", folder: true}, []Session{at(true, 1, "/w/a"), at(true, 2, "/w")}},
		"the newest of 2 here, idle":                        {Front{Workspace: "/w"}, []Session{at(false, 1, "/w"), at(false, 2, "/w")}},
		"the only live one of 2 sessions here":              {Front{Workspace: "/w"}, []Session{at(true, 1, "/w"), at(false, 2, "/w")}},
		"the only session here":                             {Front{Workspace: "/w"}, []Session{at(true, 1, "/w"), at(true, 2, "/other")}},
		"the newest of 2 on this machine":                   {Front{Workspace: "/"}, []Session{at(true, 1, "/w"), at(true, 2, "/other")}},
		"the newest on this machine; none was started here": {Front{Workspace: "/none"}, []Session{at(true, 1, "/w"), at(true, 2, "/other")}},
		"the one that runs this command":                    {Front{Held: "/w", ByProcess: true}, []Session{at(true, 1, "/w")}},
		"":                                                  {Front{Named: "/w"}, []Session{at(true, 1, "/w")}},
	} {
		if got, _ := Choose(c.front, c.sessions); got.Which != want {
			t.Errorf("it is %q, want %q", got.Which, want)
		}
	}
}
