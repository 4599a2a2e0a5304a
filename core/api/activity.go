// Copyright The ctx-lsp authors. MIT licence.

package api

import "github.com/ctx-lsp/ctx-lsp/core"

// readCalled returns the events for an update's title, branch, completeness and activity.
func (to *updateParams) readCalled() ([]core.Event, *Error) {
	var events []core.Event
	if to.Title.Value.Exists() {
		title := core.TitleSeen{By: core.ByUser}
		if err := readString(&to.Title, &title.Title); err != nil {
			return nil, err
		}
		events = append(events, title)
	}
	if to.Branch.Value.Exists() {
		branch := core.BranchSeen{}
		if err := readString(&to.Branch, &branch.Branch); err != nil {
			return nil, err
		}
		events = append(events, branch)
	}
	if !to.Complete.Value.IsNull() {
		complete := core.CompletenessKnown{}
		if err := readBool(&to.Complete, &complete.Complete); err != nil {
			return nil, err
		}
		events = append(events, complete)
	}
	if !to.Behind.Value.IsNull() {
		behind := core.Behind{}
		if err := readBool(&to.Behind, &behind.Yes); err != nil {
			return nil, err
		}
		events = append(events, behind)
	}
	if to.Activity.Value.Exists() {
		name := Activity("")
		if err := readWord(&to.Activity, &name, activityWords, "activity"); err != nil {
			return nil, err
		}
		// "" is not an activity: it withdraws the one that the host has reported.
		activity, _ := core.ActivityOf(string(name))
		if to.WaitingFor != "" && activity != core.Waiting {
			return nil, invalid("waitingFor", "goes with the activity \"waiting\" alone.")
		}
		return append(events, core.ActivitySeen{Activity: activity, For: string(to.WaitingFor), Since: to.Since}), nil
	}
	switch {
	case to.WaitingFor != "":
		return nil, invalid("waitingFor", "needs \"activity\" beside it.")
	case to.Since != core.Unknown:
		return nil, invalid("since", "needs \"activity\" beside it.")
	}
	return events, nil
}
