// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestASlowDatabaseIsNotReadAgainAtOnce checks that a database that misses its deadline is reported with its path, and
// that further reads fail without touching it until some time has passed.
func TestASlowDatabaseIsNotReadAgainAtOnce(t *testing.T) {
	before := DatabasePatience
	DatabasePatience = time.Millisecond
	t.Cleanup(func() {
		DatabasePatience = before
		delete(slow.since, t.Name())
	})
	if want := fmt.Sprintf("within %v seconds", StorePatience.Seconds()); !strings.Contains(ErrLate.Error(), want) {
		t.Errorf("%q does not contain %q", ErrLate, want)
	}
	read := func(context.Context) error { t.Error("a slow database is read again"); return nil }
	for name, late := range map[string]error{"its deadline": context.DeadlineExceeded, "an interruption": errors.New("interrupted (9)")} {
		delete(slow.since, t.Name())
		err := Patiently(t.Context(), t.Name(), func(ctx context.Context) error { <-ctx.Done(); return late })
		if !errors.Is(err, ErrLate) || !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), t.Name()+": ") {
			t.Errorf("after %s: %v", name, err)
		}
		if err := Patiently(t.Context(), t.Name(), read); !errors.Is(err, ErrLate) || errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("after %s, again: %v", name, err)
		}
	}
	late := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	err := Patiently(t.Context(), t.Name()+"x", func(context.Context) error {
		_ = Patiently(t.Context(), t.Name()+"x", late)
		return nil
	})
	if err != nil || Patiently(t.Context(), t.Name()+"x", func(context.Context) error { return nil }) != nil {
		t.Errorf("after a read that was not late it is slow: %v", err)
	}
	slow.since[t.Name()] = time.Now().Add(-slowFor - time.Second)
	reads := 0
	for range 2 {
		if err := Patiently(t.Context(), t.Name(), func(context.Context) error { reads++; return nil }); err != nil {
			t.Errorf("after a while: %v", err)
		}
	}
	if reads != 2 {
		t.Errorf("after a while it was read %d times", reads)
	}
}

// TestOnlyALateDatabaseIsSlow checks that the errors of a database, and reads that their caller canceled, do not keep
// it from being read again.
func TestOnlyALateDatabaseIsSlow(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	damaged := errors.New("it is damaged")
	for name, c := range map[string]struct {
		ctx  context.Context
		want error
	}{
		"damaged":                  {t.Context(), damaged},
		"canceled":                 {canceled, context.Canceled},
		"canceled at its deadline": {canceled, context.DeadlineExceeded},
		"with its own deadline":    {t.Context(), context.DeadlineExceeded},
	} {
		for range 2 {
			reads := 0
			err := Patiently(c.ctx, name, func(context.Context) error { reads++; return c.want })
			if reads != 1 || err != c.want { //nolint:errorlint // the error is passed on unchanged
				t.Errorf("%s: read %d times, and %v", name, reads, err)
			}
		}
	}
}
