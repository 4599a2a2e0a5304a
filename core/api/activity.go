// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var activityNames = []string{"working", "waiting", "idle", "ended"}

var waitingNames = []string{core.ForApproval, core.ForPrompt}

// readActivity reads one of the three fields in which a host tells what an
// agent does; "" takes its word back.
func (to *changes) readActivity(f *json.Fields) *Error {
	switch string(f.Name()) {
	case "since":
		return readTime(f, &to.activity.Since)
	case "waitingFor":
		if err := readString(f, &to.activity.For); err != nil {
			return err
		}
		if to.activity.For != "" && !slices.Contains(waitingNames, to.activity.For) {
			return unknownName("waitingFor", "thing to wait for", to.activity.For, waitingNames)
		}
		return nil
	}
	name := ""
	if err := readString(f, &name); err != nil {
		return err
	}
	activity, ok := core.ActivityOf(name)
	if !ok && name != "" {
		return unknownName("activity", "activity", name, activityNames)
	}
	to.acts, to.activity.Activity = true, activity
	return nil
}

// checkActivity refuses what says something of an activity that is not named.
func (to *changes) checkActivity() *Error {
	a := &to.activity
	switch {
	case to.acts:
		if a.For != "" && a.Activity != core.Waiting {
			return invalid("waitingFor", "goes with the activity \"waiting\" alone.")
		}
		to.called = append(to.called, *a)
	case a.For != "":
		return invalid("waitingFor", "needs \"activity\" beside it.")
	case a.Since != core.Unknown:
		return invalid("since", "needs \"activity\" beside it.")
	}
	return nil
}
